"""How good a ranking is: the ids that were given, best first, beside the ids that answer the question."""

from collections.abc import Collection, Sequence
from math import log2

DEPTHS = (1, 5, 10)
GAIN_DEPTH = 10


def measure(ranked: Sequence[str], gold: Collection[str]) -> dict[str, float | int | None]:
    """Return every figure of one question; an id that comes twice counts where it comes first.

    `rank` is the place of the first right answer, or None. `recall@k` is the share of the right answers among the
    first k, `any@k` and `all@k` whether one of them and whether each of them is there, `ndcg@10` their discounted gain
    beside that of the best order, `rr` one divided by `rank`.
    """
    right = set(gold)
    if not right:
        raise ValueError("a question without a right answer has no ranking figures")
    places = [place for place, given in enumerate(dict.fromkeys(ranked), 1) if given in right]
    figures: dict[str, float | int | None] = {"rank": places[0] if places else None}
    for depth in DEPTHS:
        found = sum(place <= depth for place in places)
        figures[f"recall@{depth}"] = found / len(right)
        figures[f"any@{depth}"] = int(found > 0)
        figures[f"all@{depth}"] = int(found == len(right))
    gain = sum(1 / log2(place + 1) for place in places if place <= GAIN_DEPTH)
    best = sum(1 / log2(place + 1) for place in range(1, min(len(right), GAIN_DEPTH) + 1))
    figures[f"ndcg@{GAIN_DEPTH}"] = gain / best
    figures["rr"] = 1 / places[0] if places else 0.0
    return figures


def mean(figures: Sequence[float]) -> float:
    """Return the mean; of nothing there is none."""
    if not figures:
        raise ValueError("no figures")
    return sum(figures) / len(figures)


def silence(answers: Sequence[tuple[bool, int, int]]) -> dict[str, float | int]:
    """Return how well a system knows when to say nothing.

    Each answer says whether the question can be answered, how many results were given, and how many right ones among
    the first five the floor took away. `quiet` is the share of unanswerable questions that got nothing, `mute` that of
    answerable ones, and `lost` the share of answerable questions that would have had a right result without a floor.
    """
    unanswerable = [given for answerable, given, _ in answers if not answerable]
    answerable = [(given, lost) for answerable, given, lost in answers if answerable]
    return {
        "unanswerable": len(unanswerable),
        "quiet": mean([float(given == 0) for given in unanswerable]),
        "answerable": len(answerable),
        "mute": mean([float(given == 0) for given, _ in answerable]),
        "lost": mean([float(lost > 0) for _, lost in answerable]),
    }

"""How several texts share a number of tokens; pure."""

from collections.abc import Callable, Sequence

from recollect.domain.text import cut, weigh, weight_of

_LEAST = weight_of(80)  # of a text that is cut: less says nothing


def allot(weights: Sequence[int], budget: int) -> list[int]:
    """Return how much of a budget each text may take, first come first served.

    What fits is given whole. What does not may take half of what is left, so that one long text never takes it all, or
    nothing when that would be too little to say something.
    """
    allotted: list[int] = []
    for weight in weights:
        half = budget // 2
        given = weight if weight <= budget else half if half >= _LEAST else 0
        allotted.append(given)
        budget -= given
    return allotted


def cut_to(text: str, weight: int, shown: Callable[[str], str] = str) -> str:
    """Return as much of the beginning of `text` as weighs at most `weight` when it is shown."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if weigh(shown(cut(text, middle))) <= weight:
            low = middle
        else:
            high = middle - 1
    return cut(text, low)

"""What each part of recall contributes: every question answered with the part and without it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from statistics import fmean

from bench.finding import Built, Question, available, built
from bench.report import Request, Row, Table, say, write
from recollect.domain import clock
from recollect.domain.query import Hit

_DEEP = 100
_RECORD = ("recency", "importance", "pinned", "timely")
_DEPTHS = {"own": 5, "madial-zh": 5, "madial-en": 5}
_UNASKED = ("adversarial", "unanswerable")

Score = Callable[[Mapping[str, float], float], float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with what was found for it, deep enough to be put in another order."""

    question: Question
    hits: Sequence[Hit]
    weight: float


def whole(parts: Mapping[str, float], _: float) -> float:
    """Return the score as it is."""
    return sum(parts.values())


def words_alone(parts: Mapping[str, float], weight: float) -> float:
    """Return the score without the dense arm: words count whole."""
    part = parts.get("lexical", 0.0) / ((1 - weight) if "dense" in parts else 1)
    return part + sum(parts.get(name, 0.0) for name in _RECORD)


def meaning_alone(parts: Mapping[str, float], weight: float) -> float:
    """Return the score without the lexical arm."""
    return parts.get("dense", 0.0) / weight + sum(parts.get(name, 0.0) for name in _RECORD)


def without(name: str) -> Score:
    """Return what scores without one boost."""
    return lambda parts, _: sum(value for part, value in parts.items() if part != name)


VARIANTS: Mapping[str, Score] = {
    "everything": whole,
    "without meaning": words_alone,
    "without words": meaning_alone,
    "without recency": without("recency"),
    "without time expressions": without("timely"),
    "half the recency": lambda parts, _: sum(parts.values()) - parts["recency"] / 2,
}


def run(request: Request) -> Path:
    """Measure every set at hand, our own on the half that constants were fitted on, then on the other."""
    rows: list[Row] = []
    floors: list[Row] = []
    for name in ["own"] if request.quick else available():
        found = built(name)
        for half in ("fit", "report") if name == "own" else ("",):
            say(f"asking {name} {half}")
            asked = list(_asked(found, [one for one in found.questions if one.half == half]))
            for variant, score in VARIANTS.items():
                rows += _rows(name, half, variant, asked, score)
            if name == "own":
                floors.append(_floor_row(half, found, asked))
        found.memory.close()
    note = "Mean over the questions of a kind; recall@5 for own and madial, @10 for the others."
    told = "silent: unanswerable questions that get no answer; lost: answers among the first five that are held back."
    return write(
        "ablation",
        request,
        [
            Table(title="Parts of the score", note=note, rows=rows),
            Table(title="The floor", note=told, rows=floors),
        ],
    )


def _asked(found: Built, questions: Iterable[Question]) -> Iterable[Asked]:
    for question in questions:
        mine = found.memory.within(user=question.scope)
        moment = question.at
        with clock.running(lambda moment=moment: moment):
            answer = mine.recall(question.text, limit=_DEEP, min_score=0)
        yield Asked(question=question, hits=answer.hits, weight=0.5)


def _rows(name: str, half: str, variant: str, asked: Sequence[Asked], score: Score) -> list[Row]:
    depth = _DEPTHS.get(name, 10)
    kinds: dict[str, list[tuple[float, float, float]]] = {}
    for one in asked:
        if one.question.kind in _UNASKED or not one.question.gold:
            continue
        ranked = sorted(one.hits, key=lambda hit: (-round(score(hit.parts, one.weight), 9), -hit.record.id))
        ids = [hit.record.id for hit in ranked]
        kind = one.question.kind if name == "own" else "all"
        kinds.setdefault(kind, []).append(_figures(ids, one.question.gold, depth))
    return [
        {
            "set": f"{name} {half}".strip(),
            "kind": kind,
            "variant": variant,
            "questions": len(figures),
            "recall@k": round(fmean(figure[0] for figure in figures), 3),
            "ndcg@10": round(fmean(figure[1] for figure in figures), 3),
            "recall@1": round(fmean(figure[2] for figure in figures), 3),
        }
        for kind, figures in sorted(kinds.items())
    ]


def _figures(ids: Sequence[int], gold: frozenset[int], depth: int) -> tuple[float, float, float]:
    gained = sum((one in gold) / log2(at + 2) for at, one in enumerate(ids[:10]))
    best = sum(1 / log2(at + 2) for at in range(min(10, len(gold))))
    return len(gold.intersection(ids[:depth])) / len(gold), gained / best, float(bool(ids) and ids[0] in gold)


def _floor_row(half: str, found: Built, asked: Sequence[Asked]) -> Row:
    silent: list[bool] = []
    lost: list[bool] = []
    for one in asked:
        given = found.memory.within(user=one.question.scope).recall(one.question.text, limit=5)
        if one.question.kind == "unanswerable":
            silent.append(not given.hits)
        elif one.question.gold.intersection(hit.record.id for hit in one.hits[:5]):
            lost.append(one.question.gold.isdisjoint(hit.record.id for hit in given.hits))
    return {"set": f"own {half}", "silent": round(fmean(silent), 3), "lost": round(fmean(lost), 3)}

"""Asking a system every question of a set, and keeping what those answered whose answers do not change."""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bench import metrics
from bench.building import cache_folder
from bench.known import Known, Question
from bench.metrics import measure
from bench.report import Row
from bench.systems.base import DEPTH, Ranked, System
from bench.timing import told

ANSWER = 5  # results of an answer that may be empty
_METRICS = Path(metrics.__file__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one system did on one set: a row for each question."""

    system: str
    variant: str
    label: str
    role: str
    versions: str
    configured: str
    rows: list[Row] = field(default_factory=list)
    seconds: float = 0.0
    date: str = ""


def ask(system: System, role: str, known: Known, *, again: bool, only_kept: bool = False) -> Asked | None:
    """Index and ask everything, or read what the same system answered to the same set before.

    With `only_kept` nothing is asked; None says that nothing was kept.
    """
    kept = _place(system, known)
    if system.repeatable and not again and kept.exists():
        return Asked(**json.loads(kept.read_text(encoding="utf-8")))
    if only_kept:
        return None
    began = time.monotonic()
    rows: list[Row] = []
    for scope in told(known.scopes, len(known.scopes), f"{known.name}: {system.label}: scopes"):
        system.index(scope.items)
        for question in told(scope.questions, len(scope.questions), f"{known.name}: {system.label}: questions"):
            rows.append(_row(system, known, question))
    found = Asked(
        system=system.name,
        variant=system.variant,
        label=system.label,
        role=role,
        versions=system.versions,
        configured=system.configured,
        rows=rows,
        seconds=round(time.monotonic() - began, 1),
        date=time.strftime("%Y-%m-%d", time.gmtime()),
    )
    kept.parent.mkdir(exist_ok=True)
    if system.repeatable:
        kept.write_text(json.dumps(asdict(found)), encoding="utf-8")
    return found


def _row(system: System, known: Known, question: Question) -> Row:
    row: Row = {
        "set": known.name,
        "system": system.label,
        "question": question.id,
        "kind": question.kind,
        "half": question.half,
    }
    ranked = system.search(question.text, DEPTH, question.time) if question.gold else []
    if question.gold:
        row |= measure(_ids(ranked), question.gold)
    answered = system.answers(question.text, ANSWER, question.time)
    if answered is not None:
        right = set(question.gold)
        row |= {"given": len(answered), "lost": len(right & (set(_ids(ranked)[:ANSWER]) - set(_ids(answered))))}
    return row


def _ids(ranked: Ranked) -> Sequence[str]:
    return [item for item, _ in ranked]


def _place(system: System, known: Known) -> Path:
    """Return where these answers are kept: under everything that could change them."""
    asked = (str(DEPTH), str(ANSWER), known.digest, *(one.id for one in known.questions))
    parts = (system.label, system.versions, system.configured, *asked)
    digest = hashlib.sha256("\0".join(parts).encode())
    for source in (_METRICS, *system.sources()):
        digest.update(source.read_bytes())
    return cache_folder() / "answers" / f"{known.name}-{system.name}-{digest.hexdigest()[:20]}.json"

"""Asking a system every question of a set, and keeping what those answered whose answers do not change."""

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.building import cache_folder
from bench.known import Known, Question
from bench.metrics import measure
from bench.report import Row
from bench.systems.base import DEPTH, Ranked, System
from bench.timing import told

ANSWER = 5  # results of an answer that may be empty
_PARTS = ("asking.py", "known.py", "metrics.py", "trigram.py")


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


def ask(system: System, role: str, known: Known, *, again: bool) -> Asked:
    """Index and ask everything, or read what the same system answered to the same set before."""
    kept = _place(system, known)
    if system.repeatable and not again and kept.exists():
        return Asked(**json.loads(kept.read_text(encoding="utf-8")))
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
    kept.write_text(json.dumps({name: getattr(found, name) for name in found.__slots__}), encoding="utf-8")
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
    here = Path(__file__).parent
    parts = [system.label, system.versions, system.configured, known.digest, *(one.id for one in known.questions)]
    digest = hashlib.sha256("\0".join(parts).encode())
    for source in [*(here / name for name in _PARTS), *system.sources()]:
        digest.update(source.read_bytes())
    return cache_folder() / "answers" / f"{known.name}-{system.name}-{digest.hexdigest()[:20]}.json"

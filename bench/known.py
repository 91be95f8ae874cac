"""Sets with known answers: the project's own, and those in the folder RECOLLECT_BENCH_DATA."""

import gzip
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

SETS = Path(__file__).parent / "sets"
OWN = "own"
DATA = "RECOLLECT_BENCH_DATA"
ORDER = ("locomo", "beam100k", "memdaily", "madial-zh", "madial-en", OWN)
_ENDING = ".json.gz"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that is remembered; its id is unique in its scope."""

    id: str
    text: str
    session: str
    speaker: str
    time: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question, and the items that answer it; none where nothing in the scope does."""

    id: str
    text: str
    gold: tuple[str, ...]
    kind: str
    time: str
    half: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What one user has, and what is asked of it."""

    id: str
    items: tuple[Item, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One set; `digest` is the SHA-256 of its JSON."""

    name: str
    digest: str
    scopes: tuple[Scope, ...]

    @property
    def questions(self) -> list[Question]:
        """All questions, scope after scope."""
        return [question for scope in self.scopes for question in scope.questions]

    def limited(self, limit: int) -> "Known":
        """Return the set with at most `limit` questions, evenly taken, and the scopes they need."""
        total = len(self.questions)
        if not limit or total <= limit:
            return self
        kept = {at * total // limit for at in range(limit)}
        scopes: list[Scope] = []
        seen = 0
        for scope in self.scopes:
            chosen = tuple(question for at, question in enumerate(scope.questions, seen) if at in kept)
            seen += len(scope.questions)
            if chosen:
                scopes.append(replace(scope, questions=chosen))
        return replace(self, scopes=tuple(scopes))


def set_names() -> list[str]:
    """Return the sets that are there."""
    given = os.environ.get(DATA)
    found = {file.name.removesuffix(_ENDING) for file in Path(given).glob(f"*{_ENDING}")} if given else set()
    return sorted(found | {OWN}, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def read_set(name: str) -> Known:
    """Read one set; the own one must be what was written down when it was made."""
    if name not in set_names():
        raise SystemExit(
            f"there is no set {name}: of {', '.join(set_names())} (others are read from the folder {DATA})"
        )
    folder = SETS if name == OWN else Path(os.environ[DATA])
    kept = gzip.decompress((folder / f"{name}{_ENDING}").read_bytes())
    digest = hashlib.sha256(kept).hexdigest()
    if name == OWN:
        expected = (SETS / "own.sha256").read_text(encoding="utf-8").split()[0]
        if digest != expected:
            raise SystemExit(f"the own set was changed: its SHA-256 is {digest}, not {expected}")
    return Known(name=name, digest=digest, scopes=_scopes(json.loads(kept)))


def _scopes(kept: Sequence[dict]) -> tuple[Scope, ...]:
    return tuple(
        Scope(
            id=str(scope["id"]),
            items=tuple(Item(**item) for item in scope["items"]),
            questions=tuple(Question(**{**question, "gold": tuple(question["gold"])}) for question in scope["queries"]),
        )
        for scope in kept
    )

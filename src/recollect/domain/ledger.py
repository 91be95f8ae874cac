"""The ledger of recalls: what was asked and what was given for it, without a word of any record."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from recollect.domain import clock
from recollect.domain.query import LeftOut
from recollect.domain.secrets import mask_secrets

AskedBy = Literal["recall", "prefetch", "tool"]

QUESTION_LENGTH = 2_000  # characters that are kept of a question


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledHit:
    """A record that was given, by its id, with its score and the parts that added up to it."""

    id: int
    score: float
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """One recall that was kept. `question` is None once a record that it is about was forgotten."""

    id: int
    at: datetime
    asked_by: AskedBy
    agent: str
    session: str
    question: str | None
    hits: tuple[RecalledHit, ...]
    left_out: tuple[LeftOut, ...]
    floor: float
    sources: Mapping[str, str]
    milliseconds: float

    def public(self) -> dict[str, object]:
        """Return the row as every face shows it, ready for JSON."""
        return {
            "id": self.id,
            "at": clock.to_text(self.at),
            "asked_by": self.asked_by,
            "agent": self.agent,
            "session": self.session,
            "question": self.question,
            "hits": [{"id": hit.id, "score": hit.score, "parts": dict(hit.parts)} for hit in self.hits],
            "left_out": [{"id": out.id, "reason": out.reason} for out in self.left_out],
            "floor": self.floor,
            "sources": dict(self.sources),
            "milliseconds": self.milliseconds,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallPage:
    """One page of the ledger, newest first; `next_cursor` is None on the last one."""

    items: tuple[Recalled, ...]
    next_cursor: str | None = None


def kept_question(text: str) -> str:
    """Return a question as it may be kept: no secrets, nothing that cannot be stored, and of a long one the end."""
    plain = mask_secrets(text).replace("\0", "\ufffd").encode("utf-8", "replace").decode()
    return plain[-QUESTION_LENGTH:]

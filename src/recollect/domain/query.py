"""A question to the memory, and what is found for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from recollect.domain.record import Kind, Record

Reason = Literal[
    "memory_off", "not_found", "not_active", "other_agent", "other_session", "other_kind", "other_space", "other_type",
    "other_label", "expired", "outside_time", "no_common_term", "below_floor", "out_ranked", "over_budget",
]  # fmt: skip

RECALL_KINDS: tuple[Kind, ...] = ("note", "fact", "episode")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked and what may answer it; None means no such condition."""

    text: str
    limit: int = 5
    max_tokens: int | None = None
    type: str | None = None
    kinds: Sequence[Kind] = RECALL_KINDS
    labels: Sequence[str] = ()
    since: datetime | None = None
    until: datetime | None = None
    spaces: Sequence[str] = ("",)
    min_score: float | None = None

    def refuses(self, record: Record, now: datetime) -> Reason | None:
        """Return the first condition that `record` does not meet."""
        late = self.until is not None and record.updated_at >= self.until
        checks: tuple[tuple[bool, Reason], ...] = (
            (record.status != "active", "not_active"),
            (record.kind not in self.kinds, "other_kind"),
            (record.space not in self.spaces, "other_space"),
            (self.type is not None and record.type != self.type, "other_type"),
            (not set(self.labels) <= set(record.labels), "other_label"),
            (record.is_expired(now), "expired"),
            (late or (self.since is not None and record.updated_at < self.since), "outside_time"),
        )
        return next((reason for failed, reason in checks if failed), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A record that was found, its score in 0…1 and the named parts that add up to it."""

    record: Record
    score: float
    parts: Mapping[str, float]

    def public(self) -> dict[str, object]:
        """Return the hit as every face shows it, ready for JSON."""
        record = self.record
        shown: dict[str, object] = {"id": record.id, "type": record.type, "name": record.name}
        return {**shown, "content": record.content, "score": self.score, "parts": dict(self.parts)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A record that was not given, and the first rule that kept it out.

    `failed` names the arms of the search that could not be asked, as in `Found`; only `why` says so of one record.
    """

    id: int
    reason: Reason
    name: str = ""
    score: float | None = None
    parts: Mapping[str, float] | None = None
    rank: int | None = None
    failed: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The answer to a query, best first, with the framed text that an agent may be given.

    `sources` says for each arm of the search how many candidates it gave, or why it gave none; `failed` names the arms
    that could not be asked, with a sentence each: what they alone would have found is missing. `floor` is the score
    that was asked for.
    """

    hits: tuple[Hit, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    block: str = ""
    tokens: int = 0
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    failed: Mapping[str, str] = field(default_factory=dict[str, str])
    floor: float = 0.0

    def public(self) -> dict[str, object]:
        """Return the answer as every face shows it, ready for JSON."""
        left: list[dict[str, object]] = [{"id": out.id, "reason": out.reason} for out in self.left_out]
        return {
            "hits": [hit.public() for hit in self.hits],
            "left_out": left,
            "block": self.block,
            "tokens": self.tokens,
            "sources": dict(self.sources),
            "failed": dict(self.failed),
        }

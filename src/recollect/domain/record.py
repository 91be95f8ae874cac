"""The record and what happens to it: the values that every part shares."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, TypedDict, get_args

from recollect.domain import clock

Kind = Literal["note", "fact", "profile", "episode", "chunk"]
Status = Literal["active", "pending", "superseded", "disabled", "trashed"]
Source = Literal["user_stated", "user_edited", "agent_inferred", "imported", "system"]
Outcome = Literal["created", "updated", "duplicate"]
Action = Literal["create", "update", "delete", "restore", "forget"]

KINDS = get_args(Kind)
TYPES = ("user", "project", "feedback", "reference")
STALE_AFTER_DAYS = 1

_PUBLIC_FIELDS = (
    "id", "type", "name", "description", "content", "metadata", "labels", "importance", "pinned", "agent", "session",
    "source", "status", "created_at", "updated_at", "expires_at", "version",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What somebody wants to be remembered, as given: `records.save` checks it."""

    content: str
    type: str = "user"
    name: str | None = None
    description: str = ""
    metadata: Mapping[str, Any] | None = None
    labels: tuple[str, ...] = ()
    importance: int | None = None
    pinned: bool = False
    expires_at: datetime | None = None
    kind: Kind = "note"
    space: str = ""
    key: str | None = None
    external: bool = False


class NoteFields(TypedDict, total=False):
    """What may be said of a note besides its content. What is not named has a default, or stays as it is."""

    type: str
    name: str | None
    description: str
    metadata: Mapping[str, Any] | None
    labels: Iterable[str]
    importance: int | None
    pinned: bool
    expires_at: datetime | str | None


class NoteChanges(NoteFields, total=False):
    """What may change of a note."""

    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One thing remembered. Its id is counted within its owner and never used again."""

    id: int
    kind: Kind
    type: str
    name: str
    description: str
    content: str
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    labels: tuple[str, ...] = ()
    importance: int = 50
    pinned: bool = False
    agent: str = ""
    session: str = ""
    space: str = ""
    key: str | None = None
    status: Status = "active"
    source: Source = "user_stated"
    trust: int = 3
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None = None
    version: int = 1

    def age_days(self, now: datetime) -> int:
        """Return the whole days since the last change."""
        return int(clock.days_between(self.updated_at, now))

    def is_stale(self, now: datetime) -> bool:
        """Tell whether it is old enough that a reader should check it first."""
        return self.age_days(now) > STALE_AFTER_DAYS

    def is_expired(self, now: datetime) -> bool:
        """Tell whether its end has come; an expired record is kept but neither listed nor recalled."""
        return self.expires_at is not None and self.expires_at <= now

    @property
    def is_unverified(self) -> bool:
        """Tell whether nobody here vouches for it: it was imported or came from tools, web pages or files."""
        return self.trust <= 1

    def public(self) -> dict[str, object]:
        """Return the note as every face shows it, ready for JSON."""
        return {name: plain(getattr(self, name)) for name in _PUBLIC_FIELDS}


DRAFTED = tuple(field.name for field in fields(Draft) if field.name in Record.__slots__)
CHANGEABLE = tuple(name for name in DRAFTED if name not in ("kind", "space", "key"))
TRACKED = tuple(name for name in Record.__slots__ if name not in ("id", "created_at", "updated_at", "version"))
"""What a draft gives a record, what of it may change later, and what the history tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One change of one record: who, when, and each changed field before and after, ready for JSON."""

    id: int
    record_id: int
    run_id: int | None
    at: datetime
    actor: str
    agent: str
    action: Action
    version: int
    changes: Mapping[str, tuple[object, object]]
    undoes: int | None = None
    undone_by: int | None = None
    scrubbed: bool = False

    def public(self) -> dict[str, object]:
        """Return the revision as every face shows it, ready for JSON."""
        shown = {name: plain(getattr(self, name)) for name in self.__slots__ if name != "changes"}
        shown["changes"] = {name: {"before": before, "after": after} for name, (before, after) in self.changes.items()}
        return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A batch of writes that can be undone as a whole."""

    id: int
    name: str
    at: datetime
    actor: str
    agent: str
    undone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """A text that was forgotten on purpose, kept only as a hash; an empty agent stands for all agents."""

    agent: str
    form: Literal["text", "value"]
    digest: bytes
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What became of a draft: the record, and the active ones that say nearly the same."""

    record: Record
    outcome: Outcome
    similar: tuple[Record, ...] = ()
    revision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of a list, newest first; `next_cursor` is None on the last one."""

    items: tuple[Record, ...]
    next_cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What an erasure removed, and what a second count found afterwards, by place."""

    owner_id: str
    at: datetime
    removed: Mapping[str, int]
    left: Mapping[str, int]

    @classmethod
    def of_all(cls, receipts: Sequence["Receipt"]) -> "Receipt":
        """Return the receipts of several databases as one."""
        removed, left = Counter[str](), Counter[str]()
        for one in receipts:
            removed.update(one.removed)
            left.update(one.left)
        last = receipts[-1]
        return cls(owner_id=last.owner_id, at=last.at, removed=dict(removed), left=dict(left))


def plain(value: object) -> object:
    """Return a field's value as JSON knows it."""
    if isinstance(value, datetime):
        return clock.to_text(value)
    if isinstance(value, tuple):
        return list(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if isinstance(value, Mapping):
        return dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return value

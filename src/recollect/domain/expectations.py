"""Expectations of recall: what a question is to find, and what it is not to; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from recollect.domain.checks import ID_MAX, check_range, check_text
from recollect.domain.errors import Invalid
from recollect.domain.query import Hit
from recollect.domain.record import Record

MOST = 10_000
DEFAULT_AT = 5

_KEYS = ("ask", "expect", "not", "nothing", "at", "user", "agent")
_MOST_HITS = 100
_TEXT_LIMIT = 65_535
_NAME_LIMIT = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A record by its id, its name, or a piece of its content."""

    id: int | None = None
    name: str | None = None
    content: str | None = None

    def meets(self, record: Record) -> bool:
        """Tell whether this is the record that is meant."""
        if self.id is not None:
            return record.id == self.id
        return record.name == self.name if self.name is not None else str(self.content) in record.content

    def public(self) -> object:
        """Return the target as it was written."""
        return {"content": self.content} if self.content is not None else (self.id or self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One question, with what is to be among its first `at` hits and what is not."""

    ask: str
    expect: tuple[Target, ...] = ()
    unwanted: tuple[Target, ...] = ()
    nothing: bool = False
    at: int = DEFAULT_AT
    user: str | None = None
    agent: str | None = None

    def missing(self, hits: Sequence[Hit]) -> tuple[Target, ...]:
        """Return what was expected and did not come."""
        return tuple(target for target in self.expect if not any(target.meets(hit.record) for hit in hits[: self.at]))

    def intruders(self, hits: Sequence[Hit]) -> tuple[tuple[Target, int], ...]:
        """Return what came and should not have, each with its rank, which begins at 1."""
        ranked = list(enumerate(hits[: self.at], 1))
        return tuple((target, rank) for target in self.unwanted for rank, hit in ranked if target.meets(hit.record))


def parse_expectations(given: object) -> tuple[Expectation, ...]:
    """Return expectations from what a file holds; what is wrong is named by its path, as [3].expect[0]."""
    if given is None:
        return ()
    if not isinstance(given, list):
        raise Invalid("not_list", given=type(given).__name__)
    entries = cast("list[object]", given)
    if len(entries) > MOST:
        raise Invalid("too_many", count=len(entries), limit=MOST)
    return tuple(_expectation(entry, f"[{at}]") for at, entry in enumerate(entries))


def _expectation(given: object, path: str) -> Expectation:
    if not isinstance(given, Mapping):
        raise Invalid("not_object", path)
    entry = cast("Mapping[object, object]", given)
    for key in entry:
        if key not in _KEYS:
            raise Invalid("unknown_field", f"{path}.{key}", allowed=", ".join(_KEYS))
    ask = check_text(entry.get("ask"), path=f"{path}.ask", limit=_TEXT_LIMIT)
    if not ask.strip():
        raise Invalid("blank", f"{path}.ask")
    nothing = entry.get("nothing", False)
    if not isinstance(nothing, bool):
        raise Invalid("not_boolean", f"{path}.nothing")
    if nothing and ("expect" in entry or "not" in entry):
        raise Invalid("nothing_alone", f"{path}.nothing")
    if not (nothing or "expect" in entry or "not" in entry):
        raise Invalid("nothing_expected", path)
    return Expectation(
        ask=ask,
        expect=_targets(entry, "expect", path),
        unwanted=_targets(entry, "not", path),
        nothing=nothing,
        at=check_range(entry.get("at", DEFAULT_AT), path=f"{path}.at", low=1, high=_MOST_HITS),
        user=_name(entry, "user", path),
        agent=_name(entry, "agent", path),
    )


def _name(entry: Mapping[object, object], key: str, path: str) -> str | None:
    return check_text(entry[key], path=f"{path}.{key}", limit=_NAME_LIMIT) if key in entry else None


def _targets(entry: Mapping[object, object], key: str, path: str) -> tuple[Target, ...]:
    if key not in entry:
        return ()
    given = entry[key]
    if not isinstance(given, list):
        raise Invalid("not_list", f"{path}.{key}", given=type(given).__name__)
    if not given:
        raise Invalid("blank", f"{path}.{key}")
    return tuple(_target(one, f"{path}.{key}[{at}]") for at, one in enumerate(cast("list[object]", given)))


def _target(given: object, path: str) -> Target:
    if isinstance(given, Mapping):
        inner = cast("Mapping[object, object]", given)
        content = inner.get("content")
        if len(inner) == 1 and isinstance(content, str) and content:
            return Target(content=content)
    elif isinstance(given, str) and given.strip():
        return Target(name=given)
    elif isinstance(given, int) and not isinstance(given, bool) and 0 < given <= ID_MAX:
        return Target(id=given)
    raise Invalid("bad_target", path)

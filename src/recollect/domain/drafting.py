"""From what somebody wants remembered to what may be written: checks, defaults, provenance; pure."""

import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal

from recollect.domain.checks import (
    check_choice,
    check_flag,
    check_labels,
    check_metadata,
    check_moment,
    check_range,
    check_text,
)
from recollect.domain.errors import Invalid, Refused
from recollect.domain.record import CHANGEABLE, DRAFTED, KINDS, TYPES, Draft, Record, Source, Status
from recollect.domain.scope import Actor, Scope
from recollect.domain.text import first_line
from recollect.domain.visible import is_blank

NAME_LIMIT = 255
DESCRIPTION_LIMIT = 500
CONTENT_LIMIT = 65_535
KEY_LIMIT = 255
DEFAULT_IMPORTANCE = 50

Review = Literal["external", "inferred", "none"]

_GIVEN = (*CHANGEABLE, "external")
_BARE = Draft(content="")

_CREATED_BY: Mapping[Actor, Source] = {
    "person": "user_stated",
    "agent": "agent_inferred",
    "import": "imported",
    "system": "system",
}
_TRUST: Mapping[Actor, int] = {"person": 3, "agent": 2, "import": 1, "system": 2}


def check_draft(draft: Draft, path: str = "") -> Draft:
    """Return the draft with every field checked and every default filled in."""
    content = check_text(draft.content, path=f"{path}content", limit=CONTENT_LIMIT)
    if is_blank(content):
        raise Invalid("blank", f"{path}content")
    name = first_line(content) if draft.name is None else draft.name
    name = check_text(name, path=f"{path}name", limit=NAME_LIMIT)
    if is_blank(name):
        raise Invalid("blank", f"{path}name")
    importance = DEFAULT_IMPORTANCE if draft.importance is None else draft.importance
    key = None if draft.key is None else check_text(draft.key, path=f"{path}key", limit=KEY_LIMIT)
    return Draft(
        content=content,
        name=unicodedata.normalize("NFC", name.strip()),
        type=check_choice(draft.type, TYPES, path=f"{path}type"),
        description=check_text(draft.description, path=f"{path}description", limit=DESCRIPTION_LIMIT),
        metadata=check_metadata(draft.metadata, path=f"{path}metadata"),
        labels=check_labels(draft.labels, path=f"{path}labels"),
        importance=check_range(importance, 0, 100, path=f"{path}importance"),
        pinned=check_flag(draft.pinned, path=f"{path}pinned"),
        expires_at=check_moment(draft.expires_at, path=f"{path}expires_at"),
        kind=check_choice(draft.kind, KINDS, path=f"{path}kind"),  # pyright: ignore[reportArgumentType]
        space=check_text(draft.space, path=f"{path}space", limit=NAME_LIMIT),
        key=key,
        external=check_flag(draft.external, path=f"{path}external"),
    )


def check_note(draft: Draft, path: str = "") -> Draft:
    """Return the draft when it is one of a note: another kind, a space or a key is not for everybody to give."""
    for name in ("kind", "space", "key"):
        if getattr(draft, name) != getattr(_BARE, name):
            raise Invalid("unknown_field", f"{path}{name}", allowed=", ".join(_GIVEN))
    return draft


def parse_draft(given: object, path: str = "") -> Draft:
    """Return a draft from a mapping of its fields, refusing names that no draft has."""
    if not isinstance(given, Mapping):
        raise Invalid("not_object", path.rstrip("."))
    for name in given:  # pyright: ignore[reportUnknownVariableType]
        if name not in _GIVEN:
            raise Invalid("unknown_field", f"{path}{name}", allowed=", ".join(_GIVEN))
    if "content" not in given:
        raise Invalid("blank", f"{path}content")
    return Draft(**given)  # pyright: ignore[reportUnknownArgumentType]


def drafted(draft: Draft) -> Mapping[str, Any]:
    """Return what a checked draft gives its record."""
    return {name: getattr(draft, name) for name in DRAFTED}


def to_record(draft: Draft, scope: Scope, now: datetime, review: Review) -> Record:
    """Return the record that a checked draft becomes; source, trust and status come from who calls."""
    if draft.pinned and scope.actor == "agent":
        raise Refused("pin_by_agent", "pinned")
    return Record(
        id=0,
        **drafted(draft),
        agent=scope.agent,
        session=scope.session,
        status=_status(draft, scope.actor, review),
        source=_CREATED_BY[scope.actor],
        trust=0 if draft.external else _TRUST[scope.actor],
        created_at=now,
        updated_at=now,
    )


def to_draft(record: Record) -> Draft:
    """Return the draft that `record` could have come from, to be changed and checked again."""
    return Draft(**{name: getattr(record, name) for name in DRAFTED})


def edited(record: Record, draft: Draft, scope: Scope) -> Record:
    """Return `record` as a checked draft has it now; only a person's change makes it more trusted than it was."""
    person = scope.actor == "person"
    if not person and draft.pinned and not record.pinned:
        raise Refused("pin_by_agent", "pinned")
    after = replace(record, **{name: getattr(draft, name) for name in CHANGEABLE})
    if after == record:
        return record
    if person:
        return replace(after, source="user_edited", trust=_TRUST["person"])
    return replace(after, source=_CREATED_BY[scope.actor], trust=min(record.trust, _TRUST[scope.actor]))


def _status(draft: Draft, actor: Actor, review: Review) -> Status:
    """Text from outside does not become a rule by itself: somebody looks at it first."""
    if review == "none" or actor in ("system", "import"):
        return "active"
    if review == "inferred" and actor == "agent":
        return "pending"
    wants_authority = draft.pinned or draft.type in ("user", "feedback")
    return "pending" if draft.external and wants_authority else "active"

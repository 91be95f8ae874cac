"""The lines of an export: written, and read back with every field checked, since a file may come from anybody; pure.

The first line is the header. Then follow, for each owner, a `who` line, the runs, the records in the order of their ids
with the revisions of each directly behind it, and the tombstones; all of them carry the number of their owner in this
file. Revisions of records that are gone stand alone and hold no text. The `end` line says how many lines there are.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast, get_args
from uuid import UUID

from recollect.domain import clock
from recollect.domain.analysis import ANALYSER_VERSION
from recollect.domain.checks import ID_MAX, check_choice, check_flag, check_moment, check_range, check_text
from recollect.domain.drafting import NAME_LIMIT, check_draft, drafted
from recollect.domain.errors import Invalid
from recollect.domain.record import (
    DRAFTED,
    TRACKED,
    Action,
    Draft,
    Record,
    Revision,
    Run,
    Source,
    Status,
    Tombstone,
    plain,
)
from recollect.domain.scope import ALL, Actor
from recollect.domain.scope import NAME_LIMIT as SCOPE_LIMIT

FORMAT = 1
LINE_LIMIT = 1_048_576  # bytes
RECORD_ID_LIMIT = 2**31 - 1  # half of the numbers of an owner stay free for what comes after an import
_VERSION_LIMIT = 2**31 - 1
_DIGEST = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a file says of itself: its own id, and of how many owners it holds the memory."""

    export_id: str
    owners: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Whose memory follows."""

    tenant: str
    user: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How many lines the file has, this one included."""

    lines: int


Content = Who | Run | Record | Revision | Tombstone | End


class Line(NamedTuple):
    """What one line says, and the number of the owner it belongs to; 0 for the last line."""

    owner: int
    content: Content


def write_header(export_id: str, exported_at: datetime, schema: int, owners: int) -> bytes:
    """Return the first line of a file."""
    return _to_bytes(
        {
            "recollect_export": FORMAT,
            "export_id": export_id,
            "exported_at": clock.to_text(exported_at),
            "schema": schema,
            "analyser": ANALYSER_VERSION,
            "owners": owners,
        }
    )


def write_line(owner: int, content: Who | Run | Record | Revision | Tombstone) -> bytes:
    """Return the line that says `content` of one owner."""
    return _to_bytes({"owner": owner, _NAMES[type(content)]: _shown(content)})


def write_end(counts: Mapping[str, int]) -> bytes:
    """Return the last line of a file, with `lines` among the counts."""
    return _to_bytes({"end": dict(counts)})


def _to_bytes(value: Mapping[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _shown(content: Who | Run | Record | Revision | Tombstone) -> Mapping[str, object]:
    if isinstance(content, Revision):
        return content.public()
    shown = {field.name: plain(getattr(content, field.name)) for field in fields(content)}
    return {**shown, "digest": content.digest.hex()} if isinstance(content, Tombstone) else shown


def read_header(raw: bytes, file: str) -> Header:
    """Return the header of a file, or refuse the file."""
    try:
        given = _to_object(raw)
        found = given["recollect_export"]
        if isinstance(found, int) and found > FORMAT:
            raise Invalid("newer_export", file=file, found=found, known=FORMAT)
        check_range(found, FORMAT, FORMAT, path="recollect_export")
        owners = check_range(given["owners"], 0, ID_MAX, path="owners")
        return Header(export_id=str(UUID(str(given["export_id"]))), owners=owners)
    except (KeyError, ValueError) as problem:
        raise Invalid("not_export", file=file) from problem
    except Invalid as problem:
        if problem.key == "newer_export":
            raise
        raise Invalid("not_export", file=file) from problem


def read_line(raw: bytes) -> Line:
    """Return what a line says, or refuse it with the path of the field."""
    given = _to_object(raw)
    names = [name for name in given if name in _READERS]
    if len(names) != 1 or len(given) != (1 if names == ["end"] else 2):
        raise Invalid("unknown_line")
    name = names[0]
    owner = 0 if name == "end" else check_range(given.get("owner"), 1, ID_MAX, path="owner")
    return Line(owner, _READERS[name](given[name], f"{name}."))


def _to_object(raw: bytes) -> Mapping[str, object]:
    try:
        given: object = json.loads(raw.decode(), parse_constant=_refuse_constant)
    except RecursionError as problem:
        raise Invalid("broken_line", problem="too many levels") from problem
    except ValueError as problem:
        raise Invalid("broken_line", problem=str(problem)) from problem
    if not isinstance(given, dict):
        raise Invalid("unknown_line")
    return cast("Mapping[str, object]", given)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _fields(given: object, known: Iterable[str], path: str) -> Mapping[str, object]:
    """Return an object that has exactly the `known` fields."""
    if not isinstance(given, dict):
        raise Invalid("not_object", path.rstrip("."))
    found = cast("Mapping[str, object]", given)
    for name in found:
        if name not in known:
            raise Invalid("unknown_field", f"{path}{name}", allowed=", ".join(known))
    for name in known:
        if name not in found:
            raise Invalid("missing", f"{path}{name}")
    return found


def read_record(given: object, path: str) -> Record:
    """Return a record from its fields, each checked as a new one would be."""
    found = _fields(given, _RECORD, path)
    draft = check_draft(Draft(**{name: found[name] for name in DRAFTED}), path)  # pyright: ignore[reportArgumentType]
    return Record(
        id=check_range(found["id"], 1, RECORD_ID_LIMIT, path=f"{path}id"),
        **drafted(draft),
        agent=read_name(found["agent"], f"{path}agent"),
        session=read_name(found["session"], f"{path}session"),
        status=_choice(found["status"], Status, f"{path}status"),
        source=_choice(found["source"], Source, f"{path}source"),
        trust=check_range(found["trust"], 0, 3, path=f"{path}trust"),
        created_at=read_moment(found["created_at"], f"{path}created_at"),
        updated_at=read_moment(found["updated_at"], f"{path}updated_at"),
        version=check_range(found["version"], 1, _VERSION_LIMIT, path=f"{path}version"),
    )


def read_name(given: object, path: str) -> str:
    """Return the name of an agent or a session in the form in which names are compared."""
    name = unicodedata.normalize("NFC", check_text(given, path=path, limit=SCOPE_LIMIT))
    if name == ALL:
        raise Invalid("not_one_of", path, given=repr(name), allowed="names")
    return name


def read_moment(given: object, path: str) -> datetime:
    """Return a moment that must be there."""
    moment = check_moment(given, path=path)
    if moment is None:
        raise Invalid("not_moment", path)
    return moment


def _choice(given: object, choices: object, path: str) -> Any:
    return check_choice(given, get_args(choices), path=path)


def _read_revision(given: object, path: str) -> Revision:
    found = _fields(given, _REVISION, path)
    scrubbed = check_flag(found["scrubbed"], path=f"{path}scrubbed")
    changes = _read_changes(found["changes"], f"{path}changes")
    if scrubbed and changes:
        raise Invalid("too_many", f"{path}changes", count=len(changes), limit=0)
    return Revision(
        id=_number(found["id"], f"{path}id"),
        record_id=check_range(found["record_id"], 1, RECORD_ID_LIMIT, path=f"{path}record_id"),
        run_id=_number_or_none(found["run_id"], f"{path}run_id"),
        at=read_moment(found["at"], f"{path}at"),
        actor=_choice(found["actor"], Actor, f"{path}actor"),
        agent=check_text(found["agent"], path=f"{path}agent", limit=SCOPE_LIMIT),
        action=_choice(found["action"], Action, f"{path}action"),
        version=check_range(found["version"], 1, _VERSION_LIMIT, path=f"{path}version"),
        changes=changes,
        undoes=_number_or_none(found["undoes"], f"{path}undoes"),
        undone_by=_number_or_none(found["undone_by"], f"{path}undone_by"),
        scrubbed=scrubbed,
    )


def _number(given: object, path: str) -> int:
    return check_range(given, 1, ID_MAX, path=path)


def _number_or_none(given: object, path: str) -> int | None:
    return None if given is None else _number(given, path)


def _read_changes(given: object, path: str) -> dict[str, tuple[object, object]]:
    if not isinstance(given, dict):
        raise Invalid("not_object", path)
    pairs = cast("Mapping[str, object]", given)
    sides: dict[str, dict[str, object]] = {"before": {}, "after": {}}
    for name, pair in pairs.items():
        if name not in TRACKED:
            raise Invalid("unknown_field", f"{path}.{name}", allowed=", ".join(TRACKED))
        for side, value in _fields(pair, sides, f"{path}.{name}.").items():
            if value is not None:
                sides[side][name] = value
    before, after = (_read_side(side, f"{path}.") for side in sides.values())
    return {name: (before.get(name), after.get(name)) for name in pairs}


def _read_side(given: Mapping[str, object], path: str) -> Mapping[str, object]:
    """Return some fields of a record, checked as if the others were those of an ordinary one."""
    if not given:
        return given
    record = read_record({**_ORDINARY, **given}, path)
    return {name: plain(getattr(record, name)) for name in given}


def _read_who(given: object, path: str) -> Who:
    found = _fields(given, _names_of(Who), path)
    tenant, user = (check_text(found[name], path=f"{path}{name}", limit=SCOPE_LIMIT) for name in ("tenant", "user"))
    return Who(tenant=tenant, user=user)


def _read_run(given: object, path: str) -> Run:
    found = _fields(given, _names_of(Run), path)
    return Run(
        id=check_range(found["id"], 1, RECORD_ID_LIMIT, path=f"{path}id"),
        name=check_text(found["name"], path=f"{path}name", limit=NAME_LIMIT),
        at=read_moment(found["at"], f"{path}at"),
        actor=_choice(found["actor"], Actor, f"{path}actor"),
        agent=check_text(found["agent"], path=f"{path}agent", limit=SCOPE_LIMIT),
        undone=check_flag(found["undone"], path=f"{path}undone"),
    )


def _read_tombstone(given: object, path: str) -> Tombstone:
    found = _fields(given, _names_of(Tombstone), path)
    digest = found["digest"]
    if not isinstance(digest, str) or not _DIGEST.fullmatch(digest):
        raise Invalid("not_digest", f"{path}digest")
    return Tombstone(
        agent=read_name(found["agent"], f"{path}agent"),
        form=_choice(found["form"], Literal["text", "value"], f"{path}form"),
        digest=bytes.fromhex(digest),
        at=read_moment(found["at"], f"{path}at"),
    )


def _read_end(given: object, path: str) -> End:
    found = _fields(given, ("lines", "owners", "runs", "records", "revisions", "tombstones"), path)
    return End(lines=_number(found["lines"], f"{path}lines"))


def _names_of(kind: type[object]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))  # pyright: ignore[reportArgumentType]


_NAMES: Mapping[type[object], str] = {
    Who: "who", Run: "run", Record: "record", Revision: "revision", Tombstone: "tombstone",
}  # fmt: skip
_READERS: Mapping[str, Callable[[object, str], Content]] = {
    "who": _read_who, "run": _read_run, "record": read_record, "revision": _read_revision,
    "tombstone": _read_tombstone, "end": _read_end,
}  # fmt: skip
_RECORD, _REVISION = _names_of(Record), _names_of(Revision)
_EPOCH = clock.from_micros(0)
_ORDINARY = MappingProxyType(
    _shown(
        Record(
            id=1,
            kind="note",
            type="user",
            name="-",
            description="",
            content="-",
            created_at=_EPOCH,
            updated_at=_EPOCH,
        )
    )
)

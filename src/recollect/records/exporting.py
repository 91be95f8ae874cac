"""Writing an owner's whole memory to a file: every record in any state with its history, runs and tombstones."""

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import merge
from pathlib import Path
from typing import BinaryIO, TypeVar
from uuid import uuid4

from recollect.domain import clock
from recollect.domain.errors import Refused, StorageError, file_problem
from recollect.domain.record import Record, Revision, Run, Tombstone
from recollect.domain.scope import Scope
from recollect.records.lines import Who, write_end, write_header, write_line
from recollect.records.tables import Tables

_SLICE = 200
_COUNTED = {Who: "owners", Run: "runs", Record: "records", Revision: "revisions", Tombstone: "tombstones"}

T = TypeVar("T", Run, Record, Revision)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What an export holds, and where it is."""

    records: int
    revisions: int
    tombstones: int
    file: Path


class Exporting:
    """Export reads a slice at a time, so that neither memory nor other writers feel it.

    Each record fits its own history; what is written meanwhile may be in the file or not.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def export(
        self,
        scope: Scope,
        target: Path,
        *,
        everybody: Sequence["Exporting"] = (),
        progress: Callable[[int, int], None] | None = None,
    ) -> Exported:
        """Write the memory of the owner of `scope` to a new file; there is all of it or no file.

        Of `everybody` it is all owners of each, one database after the other, under one header.
        `progress` hears how many records are written, and of how many.
        """
        if scope.actor != "person":
            raise Refused("export_by_agent")
        owners = (
            [(room, *owner) for room in everybody for owner in room._everybody()] if everybody else self._mine(scope)
        )
        total = sum(room._count(number) for room, number, _ in owners) if progress else 0
        counts = {**dict.fromkeys(_COUNTED.values(), 0), "lines": 2}
        with _new_file(target) as file:
            schema = self._tables.database.describe().schema
            file.write(write_header(str(uuid4()), clock.now(), schema, len(owners)))
            for index, (room, number, who) in enumerate(owners, 1):
                for content in room._contents(number, who):
                    file.write(write_line(index, content))
                    counts[_COUNTED[type(content)]] += 1
                    counts["lines"] += 1
                    if progress and isinstance(content, Record):
                        progress(counts["records"], total)
            file.write(write_end(counts))
        return Exported(
            records=counts["records"], revisions=counts["revisions"], tombstones=counts["tombstones"], file=target
        )

    def _everybody(self) -> list[tuple[int, Who]]:
        return [(number, Who(tenant=tenant, user=user)) for number, tenant, user in self._tables.owners.list()]

    def _mine(self, scope: Scope) -> list[tuple["Exporting", int, Who]]:
        """Return one owner; 0 is the number of one who never wrote."""
        owner = self._tables.owners.get(scope.owner_id)
        return [(self, owner.no if owner else 0, Who(tenant=scope.tenant, user=scope.user))]

    def _count(self, number: int) -> int:
        return self._tables.owners.count_records(number) if number else 0

    def _contents(self, number: int, who: Who) -> Iterator[Who | Run | Record | Revision | Tombstone]:
        yield who
        yield from _slices(lambda last: self._tables.runs.every(number, last.id if last else 0, _SLICE))
        yield from self._records_with_history(number)
        yield from self._tables.tombstones.list(number)

    def _records_with_history(self, number: int) -> Iterator[Record | Revision]:
        """Yield each record with its revisions, and what is left of the history of records that are gone."""
        tables = self._tables
        records = _slices(lambda last: tables.records.every(number, last.id if last else 0, _SLICE))
        revisions = _slices(lambda last: tables.revisions.every(number, *(_place(last) if last else (0, 0)), _SLICE))
        record: Record | None = None
        for content in merge(records, revisions, key=_place):
            if isinstance(content, Record):
                record = content
                yield record
            elif record is not None and record.id == content.record_id:
                if content.version <= record.version:  # a later one was written after the record was read
                    yield content
            elif content.scrubbed:
                yield content


def _place(content: Record | Revision) -> tuple[int, int]:
    return (content.id, 0) if isinstance(content, Record) else (content.record_id, content.id)


def _slices(read: Callable[[T | None], list[T]]) -> Iterator[T]:
    """Yield what `read` returns after nothing, then after the last of it, until that is less than a slice."""
    last: T | None = None
    while True:
        found = read(last)
        yield from found
        if len(found) < _SLICE:
            return
        last = found[-1]


@contextmanager
def _new_file(target: Path) -> Generator[BinaryIO]:
    """Open a file that stands under its name, private to this user, once the block has ended without an error."""
    part = target.parent / f".{uuid4().hex}.part"
    try:
        _refuse_existing(target)
        try:
            with open(part, "xb", opener=_open_private) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _refuse_existing(target)
            part.rename(target)
        finally:
            part.unlink(missing_ok=True)
    except OSError as problem:
        raise file_problem(problem, target) from problem


def _refuse_existing(target: Path) -> None:
    if target.is_dir():
        raise StorageError("file_is_folder", file=str(target))
    if os.path.lexists(target):
        raise StorageError("file_exists", file=str(target))


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)

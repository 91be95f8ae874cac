"""Copying a database into another, whichever engines they have: everything with its ids, compared before it counts."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from recollect.domain import clock
from recollect.domain.errors import Conflict, Forgotten, Invalid, NotFound, StorageError
from recollect.domain.scope import Scope
from recollect.records.identity import ERASURE_KEY, owner_mac
from recollect.records.tables import Tables
from recollect.storage.backend import Database, Description, Row
from recollect.storage.copies import PARTS, PASSING, Digest, digest_of
from recollect.storage.owners import OwnerState

_EVERYBODY = "*"
_TRIES = 3
_NAMED = 3
_WRITTEN = ("records", "revisions", "runs")  # what is left of whoever wrote anything

Outcome = Literal["copied", "updated", "there", "gone"]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedTable:
    """How many rows of an owner stand in a table, and their hash, which both databases agree on."""

    table: str
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CopiedOwner:
    """What became of an owner: copied, brought up to date, there already, or gone before its turn came."""

    tenant: str
    user: str
    outcome: Outcome
    tables: tuple[CopiedTable, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """What a copy did, or with `dry_run` would do."""

    source: str
    target: str
    dry_run: bool
    owners: tuple[CopiedOwner, ...]
    erasures: int

    def rows(self, table: str) -> int:
        """Return how many rows of a table the copied owners have."""
        return sum(part.rows for owner in self.owners for part in owner.tables if part.table == table)


class Copying:
    """A copy is taken owner by owner, each in one transaction that ends only when both sides agree.

    So it can be broken off anywhere: an owner is there whole or not at all, and the same copy again goes on with those
    that are missing. The source may be in use; what an owner writes meanwhile comes along, or with the next copy.
    """

    def __init__(self, source: Tables, target: Tables | None, *, agent: str = _EVERYBODY) -> None:
        """A target of None is one that has no tables yet; it takes a dry run only."""
        self._source = source
        self._target = target
        self._agent = Scope(agent=agent).agent
        self._counts: dict[str, int] = {}
        self._done = self._total = 0
        self._progress: Progress | None = None

    def copy(self, *, dry_run: bool = False, progress: Progress | None = None, place: str = "") -> Copied:
        """Copy everything, or what one agent wrote; refuse a target that holds something else of the same owners."""
        source = self._source.database.describe()
        target = self._target.database.describe() if self._target else None
        if target and _is_same(source, target):
            raise Invalid("copy_onto_itself", place=source.place)
        owners = self._source.owners.list()
        plan = self._planned(owners)
        if progress:
            self._progress, self._counts = progress, {scope.owner_id: self._count(scope) for scope, _ in plan}
            self._total = sum(self._counts.values())
        erasures = self._erasures(dry_run=dry_run)
        done: list[CopiedOwner] = []
        for scope, standing in plan:
            before = self._done
            number = self._number(scope)
            if dry_run or standing == "there":
                done.append(_said(scope, standing, tuple(self._survey(number).values())))
            else:
                done.append(self._take(scope, standing))
            self._done = before + self._counts.get(scope.owner_id, 0)
            self._tell(0)
        return Copied(
            source=source.place,
            target=target.place if target else place,
            dry_run=dry_run,
            owners=tuple(owner for owner in done if owner.outcome != "gone"),
            erasures=erasures,
        )

    # what is to be done

    def _planned(self, owners: list[tuple[int, str, str]]) -> list[tuple[Scope, Outcome]]:
        plan: list[tuple[Scope, Outcome]] = []
        foreign: list[str] = []
        for _, tenant, user in owners:
            scope = Scope(tenant=tenant, user=user)
            standing = self._standing(scope)
            if standing is None:
                foreign.append(f"{tenant}/{user}")
            elif standing != "gone":
                plan.append((scope, standing))
        if foreign:
            raise Conflict("copy_foreign", count=len(foreign), names=", ".join(foreign[:_NAMED]))
        return plan

    def _standing(self, scope: Scope) -> Outcome | None:
        """Say what the target has of an owner; None when it is something that the source never had."""
        there = self._target.owners.get(scope.owner_id) if self._target else None
        here = self._source.owners.get(scope.owner_id)
        if here is None:
            return "gone"
        if there is None or self._target is None:
            self._refuse_erased(scope)
            return "copied"
        ours, theirs = self._survey(here.no), self._survey(there.no, self._target)
        lasting = (part.name for part in PARTS if part.name not in PASSING)
        if all(ours[name] == theirs[name] for name in lasting) and not self._has_asked(here.no, there.no, self._target):
            return "there"
        return "updated" if self._is_earlier(here.no, there.no, self._target) else None

    def _has_asked(self, here: int, there: int, target: Tables) -> bool:
        """Tell whether the source's ledger holds what the target's does not; the other way round it was asked there."""
        ledger = next(part for part in PARTS if part.name == "recalls")
        kept = {row for rows in ledger.pages(target.database, there, _EVERYBODY) for row in rows}
        return any(row not in kept for rows in ledger.pages(self._source.database, here, self._agent) for row in rows)

    def _is_earlier(self, here: int, there: int, target: Tables) -> bool:
        """Tell whether the target holds what the source held some time ago: every change left a mark in both."""
        for name, columns in (
            ("revisions", (0, 1, 3, 4, 5, 6, 7)),
            ("runs", (0, 1, 2, 3, 4)),
            ("tombstones", (0, 1, 2)),
        ):
            part = next(part for part in PARTS if part.name == name)
            kept = {_chosen(row, columns) for rows in part.pages(target.database, there, _EVERYBODY) for row in rows}
            for rows in part.pages(self._source.database, here, self._agent):
                kept.difference_update(_chosen(row, columns) for row in rows)
            if kept:
                return False
        return True

    def _refuse_erased(self, scope: Scope) -> None:
        if self._target is None or self._target.database.one("meta_get", name=ERASURE_KEY) is None:
            return
        if at := self._target.erasures.get(owner_mac(self._target, scope)):
            raise Forgotten("erased_owner", f"{scope.tenant}/{scope.user}", date=at.date().isoformat())

    # doing it

    def _erasures(self, *, dry_run: bool) -> int:
        """Let those who were erased stay so: their rows are worth something only together with the key."""
        rows = self._source.database.all("erasures_all")
        key = self._source.database.one("meta_get", name=ERASURE_KEY)
        target = self._target
        if key is None or target is None:
            return len(rows)
        with target.database.transaction() if not dry_run else nullcontext():
            there = target.database.one("meta_get", name=ERASURE_KEY)
            if there not in (None, key) and target.database.all("erasures_all"):
                if rows:
                    raise Conflict("copy_erasures")
            elif not dry_run and there != key:
                target.database.run("meta_remove", name=ERASURE_KEY)
                target.database.run("meta_put", name=ERASURE_KEY, value=key[0])
            for mac, at in rows if not dry_run else ():
                target.erasures.put(mac, clock.from_micros(at))
        return len(rows)

    def _take(self, scope: Scope, standing: Outcome) -> CopiedOwner:
        """Copy one owner; who writes to it meanwhile is waited for, and in the end made to wait."""
        assert self._target is not None
        done = self._done
        for is_last in [*[False] * (_TRIES - 1), True]:
            self._done = done
            with self._held(scope) if is_last else nullcontext():
                before = self._source.owners.get(scope.owner_id)
                if before is None:
                    return _said(scope, "gone", ())
                with suppress(_Moved), self._target.database.transaction():
                    tables = self._write(self._target, scope, before, standing)
                    if self._source.owners.get(scope.owner_id) != before:
                        raise _Moved
                    return _said(scope, standing, tables)
        raise Conflict("copy_moving", name=f"{scope.tenant}/{scope.user}")

    @contextmanager
    def _held(self, scope: Scope) -> Generator[None]:
        with self._source.database.transaction():
            self._source.owners.hold(scope.owner_id)
            yield

    def _write(self, target: Tables, scope: Scope, before: OwnerState, standing: Outcome) -> tuple[CopiedTable, ...]:
        number = self._enter(target, scope, before, standing)
        done: list[CopiedTable] = []
        for part in PARTS:
            read = Digest()
            for rows in part.pages(self._source.database, before.no, self._agent):
                read.add(rows)
                part.write(target.database, number, rows)
                self._tell(len(rows))
            written = digest_of(part, target.database, number)
            if (read.rows, read.sha256) != (written.rows, written.sha256):
                raise StorageError("copy_differs", table=part.name, name=f"{scope.tenant}/{scope.user}")
            done.append(CopiedTable(table=part.name, rows=read.rows, sha256=read.sha256))
        target.vectors.mark(number)  # who has read what lay there before must not take it for these
        state = replace(before, no=number)
        if self._agent != _EVERYBODY:
            state.active_count, state.length_sum = target.owners.recount(number)
        target.owners.put(state)
        return tuple(done)

    def _enter(self, target: Tables, scope: Scope, before: OwnerState, standing: Outcome) -> int:
        """Enter the owner in the target, as nobody else can see until all of it is there."""
        there = target.owners.hold(scope.owner_id)
        if there is not None:
            if standing != "updated" or not self._is_earlier(before.no, there.no, target):
                raise Conflict("copy_foreign", count=1, names=f"{scope.tenant}/{scope.user}")
            target.erasures.erase(there.no)
        state = target.owners.add(scope, self._source.owners.since(before.no))
        if state != OwnerState(no=state.no):
            raise Conflict("copy_foreign", count=1, names=f"{scope.tenant}/{scope.user}")
        return state.no

    def _survey(self, number: int, side: Tables | None = None) -> dict[str, CopiedTable]:
        database, agent = (side.database, _EVERYBODY) if side else (self._source.database, self._agent)
        found = ((part.name, digest_of(part, database, number, agent)) for part in PARTS)
        return {name: CopiedTable(table=name, rows=digest.rows, sha256=digest.sha256) for name, digest in found}

    def _number(self, scope: Scope) -> int:
        state = self._source.owners.get(scope.owner_id)
        return state.no if state else 0

    def _count(self, scope: Scope) -> int:
        return sum(self._source.erasures.count(self._number(scope)).values())

    def _tell(self, rows: int) -> None:
        self._done += rows
        if self._progress:
            self._progress(min(self._done, self._total), self._total)


class _Moved(Exception):
    pass


def _is_same(one: Description, other: Description) -> bool:
    """Tell whether two databases are one; a file has as many names as there are ways to it."""
    if one.engine == other.engine == "SQLite":
        return os.path.samefile(one.place, other.place)
    return (one.engine, one.place) == (other.engine, other.place)


def need_writer(source: Tables, agent: str) -> None:
    """Refuse an agent that wrote nothing there: its name may be mistyped."""
    agent = Scope(agent=agent).agent
    written = (part for part in PARTS if part.name in _WRITTEN)
    pages = (part.pages(source.database, no, agent) for part in written for no, _, _ in source.owners.list())
    if agent != _EVERYBODY and not any(next(rows, None) for rows in pages):
        raise NotFound("no_such_writer", "agent", agent=agent, place=source.database.describe().place)


def copy_to_file(source: Tables, new_file: Callable[[Path], Database], path: Path) -> Path:
    """Copy everything into a file that stands under its name when it is whole; it must not exist."""
    _refuse_existing(path)
    try:
        with TemporaryDirectory(prefix=f".{path.name}.", dir=path.absolute().parent) as folder:
            part = Path(folder, path.name)
            target = Tables(new_file(part))
            try:
                Copying(source, target).copy()
            finally:
                target.database.close()
            _refuse_existing(path)
            part.rename(path)
    except OSError as problem:
        raise StorageError("file_failed", file=str(path), problem=problem.strerror or "") from problem
    return path


def _refuse_existing(path: Path) -> None:
    if os.path.lexists(path):
        raise StorageError("file_exists", file=str(path))


def _said(scope: Scope, outcome: Outcome, tables: tuple[CopiedTable, ...]) -> CopiedOwner:
    return CopiedOwner(tenant=scope.tenant, user=scope.user, outcome=outcome, tables=tables)


def _chosen(row: Row, columns: tuple[int, ...]) -> Row:
    return tuple(row[at] for at in columns)

"""What happened: revisions, runs and tombstones as rows."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from recollect.domain import clock
from recollect.domain.record import Revision, Run, Tombstone
from recollect.storage.backend import Database, Row

NEWEST = 2**53


class Mark(NamedTuple):
    """Which revision one took back, and which took it back."""

    id: int
    undoes: int | None
    undone_by: int | None


class Noted(NamedTuple):
    """A revision, with the key under which the same request may be sent again and a hash of what that asks."""

    revision: Revision
    idempotency_key: str | None = None
    body_hash: bytes | None = None


def _to_row(owner_no: int, noted: Noted) -> Row:
    """Return a row in the order in which the query names its parameters."""
    revision, idempotency_key, body_hash = noted
    return (
        owner_no,
        revision.id,
        revision.record_id,
        revision.run_id,
        clock.to_micros(revision.at),
        revision.actor,
        revision.agent,
        revision.action,
        revision.version,
        json.dumps(revision.changes, ensure_ascii=False, separators=(",", ":")),
        revision.undoes,
        revision.undone_by,
        int(revision.scrubbed),
        idempotency_key,
        body_hash,
    )


def _to_revision(row: Row) -> Revision:
    return Revision(
        id=row[0],
        record_id=row[1],
        run_id=row[2],
        at=clock.from_micros(row[3]),
        actor=row[4],
        agent=row[5],
        action=row[6],
        version=row[7],
        changes={name: (pair[0], pair[1]) for name, pair in json.loads(row[8]).items()},
        undoes=row[9],
        undone_by=row[10],
        scrubbed=bool(row[11]),
    )


def _to_run(row: Row) -> Run:
    return Run(id=row[0], name=row[1], at=clock.from_micros(row[2]), actor=row[3], agent=row[4], undone=bool(row[5]))


class RevisionTable:
    """The revisions of all owners, which are only ever added, marked or scrubbed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner_no: int, new: Iterable[Noted]) -> None:
        """Append revisions, each with the key under which the same request may be sent again."""
        self._database.many("revision_add", [_to_row(owner_no, one) for one in new])

    def get(self, owner_no: int, revision_id: int) -> Revision | None:
        """Return one revision."""
        row = self._database.one("revision_get", owner_no=owner_no, id=revision_id)
        return _to_revision(row) if row else None

    def of_record(self, owner_no: int, record_id: int, before: int = NEWEST, limit: int = 100) -> list[Revision]:
        """Return what happened to one record, newest first."""
        params = {"record_id": record_id, "before": before, "limit": limit}
        return [_to_revision(row) for row in self._database.all("revisions_of_record", owner_no=owner_no, **params)]

    def newest(self, owner_no: int, before: int = 2**32 - 1, limit: int = 100) -> list[Revision]:
        """Return the newest revisions of an owner, whatever they are about."""
        rows = self._database.all("revisions_newest", owner_no=owner_no, before=before, limit=limit)
        return [_to_revision(row) for row in rows]

    def marks(self, owner_no: int, record_id: int, since: int) -> dict[int, Mark]:
        """Return what took back what in the history of one record, from the revision `since` on."""
        rows = self._database.all("revision_marks", owner_no=owner_no, record_id=record_id, since=since)
        return {row[0]: Mark(*row) for row in rows}

    def of_run(self, owner_no: int, run_id: int) -> list[Revision]:
        """Return what one run did, newest first."""
        return [_to_revision(row) for row in self._database.all("revisions_of_run", owner_no=owner_no, run_id=run_id)]

    def every(self, owner_no: int, record_id: int, after: int, limit: int) -> list[Revision]:
        """Return the next revisions of an owner, one record after the other, oldest first."""
        after_that = {"record_id": record_id, "after": after, "limit": limit}
        return [_to_revision(row) for row in self._database.all("revisions_by_record", owner_no=owner_no, **after_that)]

    def last_of(self, owner_no: int, record_id: int) -> tuple[int, str] | None:
        """Return id and action of the newest revision of one record."""
        row = self._database.one("revision_last_of_record", owner_no=owner_no, record_id=record_id)
        return (row[0], row[1]) if row else None

    def by_idempotency(self, owner_no: int, key: str, since: datetime) -> tuple[Revision, bytes | None] | None:
        """Return the revision that used `key` after `since`, and its body hash until its record is forgotten."""
        params = {"idempotency_key": key, "since": clock.to_micros(since)}
        row = self._database.one("revision_by_idempotency", owner_no=owner_no, **params)
        return (_to_revision(row), row[12]) if row else None

    def mark_undone(self, owner_no: int, revision_id: int, undone_by: int) -> None:
        """Note which revision took another back."""
        self._database.run("revision_undone", owner_no=owner_no, id=revision_id, undone_by=undone_by)

    def scrub(self, owner_no: int, record_id: int) -> None:
        """Take every text of one record out of its revisions."""
        self._database.run("revision_scrub", owner_no=owner_no, record_id=record_id)


class RunTable:
    """The runs of all owners."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner_no: int, run: Run) -> None:
        """Insert a new run."""
        row = (owner_no, run.id, run.name, clock.to_micros(run.at), run.actor, run.agent)
        self._database.many("run_add", [row])

    def get(self, owner_no: int, run_id: int) -> Run | None:
        """Return one run."""
        row = self._database.one("run_get", owner_no=owner_no, id=run_id)
        return _to_run(row) if row else None

    def every(self, owner_no: int, after: int, limit: int) -> list[Run]:
        """Return the next runs of an owner in the order of their ids."""
        return [_to_run(row) for row in self._database.all("runs_all", owner_no=owner_no, after=after, limit=limit)]

    def list(self, owner_no: int, limit: int) -> list[Run]:
        """Return the newest runs of an owner."""
        return [_to_run(row) for row in self._database.all("run_list", owner_no=owner_no, limit=limit)]

    def mark_undone(self, owner_no: int, run_id: int) -> None:
        """Note that a run was taken back."""
        self._database.run("run_undone", owner_no=owner_no, id=run_id)

    def progress(self, owner_no: int, name: str) -> tuple[int, str] | None:
        """Return id and progress of the run of that name, unless it was undone or cannot go on."""
        row = self._database.one("run_by_name", owner_no=owner_no, name=name)
        return (row[0], row[1]) if row else None

    def set_progress(self, owner_no: int, run_id: int, progress: str) -> None:
        """Note how far a run came."""
        self._database.run("run_progress", owner_no=owner_no, id=run_id, progress=progress)


class TombstoneTable:
    """The tombstones of all owners. One without an agent holds for every agent."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, owner_no: int, tombstone: Tombstone) -> None:
        """Add one, unless it is there."""
        what = {"agent": tombstone.agent, "form": tombstone.form, "digest": tombstone.digest}
        self._database.run("tombstone_put", owner_no=owner_no, at=clock.to_micros(tombstone.at), **what)

    def holds(self, owner_no: int, agent: str, digest: bytes) -> bool:
        """Tell whether a text was forgotten for this agent or for all."""
        what = {"agent": agent, "form": "text", "digest": digest}
        return self._database.one("tombstone_find", owner_no=owner_no, **what) is not None

    def lift(self, owner_no: int, agent: str, digest: bytes) -> None:
        """Let a forgotten text back in."""
        self._database.run("tombstone_lift", owner_no=owner_no, agent=agent, form="text", digest=digest)

    def list(self, owner_no: int) -> list[Tombstone]:
        """Return every tombstone of an owner."""
        rows = self._database.all("tombstone_list", owner_no=owner_no)
        return [Tombstone(agent=row[0], form=row[1], digest=row[2], at=clock.from_micros(row[3])) for row in rows]

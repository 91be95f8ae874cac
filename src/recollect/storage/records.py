"""Records as rows: to and from the values of the domain, and the searches that need no ranking."""

import json
from collections.abc import Iterable
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from recollect.domain import clock
from recollect.domain.record import Record
from recollect.domain.scope import Scope
from recollect.storage.backend import Database, Question, Row
from recollect.storage.owners import owner_key

_SLICE = 1_000  # texts that are looked for at a time


class Known(NamedTuple):
    """The active record that says a text, by fingerprint, and what was forgotten, by agent or "" and digest."""

    there: dict[bytes, int]
    forgotten: set[tuple[str, bytes]]


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else clock.to_micros(moment)


def _to_record(row: Row) -> Record:
    return Record(
        id=row[0],
        kind=row[1],
        type=row[2],
        name=row[3],
        description=row[4],
        content=row[5],
        metadata={} if row[6] == "{}" else json.loads(row[6]),
        labels=() if row[7] == "[]" else tuple(json.loads(row[7])),
        importance=row[8],
        pinned=bool(row[9]),
        agent=row[10],
        session=row[11],
        space=row[12],
        key=row[13],
        status=row[14],
        source=row[15],
        trust=row[16],
        created_at=clock.from_micros(row[17]),
        updated_at=clock.from_micros(row[18]),
        expires_at=None if row[19] is None else clock.from_micros(row[19]),
        version=row[20],
    )


def _to_params(record: Record, fingerprint: bytes, length: int) -> dict[str, object]:
    """Return the columns of a record in the order of the table."""
    return {
        "id": record.id,
        "kind": record.kind,
        "type": record.type,
        "name": record.name,
        "description": record.description,
        "content": record.content,
        "metadata": json.dumps(record.metadata, ensure_ascii=False) if record.metadata else "{}",
        "labels": json.dumps(record.labels, ensure_ascii=False) if record.labels else "[]",
        "importance": record.importance,
        "pinned": int(record.pinned),
        "agent": record.agent,
        "session": record.session,
        "space": record.space,
        "record_key": record.key,
        "active_key": record.key if record.status == "active" else None,
        "status": record.status,
        "source": record.source,
        "trust": record.trust,
        "created_at": clock.to_micros(record.created_at),
        "updated_at": clock.to_micros(record.updated_at),
        "expires_at": _micros(record.expires_at),
        "trashed_at": clock.to_micros(record.updated_at) if record.status == "trashed" else None,
        "version": record.version,
        "fingerprint": fingerprint,
        "length": length,
    }


class RecordTable:
    """The records of all owners; every call names one, and every read carries the scope that may see the row."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner_no: int, new: Iterable[tuple[Record, bytes, int]]) -> None:
        """Insert new records, each with its fingerprint and its length."""
        self._database.many("record_add", [(owner_no, *_to_params(*one).values()) for one in new])

    def put(self, owner_no: int, record: Record, fingerprint: bytes, length: int, read_version: int) -> bool:
        """Write a changed record back; False when somebody else changed it since `read_version`."""
        params = _to_params(record, fingerprint, length)
        return self._database.run("record_put", owner_no=owner_no, read_version=read_version, **params) == 1

    def remove(self, owner_no: int, record_id: int) -> None:
        """Delete the row of a record."""
        self._database.run("record_remove", owner_no=owner_no, id=record_id)

    def get(self, owner_no: int, scope: Scope, record_id: int) -> Record | None:
        """Return one record of this scope, in whatever state it is."""
        found = self.get_many(owner_no, scope, [record_id])
        return found.get(record_id)

    def get_many(self, owner_no: int, scope: Scope, ids: Iterable[int]) -> dict[int, Record]:
        """Return the records among `ids` that this scope may read, by id."""
        rows = self._database.all(
            "records_get", owner_no=owner_no, ids=list(ids), agent=scope.agent, session=scope.session
        )
        return {row[0]: _to_record(row) for row in rows}

    def standings(self, owner_no: int, scope: Scope, ids: Iterable[int]) -> list[Row]:
        """Return id, created_at and updated_at in microseconds, importance and pinned of the records in this scope."""
        return self._database.all(
            "records_standing", owner_no=owner_no, ids=list(ids), agent=scope.agent, session=scope.session
        )

    def page(
        self,
        owner_no: int,
        scope: Scope,
        *,
        kind: str,
        space: str,
        status: str,
        type: str | None,
        labels: Iterable[str],
        changed_before: datetime | None,
        changed_since: datetime | None,
        now: datetime,
        before: int,
        limit: int,
    ) -> list[Record]:
        """Return the newest records below the id `before` that meet every condition and have not expired."""
        rows = self._database.all(
            "records_page",
            owner_no=owner_no,
            agent=scope.agent,
            session=scope.session,
            kind=kind,
            space=space,
            status=status,
            type=type,
            labels=list(labels),
            changed_before=_micros(changed_before),
            changed_since=_micros(changed_since),
            now=_micros(now),
            before=before,
            limit=limit,
        )
        return [_to_record(row) for row in rows]

    def pinned(self, owner_no: int, scope: Scope, now: datetime) -> list[Record]:
        """Return the pinned records of this scope, oldest first."""
        rows = self._database.all(
            "records_pinned", owner_no=owner_no, agent=scope.agent, session=scope.session, now=_micros(now)
        )
        return [_to_record(row) for row in rows]

    def every(self, owner_no: int, after: int, limit: int) -> list[Record]:
        """Return the next records of an owner in the order of their ids, whoever wrote them and in any state."""
        return [
            _to_record(row) for row in self._database.all("records_all", owner_no=owner_no, after=after, limit=limit)
        ]

    def same_text(
        self, owner_no: int, fingerprint: bytes, *, now: datetime | None = None, except_id: int = 0
    ) -> int | None:
        """Return the id of the active record with this fingerprint; with `now` of one that has not expired."""
        params = {"fingerprint": fingerprint, "except_id": except_id, "now": _micros(now)}
        row = self._database.one("record_by_fingerprint", owner_no=owner_no, **params)
        return row[0] if row else None

    def same_key(self, owner_no: int, record: Record) -> int | None:
        """Return the id of another active record that holds the key of `record`."""
        if record.key is None:
            return None
        row = self._database.one(
            "record_by_key",
            owner_no=owner_no,
            active_key=record.key,
            agent=record.agent,
            session=record.session,
            space=record.space,
            kind=record.kind,
            except_id=record.id,
        )
        return row[0] if row else None

    def trashed_until(self, owner_no: int, before: datetime, limit: int) -> list[int]:
        """Return ids of records that were put into the trash up to `before`, oldest first."""
        rows = self._database.all("records_due_for_emptying", owner_no=owner_no, before=_micros(before), limit=limit)
        return [row[0] for row in rows]


class TextTable:
    """The records of an owner as others might say them again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def asking(self, scope: Scope, fingerprints: list[bytes], digests: list[bytes], now: datetime) -> list[Question]:
        """Return what asks for all there is of texts, given by fingerprint and by digest in the same order."""
        whose = {**owner_key(scope.owner_id), "agent": scope.agent, "now": _micros(now)}
        slices = [slice(start, start + _SLICE) for start in range(0, len(fingerprints), _SLICE)]
        return [
            ("texts_known", {**whose, "fingerprints": fingerprints[some], "digests": digests[some]}) for some in slices
        ]

    def known(self, answers: Iterable[list[Row]]) -> Known:
        """Return what there is of the texts of which `asking` asked."""
        known = Known({}, set())
        for id, what, whose in chain.from_iterable(answers):
            if id is None:
                known.forgotten.add((whose, what))
            else:
                known.there.setdefault(what, id)
        return known

    def meeting(self, scope: Scope, terms: Iterable[str], cap: int, limit: int) -> list[Record]:
        """Return the records that hold half of `terms` or more, best first; a term of `cap` records does not count.

        Of the `limit` best those come back that this scope may read.
        """
        whose = {**owner_key(scope.owner_id), "agent": scope.agent, "session": scope.session}
        rows = self._database.all("records_meet", **whose, terms=list(terms), cap=cap, limit=limit)
        return [_to_record(row) for row in rows]

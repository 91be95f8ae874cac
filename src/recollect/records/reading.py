"""Reading records one by one or page by page; searching is the business of recall."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from recollect.domain import clock
from recollect.domain.checks import ID_MAX, check_choice, check_flag, check_id, check_labels, check_limit
from recollect.domain.errors import Forgotten, NotFound, RecollectError
from recollect.domain.record import STALE_AFTER_DAYS, TYPES, Page, Record, Revision
from recollect.domain.scope import Scope
from recollect.records.cursors import read_cursor, write_cursor
from recollect.records.tables import Tables

_LISTED = ("active", "pending", "trashed")


def missing(tables: Tables, owner_no: int, scope: Scope, record_id: int) -> RecollectError:
    """Return why a record is not there: it was forgotten, which a person may know, or there is none."""
    last = tables.revisions.last_of(owner_no, record_id)
    if last is not None and last[1] == "forget" and scope.actor == "person":
        return Forgotten("forgotten_record", "id", id=record_id)
    return NotFound("record_missing", "id", id=record_id)


class Reading:
    """What a scope may see, straight from the tables."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def get(self, scope: Scope, record_id: object) -> Record | None:
        """Return one record of this scope that is not in the trash, or None."""
        try:
            number = check_id(record_id)
        except NotFound:
            return None
        owner = self._tables.owners.get(scope.owner_id)
        record = self._tables.records.get(owner.no, scope, number) if owner else None
        return record if record is not None and record.status != "trashed" else None

    def page(
        self,
        scope: Scope,
        *,
        kind: str,
        type: str | None = None,
        labels: Iterable[str] = (),
        stale: bool | None = None,
        status: str = "active",
        limit: int = 10,
        cursor: str | None = None,
    ) -> Page:
        """Return one page of records, newest first, with the cursor of the next."""
        if type is not None:
            check_choice(type, TYPES, path="type")
        check_choice(status, _LISTED, path="status")
        checked_labels, size, before = check_labels(labels), check_limit(limit), read_cursor(cursor, newest=ID_MAX)
        owner = self._tables.owners.get(scope.owner_id)
        if owner is None:
            return Page(items=())
        now = clock.now()
        border = now - timedelta(days=STALE_AFTER_DAYS + 1)
        old = None if stale is None else check_flag(stale, path="stale")
        found = self._tables.records.page(
            owner.no,
            scope,
            kind=kind,
            space="",
            status=status,
            type=type,
            labels=checked_labels,
            changed_before=border + timedelta(microseconds=1) if old is True else None,
            changed_since=border + timedelta(microseconds=1) if old is False else None,
            now=now,
            before=before,
            limit=size + 1,
        )
        more = len(found) > size
        return Page(items=tuple(found[:size]), next_cursor=write_cursor(found[size - 1].id) if more else None)

    def pinned(self, scope: Scope, now: datetime) -> list[Record]:
        """Return the pinned records of this scope, oldest first."""
        owner = self._tables.owners.get(scope.owner_id)
        return self._tables.records.pinned(owner.no, scope, now) if owner else []

    def history(self, scope: Scope, record_id: object, *, limit: int = 100) -> tuple[Revision, ...]:
        """Return what happened to one record, newest first, also when it lies in the trash."""
        number = check_id(record_id)
        owner = self._tables.owners.get(scope.owner_id)
        record = self._tables.records.get(owner.no, scope, number) if owner else None
        if owner is None or record is None:
            raise missing(self._tables, owner.no if owner else 0, scope, number)
        return tuple(self._tables.revisions.of_record(owner.no, number, limit=check_limit(limit)))

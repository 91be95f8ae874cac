"""The ledger of recalls: a thread writes down after the answer what was asked and given, and never in its way."""

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from recollect.domain import clock
from recollect.domain.checks import check_limit
from recollect.domain.errors import RecollectError, speaking
from recollect.domain.ledger import AskedBy, Recalled, RecalledHit, RecallPage, kept_question
from recollect.domain.query import Found, Query
from recollect.domain.scope import Scope
from recollect.records.cursors import read_cursor, write_cursor
from recollect.records.tables import Tables
from recollect.storage import forks
from recollect.storage.history import NEWEST

EMPTY_RECALLS = "empty_recalls"

_GATHER_SECONDS = 0.25  # rows that come together are written together
_CLOSE_SECONDS = 2.0
_BATCH = 100
_MOST_WAITING = 4_096  # more than a database that works ever leaves waiting
_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """Whether recalls are kept, for how long, and how many of an owner."""

    on: bool = True
    days: int = 30
    rows: int = 10_000


class Ledger:
    """Keeps what was asked. What cannot be kept is counted and fails nobody."""

    def __init__(self, tables: Tables, retention: Retention, lost: Callable[[int], None]) -> None:
        self._tables = tables
        self._retention = retention
        self._lost = lost
        self._begin_empty()
        forks.watch(self)

    def note(self, scope: Scope, query: Query, found: Found, asked_by: AskedBy, seconds: float) -> None:
        """Remember an answer that was just given; it is written by another thread, soon."""
        if not self._retention.on or self._stop.is_set() or not query.text.strip():
            return
        row = Recalled(
            id=0,
            at=clock.now(),
            asked_by=asked_by,
            agent=scope.agent,
            session=scope.session,
            question=query.text,
            hits=tuple(RecalledHit(id=hit.record.id, score=hit.score, parts=hit.parts) for hit in found.hits),
            left_out=found.left_out,
            floor=found.floor,
            sources=found.sources,
            milliseconds=seconds * 1_000,
        )
        if len(self._waiting) >= _MOST_WAITING:
            self._lose(1, "full")
            return
        self._waiting.append((scope, row))
        if not self._woken.is_set():
            self._wake()

    def page(self, scope: Scope, *, limit: int = 10, cursor: str | None = None) -> RecallPage:
        """Return what was asked in a scope, newest first; what this process has not written yet is written first."""
        size, before = check_limit(limit), read_cursor(cursor, newest=NEWEST)
        self.settle()
        owner = self._tables.owners.get(scope.owner_id)
        if owner is None:
            return RecallPage(items=())
        found = self._tables.recalls.page(owner.no, scope, before, size + 1)
        more = len(found) > size
        return RecallPage(items=tuple(found[:size]), next_cursor=write_cursor(found[size - 1].id) if more else None)

    def settle(self) -> None:
        """Write everything that this process remembers now."""
        with self._turn:
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(_BATCH, len(self._waiting)))]
                owners: dict[str, list[tuple[Scope, Recalled]]] = {}
                for scope, row in batch:
                    owners.setdefault(scope.owner_id, []).append((scope, row))
                for rows in owners.values():
                    self._write(rows[0][0], [row for _, row in rows])

    def empty(self, owner_no: int, _payload: str) -> timedelta | None:
        """Delete what is too old or too much; say when to look again, if anything is left."""
        with self._tables.database.transaction():
            border = clock.now() - timedelta(days=self._retention.days)
            deleted = self._tables.recalls.empty(owner_no, border, self._retention.rows)
            left = self._tables.recalls.count(owner_no)
        if deleted:
            self._tables.database.all("checkpoint")
        if not left:
            return None
        return _HOUR if left > self._retention.rows // 2 else _DAY

    def close(self) -> None:
        """Write what is left, for two seconds at most."""
        self._stop.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_SECONDS)
        forks.forget(self)

    def rest(self) -> None:
        """Nothing need rest before a fork."""

    def go_on(self) -> None:
        """Go on in the parent, which writes what it remembers."""

    def start_anew(self) -> None:
        """Remember nothing of the parent's in the child."""
        self._begin_empty()

    def _begin_empty(self) -> None:
        self._waiting: deque[tuple[Scope, Recalled]] = deque()
        self._woken = threading.Event()
        self._stop = threading.Event()
        self._turn = threading.Lock()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def _wake(self) -> None:
        with self._starting:
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(target=self._write_until_stopped, name="recollect-ledger", daemon=True)
                self._thread.start()
        self._woken.set()

    def _write_until_stopped(self) -> None:
        while not self._stop.is_set():
            self._woken.wait()
            self._stop.wait(_GATHER_SECONDS)
            self._woken.clear()
            self.settle()
        self.settle()

    def _write(self, scope: Scope, rows: Sequence[Recalled]) -> None:
        try:
            self._write_held(scope, [replace(row, question=kept_question(row.question or "")) for row in rows])
        except RecollectError as problem:
            self._lose(len(rows), problem.key)

    def _write_held(self, scope: Scope, rows: Sequence[Recalled]) -> None:
        """Write rows of one owner while nobody forgets a record or erases the owner, who may be gone by now."""
        tables = self._tables
        with tables.database.transaction():
            owner = tables.owners.hold(scope.owner_id)
            if owner is None:
                return
            named = {one.id for row in rows for one in (*row.hits, *row.left_out)}
            there = {row[0] for row in tables.records.standings(owner.no, scope.everything(), sorted(named))}
            tables.recalls.add(owner.no, [_without_gone(row, there) for row in rows])
            if not tables.jobs.waits(owner.no, EMPTY_RECALLS):
                tables.jobs.add(owner.no, owner.take_job(), EMPTY_RECALLS, "{}", _tomorrow(rows))
                tables.owners.put(owner)

    def _lose(self, count: int, why: str) -> None:
        self._lost(count)
        _log.warning("recalls not kept", extra={"action": "recalls_lost", "count": count, "problem": why})


@speaking
class Recalls:
    """What was asked in one scope."""

    def __init__(self, scope: Scope, ledger: Ledger, language: str) -> None:
        self.language = language
        self._scope = scope
        self._ledger = ledger

    def list(self, *, limit: int = 10, cursor: str | None = None) -> RecallPage:
        """Return what was asked here, newest first: each question with the ids it was given and what was left out."""
        return self._ledger.page(self._scope, limit=limit, cursor=cursor)


def _without_gone(row: Recalled, there: set[int]) -> Recalled:
    """A question about a record that was forgotten meanwhile is not kept."""
    named = (one.id for one in (*row.hits, *row.left_out))
    return row if there.issuperset(named) else replace(row, question=None)


def _tomorrow(rows: Sequence[Recalled]) -> datetime:
    return rows[-1].at + _DAY

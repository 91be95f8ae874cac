"""The job queue at work: one thread that drains it while a Memory is open."""

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import timedelta

from recollect.domain import clock
from recollect.domain.errors import RecollectError
from recollect.records.tables import Tables
from recollect.storage.jobs import Job

_LEASE = timedelta(minutes=5)
_IDLE_SECONDS = 60.0
_LONGEST_BACKOFF = timedelta(hours=6)
_MOST_DOUBLINGS = 20
_CLOSE_SECONDS = 2.0

_log = logging.getLogger(__name__)

Handler = Callable[[int, str], timedelta | None]


class Queue:
    """Work of this database by queue name.

    A handler gets the owner's number and the payload, may run twice, and returns after how long it wants to run again.
    """

    def __init__(self, tables: Tables, handlers: Mapping[str, Handler]) -> None:
        self._tables = tables
        self._handlers = handlers
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to drain in the background."""
        self._thread = threading.Thread(target=self._drain_until_stopped, name="recollect-queue", daemon=True)
        self._thread.start()

    def drain(self) -> int:
        """Do everything that is due now; return how many jobs were done."""
        done = 0
        while not self._stop.is_set():
            jobs = [(owner_no, self._claim(owner_no)) for owner_no in self._tables.jobs.owners_due(clock.now())]
            due = [(owner_no, job) for owner_no, job in jobs if job is not None]
            if not due:
                break
            for owner_no, job in due:
                done += self._work(owner_no, job)
        return done

    def close(self) -> None:
        """Stop after the job that is being worked on, or after two seconds; what is left waits in the table."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_SECONDS)

    def _drain_until_stopped(self) -> None:
        while not self._stop.is_set():
            try:
                self.drain()
            except RecollectError as problem:
                _log.warning("queue paused", extra={"action": "queue_paused", "problem": problem.key})
            self._stop.wait(_IDLE_SECONDS)

    def _claim(self, owner_no: int) -> Job | None:
        with self._tables.database.transaction():
            now = clock.now()
            return self._tables.jobs.claim(owner_no, now, now + _LEASE)

    def _work(self, owner_no: int, job: Job) -> int:
        try:
            again_after = self._handlers[job.queue](owner_no, job.payload)
        except RecollectError as problem:
            backoff = min(_LONGEST_BACKOFF, timedelta(seconds=2 ** min(job.tries, _MOST_DOUBLINGS)))
            with self._tables.database.transaction():
                self._tables.jobs.again(owner_no, job.id, clock.now() + backoff, problem.text("en"))
            return 0
        with self._tables.database.transaction():
            if again_after is None:
                self._tables.jobs.done(owner_no, job.id)
            else:
                self._tables.jobs.repeat(owner_no, job.id, clock.now() + again_after)
        return 1

"""The job queue at work: one thread that drains it while a Memory is open."""

import atexit
import logging
import threading
import weakref
from collections import deque
from collections.abc import Callable, Mapping
from datetime import timedelta

from recollect.domain import clock
from recollect.domain.errors import RecollectError
from recollect.models import forks
from recollect.records.tables import Tables
from recollect.storage.jobs import Job

_LEASE = timedelta(minutes=5)
_IDLE_SECONDS = 60.0
_LONGEST_BACKOFF = timedelta(hours=6)
_MOST_DOUBLINGS = 15
_CLOSE_SECONDS = 2.0
_EXIT_SECONDS = 10.0

_log = logging.getLogger(__name__)

_started: "weakref.WeakSet[Queue]" = weakref.WeakSet()

Handler = Callable[[int, str], timedelta | None]


class Queue:
    """Work of this database by queue name; what nobody here can do waits for a process that can.

    A handler gets the owner's number and the payload, may run twice, and returns after how long it wants to run again.
    """

    def __init__(self, tables: Tables, handlers: Mapping[str, Handler]) -> None:
        self._tables = tables
        self._handlers = handlers
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._closing = False
        self._small: deque[Callable[[], object]] = deque()
        self._thread: threading.Thread | None = None
        self.start_anew()
        forks.watch(self)

    def start_anew(self) -> None:
        """Wait for nobody of the parent in the child of a fork."""
        self._turn = threading.Lock()

    def start(self) -> None:
        """Begin to drain in the background."""
        self._thread = threading.Thread(target=self._drain_until_stopped, name="recollect-queue", daemon=True)
        self._thread.start()
        _started.add(self)

    def wake(self, _owner_no: int = 0) -> None:
        """Let the thread look at once whether there is work; after a fork the child begins its own."""
        if self._thread is not None and not self._thread.is_alive() and not self._closing:
            self._stop, self._wake = threading.Event(), threading.Event()
            self.start()
        self._wake.set()

    def drain(self) -> int:
        """Do everything that is due now, after whatever another thread here has in hand; return how many jobs it did.

        What was queued before is done then, whoever of this process did it.
        """
        done = 0
        while not self._stop.is_set():
            with self._turn:
                taken, finished = self._once()
            done += finished
            if not taken:
                break
        return done

    def soon(self, work: Callable[[], object]) -> None:
        """Have something small done before the next look for jobs; lost when the process ends first."""
        self._small.append(work)
        self.wake()

    def close(self) -> None:
        """Do what is due for two seconds at most, then stop; what is left waits in the table."""
        self._closing = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_SECONDS)
        self._stop.set()

    def end(self) -> None:
        """Stop after the step in hand: a thread that is inside a model's own code must not outlive the interpreter."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(_EXIT_SECONDS)

    def _drain_until_stopped(self) -> None:
        wake = self._wake
        while not self._stop.is_set():
            wake.clear()
            is_last = self._closing
            try:
                self.drain()
            except RecollectError as problem:
                if not self._stop.is_set():
                    _log.warning("queue paused", extra={"action": "queue_paused", "problem": problem.key})
            except RuntimeError:
                if threading.main_thread().is_alive():
                    raise
                return  # the interpreter ends, and no model starts a thread any more
            if is_last:
                return
            wake.wait(_IDLE_SECONDS)

    def _once(self) -> tuple[int, int]:
        """Do what is small, and one job of each owner who has any; return how many were taken, and how many done."""
        while self._small:
            try:
                self._small.popleft()()
            except RecollectError as problem:
                _log.warning("small work failed", extra={"action": "small_work_failed", "problem": problem.key})
        taken = done = 0
        for owner_no in self._tables.jobs.owners_due(sorted(self._handlers), clock.now()):
            job = None if self._stop.is_set() else self._claim(owner_no)
            if job is not None:
                taken += 1
                done += self._work(owner_no, job)
        return taken, done

    def _claim(self, owner_no: int) -> Job | None:
        with self._tables.database.transaction():
            now = clock.now()
            return self._tables.jobs.claim(owner_no, sorted(self._handlers), now, now + _LEASE)

    def _work(self, owner_no: int, job: Job) -> int:
        try:
            again_after = self._handlers[job.queue](owner_no, job.payload)
        except RecollectError as problem:
            backoff = min(_LONGEST_BACKOFF, timedelta(seconds=2 ** min(job.tries, _MOST_DOUBLINGS)))
            with self._tables.database.transaction():
                self._tables.jobs.again(
                    owner_no, job.id, clock.now() + backoff, tries=job.tries, last_error=problem.text("en")
                )
            return 0
        with self._tables.database.transaction():
            if again_after is None:
                self._tables.jobs.done(owner_no, job.id)
            else:
                self._tables.jobs.again(owner_no, job.id, clock.now() + again_after)
        return 1


@atexit.register
def _end_all() -> None:
    for queue in list(_started):
        queue.end()

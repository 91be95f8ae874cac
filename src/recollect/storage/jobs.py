"""The job queue as rows. A job is written in the transaction of the write that causes it."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from recollect.domain import clock
from recollect.storage.backend import Database


class Job(NamedTuple):
    """One piece of work that somebody took."""

    id: int
    queue: str
    payload: str
    tries: int


class JobTable:
    """The jobs of all owners; one job per owner and queue is worked on at a time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner_no: int, job_id: int, queue: str, payload: str, run_at: datetime) -> None:
        """Insert a job that may start at `run_at`."""
        self._database.many("job_add", [(owner_no, job_id, queue, payload, clock.to_micros(run_at))])

    def waits(self, owner_no: int, queue: str) -> bool:
        """Tell whether an owner has a job of this queue."""
        return self._database.one("job_waiting", owner_no=owner_no, queue=queue) is not None

    def owners_due(self, queues: Sequence[str], now: datetime, limit: int = 100) -> list[int]:
        """Return the numbers of owners that have work of these queues now."""
        what = {"queues": list(queues), "now": clock.to_micros(now), "limit": limit}
        return [row[0] for row in self._database.all("job_owners_due", **what)]

    def claim(self, owner_no: int, queues: Sequence[str], now: datetime, until: datetime) -> Job | None:
        """Lease the next due job of an owner until a moment; None when there is nothing to do."""
        row = self._database.one("job_due", owner_no=owner_no, queues=list(queues), now=clock.to_micros(now))
        if row is None:
            return None
        moments = {"now": clock.to_micros(now), "until": clock.to_micros(until)}
        if not self._database.run("job_lease", owner_no=owner_no, id=row[0], **moments):
            return None
        return Job(row[0], row[1], row[2], row[3] + 1)

    def done(self, owner_no: int, job_id: int) -> None:
        """Delete a finished job."""
        self._database.run("job_done", owner_no=owner_no, id=job_id)

    def finish(self, owner_no: int, queue: str) -> None:
        """Delete the jobs of one queue of an owner, whoever works on them: what they ask for is done."""
        self._database.run("job_finish", owner_no=owner_no, queue=queue)

    def again(self, owner_no: int, job_id: int, run_at: datetime, *, tries: int = 0, last_error: str = "") -> None:
        """Put a job back for later: one that goes on then, or one that failed after so many tries."""
        what = {"id": job_id, "run_at": clock.to_micros(run_at), "tries": tries, "last_error": last_error}
        self._database.run("job_again", owner_no=owner_no, **what)

    def count(self) -> tuple[int, int]:
        """Return how many jobs wait and how many of them failed before."""
        row = self._database.one("job_count")
        return (row[0], row[1]) if row else (0, 0)

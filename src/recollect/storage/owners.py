"""Owners: their numbers, and the counters that every write of theirs moves on."""

import hashlib
from dataclasses import dataclass

from recollect.domain import clock
from recollect.domain.errors import StorageError
from recollect.domain.scope import Scope
from recollect.storage.backend import Database, Question, Row

_LARGEST_NO = 2**63 - 1


@dataclass(slots=True)
class OwnerState:
    """The counters of one owner. A write transaction moves them and stores them once, at its end."""

    no: int
    next_record: int = 1
    next_revision: int = 1
    next_run: int = 1
    next_job: int = 1
    active_count: int = 0
    length_sum: int = 0

    def take_record(self) -> int:
        """Return the next record id, which nobody gets again."""
        self.next_record += 1
        return self.next_record - 1

    def take_revision(self) -> int:
        """Return the next revision id."""
        self.next_revision += 1
        return self.next_revision - 1

    def take_run(self) -> int:
        """Return the next run id."""
        self.next_run += 1
        return self.next_run - 1

    def take_job(self) -> int:
        """Return the next job id."""
        self.next_job += 1
        return self.next_job - 1


class OwnerTable:
    """Owners by their id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, owner_id: str) -> OwnerState | None:
        """Return the counters of an owner that has written before."""
        return _to_state(self._database.one("owner_get", **owner_key(owner_id)))

    def holding(self, owner_id: str) -> Question:
        """Return what asks for the same as `hold`, as a transaction begins."""
        return "owner_hold", owner_key(owner_id)

    def held(self, rows: list[Row]) -> OwnerState | None:
        """Return the counters of which `holding` asked."""
        return _to_state(rows[0]) if rows else None

    def hold(self, owner_id: str) -> OwnerState | None:
        """Return the counters of an owner inside a transaction; nobody else moves them until its end."""
        return _to_state(self._database.one("owner_hold", **owner_key(owner_id)))

    def by_no(self, owner_no: int) -> OwnerState | None:
        """Return the counters of an owner by number."""
        return _to_state(self._database.one("owner_by_no", owner_no=owner_no))

    def add(self, scope: Scope, since: int | None = None) -> OwnerState:
        """Enter an owner at the first write, or as of `since`, and hold it; somebody else may have done so just now."""
        began = clock.to_micros(clock.now()) if since is None else since
        who = {"tenant": scope.tenant, "user_name": scope.user, "created_at": began}
        self._database.run("owner_add", **owner_key(scope.owner_id), **who)
        state = self.hold(scope.owner_id)
        if state is None:
            raise StorageError("owner_collision", owner=scope.owner_id)
        return state

    def put(self, state: OwnerState) -> None:
        """Store counters that a transaction has moved."""
        counters = (state.next_record, state.next_revision, state.next_run, state.next_job)
        self._database.many("owner_put", [(*counters, state.active_count, state.length_sum, state.no)])

    def scope_of(self, owner_no: int) -> Scope | None:
        """Return the housekeeping scope of an owner by number, unless the owner is gone."""
        row = self._database.one("owner_who", owner_no=owner_no)
        return Scope(tenant=row[0], user=row[1]).everything() if row else None

    def list(self) -> list[tuple[int, str, str]]:
        """Return number, tenant and user of everybody here."""
        return [(row[0], row[1], row[2]) for row in self._database.all("owner_list")]

    def since(self, owner_no: int) -> int:
        """Return when an owner wrote for the first time, in microseconds."""
        row = self._database.one("owner_since", owner_no=owner_no)
        return int(row[0]) if row else 0

    def count_records(self, owner_no: int) -> int:
        """Return how many records an owner has, in any state."""
        row = self._database.one("count_records", owner_no=owner_no)
        return int(row[0]) if row else 0

    def recount(self, owner_no: int) -> tuple[int, int]:
        """Return what active_count and length_sum of an owner should be."""
        row = self._database.one("owner_recount", owner_no=owner_no)
        return (int(row[0]), int(row[1])) if row else (0, 0)


def owner_key(owner_id: str) -> dict[str, object]:
    """Return what finds an owner: a file counts them, a server needs a number that any shard can tell by itself."""
    hashed = int.from_bytes(hashlib.sha256(owner_id.encode()).digest()[:8], "big") & _LARGEST_NO
    return {"owner_id": owner_id, "hashed": hashed}


def _to_state(row: Row | None) -> OwnerState | None:
    return OwnerState(*row) if row else None

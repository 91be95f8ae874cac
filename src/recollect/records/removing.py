"""Taking away: into the trash and back, out of it for good, forgetting one record, erasing an owner."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from recollect.domain import clock
from recollect.domain.checks import check_id
from recollect.domain.errors import Conflict, Forgotten, Refused
from recollect.domain.record import Receipt, Record, Saved
from recollect.domain.scope import Scope
from recollect.records.identity import owner_mac, same_text_key, tombstone_digest
from recollect.records.saving import Policy, find
from recollect.records.tables import Tables
from recollect.records.writing import Writing, writing
from recollect.storage.erasures import PLACES

_SLICE = 200


class Removing:
    """Deleting is reversible for as long as the trash keeps things; forgetting and erasing are not."""

    def __init__(self, tables: Tables, policy: Policy, settle: Callable[[], None]) -> None:
        self._tables = tables
        self._policy = policy
        self._settle = settle  # writes what still waits, so that it is there to be taken away

    @property
    def trash_days(self) -> int:
        """How many days the trash keeps things."""
        return self._policy.trash_days

    def delete(self, scope: Scope, record_id: object, *, forget: bool = False) -> int:
        """Put a record into the trash, or with `forget` remove every trace of its text; return the revision."""
        number = check_id(record_id)
        if forget:
            self._settle()
        with writing(self._tables, scope) as write:
            record = find(write, scope, number)
            if scope.actor != "person" and record.pinned:
                raise Refused("pinned_by_person", "id", id=number)
            if forget:
                revision = write.remove(record, forget=True)
            elif record.status == "trashed":
                raise Conflict("not_active", "id", id=number, status=record.status)
            else:
                _, revision = write.change(record, replace(record, status="trashed"), "delete")
        if forget:
            self._tables.database.all("checkpoint")
        return revision.id

    def restore(self, scope: Scope, record_id: object) -> Saved:
        """Bring a record back from the trash, or approve one that waits; only a person may."""
        number = check_id(record_id)
        if scope.actor != "person":
            raise Refused("restore_by_agent", "id")
        with writing(self._tables, scope) as write:
            record = find(write, scope, number)
            if record.status not in ("trashed", "pending"):
                raise Conflict("already_active", "id", id=number)
            written, revision = write.change(record, self.revived(write, record), "restore")
        return Saved(record=written, outcome="updated", revision=revision.id)

    def revived(self, write: Writing, record: Record) -> Record:
        """Return `record` as active, if nothing stands in its place by now."""
        active = replace(record, status="active")
        there = self._tables.records.same_text(
            write.owner_no, same_text_key(active), now=write.now, except_id=record.id
        )
        if there is not None:
            raise Conflict("same_text", "content", id=there)
        if self._tables.tombstones.holds(write.owner_no, record.agent, tombstone_digest(record.kind, record.content)):
            raise Forgotten("forgotten_text", "content")
        return active

    def empty_trash(self, owner_no: int, _payload: str) -> timedelta | None:
        """Remove for good what lay in an owner's trash long enough; say when to look again, if anything is left."""
        scope = self._tables.owners.scope_of(owner_no)
        if scope is None:
            return None
        with writing(self._tables, scope) as write:
            until = write.now - timedelta(days=self._policy.trash_days)
            due = self._tables.records.trashed_until(owner_no, until, _SLICE)
            for record in self._tables.records.get_many(owner_no, scope, due).values():
                write.remove(record, forget=False)
            waiting = self._tables.records.trashed_until(owner_no, write.now, 1)
        if due:
            self._tables.database.all("checkpoint")
        if not waiting:
            return None
        return timedelta(0) if len(due) == _SLICE else timedelta(days=1)

    def erase(self, scope: Scope) -> Receipt:
        """Remove an owner from every place, count every place again and say what was there and what is left."""
        if scope.actor != "person":
            raise Refused("erase_by_agent", "user")
        self._settle()
        nothing: dict[str, int] = dict.fromkeys(PLACES, 0)
        owner = self._tables.owners.get(scope.owner_id)
        if owner is None:
            return Receipt(owner_id=scope.owner_id, at=clock.now(), removed=nothing, left=nothing)
        with self._tables.database.transaction():
            self._tables.owners.hold(scope.owner_id)  # whoever writes there ends first
            removed = self._tables.erasures.count(owner.no)
            self._tables.erasures.erase(owner.no)
            self._tables.erasures.put(owner_mac(self._tables, scope), clock.now())
        self._tables.database.all("checkpoint")
        left = self._tables.erasures.count(owner.no)
        return Receipt(owner_id=scope.owner_id, at=clock.now(), removed=removed, left=left)

"""One write transaction on one owner: every change of a record goes through here and leaves a revision."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from recollect.domain import clock
from recollect.domain.errors import Conflict, Forgotten
from recollect.domain.record import TRACKED, Action, Record, Revision, Run, Tombstone, plain
from recollect.domain.scope import Scope
from recollect.records.identity import index, owner_mac, same_text_key, tombstone_digest
from recollect.records.tables import Tables
from recollect.storage.backend import Question, Row
from recollect.storage.history import NEWEST, Noted
from recollect.storage.owners import OwnerState
from recollect.storage.postings import Indexed

EMPTY_TRASH = "empty_trash"
EMBED = "embed"
_GATHERED = 128  # new records whose rows are written at a time: a server works on them while the next are made ready
_SEARCHED = ("name", "description", "content")
_SEEN_FROM = ("agent", "session", "kind", "space")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The key under which a caller may send the same request again, and a hash of what it asks."""

    key: str
    body_hash: bytes


@contextmanager
def writing(tables: Tables, scope: Scope, *asked: Question) -> Generator["Writing"]:
    """Open a write transaction on the owner of `scope`; it is kept when the block ends without an error."""
    with tables.database.transaction(tables.owners.holding(scope.owner_id), *asked) as (held, *answers):
        state = tables.owners.held(held)
        if state is None:
            _meet_erasure(tables, scope)
            state = tables.owners.add(scope)  # whom somebody else may have entered, and have written for, just now
            answers = [tables.database.all(name, **params) for name, params in asked]
        write = Writing(tables, scope, state, answers)
        yield write
        write.settle()
    if write.queued_embedding and tables.on_queued is not None:
        tables.on_queued(write.owner_no)


def _meet_erasure(tables: Tables, scope: Scope) -> None:
    """An erased owner comes back only by the hand of a person."""
    mac = owner_mac(tables, scope)
    erased_at = tables.erasures.get(mac)
    if erased_at is None:
        return
    if scope.actor != "person":
        raise Forgotten("erased_owner", date=erased_at.date().isoformat())
    tables.erasures.lift(mac)


class Writing:
    """An open transaction: adds and changes records, their terms, revisions, runs and jobs, and counts along."""

    def __init__(self, tables: Tables, scope: Scope, state: OwnerState, answers: Sequence[list[Row]] = ()) -> None:
        self.tables = tables
        self.scope = scope
        self.now = clock.now()
        self.answers = answers
        self._state = state
        self._added: list[tuple[Record, bytes, int]] = []
        self._created: list[Noted] = []
        self._unindexed: list[tuple[int, Indexed]] = []
        self.queued_embedding = False

    @property
    def owner_no(self) -> int:
        """The number of the owner."""
        return self._state.no

    def add(self, record: Record, run_id: int | None = None, request: Request | None = None) -> tuple[Record, Revision]:
        """Insert a record, an id of 0 becomes the owner's next one; `flush` writes it and its revision."""
        record = replace(record, id=self.take_id(record.id))
        self._refuse_taken(record)
        indexed = index(record)
        self._added.append((record, same_text_key(record), indexed.length))
        if record.status == "active":
            self._count(indexed, +1)
            self._unindexed.append((record.id, indexed))
            self._queue_embedding()
        if record.status == "trashed":
            self._queue(EMPTY_TRASH, delay=timedelta(days=1))
        changes = _difference(None, record)
        noted = self._noted(record, "create", changes, run_id=run_id, request=request)
        self._created.append(noted)
        if len(self._created) >= _GATHERED:
            self._flush_all()
        return record, noted.revision

    def change(
        self,
        before: Record,
        after: Record,
        action: Action,
        *,
        run_id: int | None = None,
        undoes: int | None = None,
        request: Request | None = None,
    ) -> tuple[Record, Revision]:
        """Write `after` in the place of `before`, as its next version."""
        self.flush()
        after = replace(after, version=before.version + 1, updated_at=self.now)
        self._refuse_taken(after)
        self._reindex(before, after)
        if after.status == "trashed":
            self._queue(EMPTY_TRASH, delay=timedelta(days=1))
        changes = _difference(before, after)
        return after, self._note(after, action, changes, run_id=run_id, undoes=undoes, request=request)

    def change_nothing(self, record: Record, request: Request) -> None:
        """Keep the key of a request that found everything as it asks."""
        self._note(record, "update", {}, request=request)

    def remove(self, record: Record, *, forget: bool) -> Revision:
        """Delete a record for good with every text of its history; when forgotten, leave a tombstone for each text."""
        self._flush_all()
        if record.status == "active":
            indexed = index(record)
            self._count(indexed, -1)
            self.tables.postings.remove(self.owner_no, record.id, indexed)
            self.tables.vectors.remove(self.owner_no, [record.id])
        if forget:
            for digest in self._digests(record):
                stone = Tombstone(agent=record.agent, form="text", digest=digest, at=self.now)
                self.tables.tombstones.put(self.owner_no, stone)
        self.tables.records.remove(self.owner_no, record.id)
        self.tables.revisions.scrub(self.owner_no, record.id)
        self.tables.recalls.scrub(self.owner_no, record.id, record.content)
        return self._note(record, "forget", {}, scrubbed=True)

    def start_run(self, name: str) -> Run:
        """Begin a batch that can be undone as a whole."""
        scope = self.scope
        run = Run(id=self._state.take_run(), name=name, at=self.now, actor=scope.actor, agent=scope.agent)
        self.tables.runs.add(self.owner_no, run)
        return run

    def take_id(self, wanted: int = 0) -> int:
        """Return `wanted`, or this owner's next number in the place of 0, as an id that nobody else gets."""
        if not wanted:
            return self._state.take_record()
        self._state.next_record = max(self._state.next_record, wanted + 1)
        return wanted

    def is_unused(self, record_id: int) -> bool:
        """Tell whether no record of this owner ever had that id."""
        if record_id >= self._state.next_record:
            return True
        record = self.tables.records.get(self.owner_no, self.scope.everything(), record_id)
        return record is None and self.tables.revisions.last_of(self.owner_no, record_id) is None

    def mark_undone(self, undone: Revision, by: Revision) -> None:
        """Note that `by` took `undone` back."""
        self.tables.revisions.mark_undone(self.owner_no, undone.id, by.id)

    def keep_revision(self, revision: Revision) -> Revision:
        """Append a revision that was made elsewhere, under this owner's next number."""
        kept = replace(revision, id=self._state.take_revision())
        self.tables.revisions.add(self.owner_no, [Noted(kept)])
        return kept

    @property
    def last_run(self) -> int:
        """The newest number of a run."""
        return self._state.next_run - 1

    def keep_run(self, run: Run) -> None:
        """Append a run that was made elsewhere, under a number above `last_run`."""
        self._state.next_run = run.id + 1
        self.tables.runs.add(self.owner_no, run)
        if run.undone:
            self.tables.runs.mark_undone(self.owner_no, run.id)

    def flush(self) -> None:
        """Write the records added so far and their revisions, so that what is read next sees them."""
        if self._added:
            self.tables.records.add(self.owner_no, self._added)
            self.tables.revisions.add(self.owner_no, self._created)
            self._added, self._created = [], []

    def _flush_all(self) -> None:
        """Write everything of the records added so far, with their terms."""
        if self._unindexed:  # which a server is busy with for the longest time, while the others are made ready
            self.tables.postings.add(self.owner_no, self._unindexed)
            self._unindexed = []
        self.flush()

    def settle(self) -> None:
        """Write what was gathered and the counters."""
        self._flush_all()
        self.tables.owners.put(self._state)

    def _refuse_taken(self, record: Record) -> None:
        if record.status == "active" and record.key is not None:
            self.flush()
            taken = self.tables.records.same_key(self.owner_no, record)
            if taken is not None:
                raise Conflict("key_taken", "key", id=taken, name=record.key)

    def _reindex(self, before: Record, after: Record) -> None:
        was, now = before.status == "active", after.status == "active"
        terms_before, terms_after = index(before), index(after)
        if was != now or any(getattr(before, name) != getattr(after, name) for name in _SEARCHED):
            self._flush_all()
            if was:
                self._count(terms_before, -1)
                self.tables.postings.remove(self.owner_no, before.id, terms_before)
                self.tables.vectors.remove(self.owner_no, [before.id])
            if now:
                self._count(terms_after, +1)
                self._unindexed.append((after.id, terms_after))
                self._queue_embedding()
        elif now and any(getattr(before, name) != getattr(after, name) for name in _SEEN_FROM):
            self.tables.vectors.remove(self.owner_no, [before.id])  # who holds them in memory knows where they stand
            self._queue_embedding()
        key = same_text_key(after)
        if not self.tables.records.put(self.owner_no, after, key, terms_after.length, before.version):
            raise Conflict("version_moved", id=before.id, version=before.version + 1, expected=before.version)

    def _digests(self, record: Record) -> set[bytes]:
        """Return what is remembered of every text that a record ever had: an older wording is as much forgotten."""
        revisions = self.tables.revisions.of_record(self.owner_no, record.id, limit=NEWEST)
        pairs = (revision.changes.get("content", ()) for revision in revisions)
        texts = {text for pair in pairs for text in pair if isinstance(text, str)}
        return {tombstone_digest(record.kind, text) for text in {record.content, *texts}}

    def _queue_embedding(self) -> None:
        if self.tables.embeds and not self.queued_embedding:
            self._queue(EMBED, delay=timedelta(0))
            self.queued_embedding = True

    def _queue(self, queue: str, *, delay: timedelta) -> None:
        if not self.tables.jobs.waits(self.owner_no, queue):
            self.tables.jobs.add(self.owner_no, self._state.take_job(), queue, "{}", self.now + delay)

    def _count(self, indexed: Indexed, sign: int) -> None:
        self._state.active_count += sign
        self._state.length_sum += sign * indexed.length

    def _note(
        self, record: Record, action: Action, changes: Mapping[str, tuple[object, object]], **of: Any
    ) -> Revision:
        noted = self._noted(record, action, changes, **of)
        self.tables.revisions.add(self.owner_no, [noted])
        return noted.revision

    def _noted(
        self,
        record: Record,
        action: Action,
        changes: Mapping[str, tuple[object, object]],
        *,
        run_id: int | None = None,
        undoes: int | None = None,
        scrubbed: bool = False,
        request: Request | None = None,
    ) -> Noted:
        revision = Revision(
            id=self._state.take_revision(),
            record_id=record.id,
            run_id=run_id,
            at=self.now,
            actor=self.scope.actor,
            agent=self.scope.agent,
            action=action,
            version=record.version,
            changes=changes,
            undoes=undoes,
            scrubbed=scrubbed,
        )
        return Noted(revision, request.key, request.body_hash) if request else Noted(revision)


def _difference(before: Record | None, after: Record) -> dict[str, tuple[object, object]]:
    """Return each tracked field that differs; a new record differs from nothing."""
    changes: dict[str, tuple[object, object]] = {}
    for name in TRACKED:
        old = None if before is None else plain(getattr(before, name))
        new = plain(getattr(after, name))
        if old != new and (before is not None or new not in ("", None, [], {}, False)):
            changes[name] = (old, new)
    return changes


def apply_changes(record: Record, changes: Mapping[str, tuple[object, object]], *, backwards: bool) -> Record:
    """Return `record` with each changed field as it was before, or after, `changes`."""
    fields: dict[str, object] = {}
    for name, (before, after) in changes.items():
        value = before if backwards else after
        if name == "labels":
            value = tuple(value) if isinstance(value, list) else ()  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        elif name == "expires_at" and isinstance(value, str):
            value = datetime.fromisoformat(value)
        fields[name] = value
    return replace(record, **fields)  # pyright: ignore[reportArgumentType]

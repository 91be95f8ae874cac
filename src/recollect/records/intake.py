"""Taking in what a file holds for one owner: what is here already, what was forgotten, what is new, how far it came."""

import json
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Literal, NamedTuple

from recollect.domain.drafting import drafted, to_draft
from recollect.domain.errors import Conflict, Invalid, RecollectError
from recollect.domain.record import Record, Revision, Run, Tombstone
from recollect.domain.scope import Scope
from recollect.domain.text import cut
from recollect.domain.visible import visible
from recollect.records.identity import same_text_key, tombstone_digest
from recollect.records.saving import Policy, without_secrets
from recollect.records.tables import Tables
from recollect.records.writing import Writing, writing
from recollect.storage.owners import OwnerState

BATCH_LINES = 500
_LISTED = 1_000
_PROBLEM_LIMIT = 300
_LIVE = ("active", "pending")


class Rejected(NamedTuple):
    """A line of a file, or the id of a foreign row, and why it was not imported."""

    line: int
    problem: str


class OwnerRun(NamedTuple):
    """Under which run an import of one owner can be undone."""

    tenant: str
    user: str
    run: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What became of a file, over all calls that it took; after the last one everything counts as a duplicate.

    `rejected` lists the first thousand bad lines, `unlisted` counts the others.
    """

    created: int
    duplicates: int
    forgotten: int
    revisions: int
    tombstones: int
    rejected: tuple[Rejected, ...]
    unlisted: int
    runs: tuple[OwnerRun, ...]
    resumed: bool

    @property
    def run(self) -> int | None:
        """The run that undoes the import; None when nothing was written, or for several owners."""
        return self.runs[0].run if len(self.runs) == 1 else None


@dataclass(slots=True)
class Standing:
    """How far an import came, and what became of it so far. It is kept with the run, so that another call goes on."""

    place: int = 0
    line: int = 0
    mark: str = ""
    run_shift: int = 0
    newest_run: int = 0
    created: int = 0
    duplicates: int = 0
    forgotten: int = 0
    revisions: int = 0
    tombstones: int = 0
    rejected: list[Rejected] = field(default_factory=list[Rejected])
    unlisted: int = 0

    @classmethod
    def parse(cls, text: str) -> "Standing":
        """Return what `text` kept."""
        kept = cls(**json.loads(text))
        kept.rejected = [Rejected(*pair) for pair in kept.rejected]
        return kept

    def text(self) -> str:
        """Return all of it as text."""
        return json.dumps(asdict(self), separators=(",", ":"))

    def reject(self, line: int, problem: RecollectError, language: str) -> None:
        """Note why a line was not imported; what it quotes of a stranger's file is made visible and short."""
        problem.language = language
        if len(self.rejected) == _LISTED:
            self.unlisted += 1
        else:
            self.rejected.append(Rejected(line, cut(visible(str(problem), newlines=False), _PROBLEM_LIMIT)))


def sum_up(intakes: Sequence["Intake"], outside: Standing, *, worked: bool) -> Imported:
    """Return what became of a file in all; `worked` tells whether this call found anything to do."""
    parts = [outside, *(intake.standing for intake in intakes)]
    resumed = any(intake.resumed for intake in intakes)
    done_before = resumed and not worked
    created, duplicates = sum(part.created for part in parts), sum(part.duplicates for part in parts)
    return Imported(
        created=0 if done_before else created,
        duplicates=duplicates + created if done_before else duplicates,
        forgotten=sum(part.forgotten for part in parts),
        revisions=0 if done_before else sum(part.revisions for part in parts),
        tombstones=0 if done_before else sum(part.tombstones for part in parts),
        rejected=tuple(sorted(rejected for part in parts for rejected in part.rejected)),
        unlisted=sum(part.unlisted for part in parts),
        runs=tuple(run for intake in intakes for run in intake.runs()),
        resumed=resumed,
    )


@dataclass(slots=True)
class _Group:
    """The record whose revisions follow; `record` waits for them, so that the import's own revision is the last."""

    file_id: int
    keeps: int = 0
    record: Record | None = None
    ids: dict[int, int] = field(default_factory=dict[int, int])


class Intake:
    """The import of one file into one owner.

    What a person imports is taken as it is written: with source, trust, status, dates and history, for it is the
    operator who brings back memory of their own. Nobody else is believed: then the texts come alone, as imported, of
    trust 1 at most, not pinned, without secrets. A rehearsal decides the same and writes nothing.
    """

    def __init__(self, tables: Tables, policy: Policy, scope: Scope, name: str, *, dry_run: bool) -> None:
        owner = tables.owners.get(scope.owner_id)
        found = tables.runs.progress(owner.no, name) if owner else None
        self.scope = scope
        self.standing = Standing.parse(found[1]) if found else Standing()
        self.resumed = found is not None
        self._tables = tables
        self._policy = policy
        self._name = name
        self._run, self._kept = found or (None, None)
        self._write = Writing(tables, scope, owner or OwnerState(no=0))
        self._group: _Group | None = None
        self._rehearsal = _Rehearsal() if dry_run else None
        if dry_run:
            with suppress(_Abandoned), writing(tables, scope):
                raise _Abandoned  # what would be refused is refused now

    def start_over(self) -> None:
        """Begin with the first line again, since the file is not the one that an earlier call read."""
        self.standing = Standing()
        self.resumed = False

    def runs(self) -> Iterable[OwnerRun]:
        """Return the run of this import, once there is one."""
        return () if self._run is None else (OwnerRun(self.scope.tenant, self.scope.user, self._run),)

    @contextmanager
    def batch(self) -> Generator[None]:
        """Open a transaction that keeps what is taken inside, together with how far that is."""
        if self._rehearsal is not None:
            yield
            self.close_group()
            return
        with writing(self._tables, self.scope) as self._write:
            found = self._tables.runs.progress(self._write.owner_no, self._name)
            if (found[1] if found else None) != self._kept:
                raise Conflict("import_elsewhere")
            if self._run is None:
                self._run = self._write.start_run(self._name).id
            yield
            self.close_group()
            self._kept = self.standing.text()
            self._tables.runs.set_progress(self._write.owner_no, self._run, self._kept)

    def take_run(self, run: Run) -> None:
        """Keep a run that revisions name; all of them come in the first batch, in the order of their ids."""
        if not self._believed:
            return
        if self.standing.place or run.id <= self.standing.newest_run:
            raise Invalid("misplaced_line", "run.id")
        if not self.standing.newest_run:
            self.standing.run_shift = self._write.last_run
        self.standing.newest_run = run.id
        if self._rehearsal is None:
            self._write.keep_run(replace(run, id=run.id + self.standing.run_shift))

    def take_record(self, record: Record) -> None:
        """Take a record, unless it is here already or was forgotten; its revisions may follow."""
        self.close_group()
        group = self._group = _Group(record.id)
        if not self._believed:
            record = self._doubted(record)
        there = self._find(record)
        if there == "duplicate":
            self.standing.duplicates += 1
        elif there == "forgotten":
            self.standing.forgotten += 1
        else:
            group.keeps = self._write.take_id(record.id if self._is_unused(record.id) else 0)
            group.record = replace(record, id=group.keeps)
            if self._rehearsal is not None:
                self._rehearsal.note(group.record, same_text_key(record))

    def skip_record(self) -> None:
        """Leave out the revisions that follow, since their record could not be read."""
        self.close_group()
        self._group = _Group(0)

    def take_revision(self, revision: Revision) -> None:
        """Keep a revision of the record taken last, or one without text of a record that is gone."""
        if not self._belongs(revision):
            if not revision.scrubbed:
                raise Invalid("misplaced_revision", "revision.record_id", id=revision.record_id)
            self.close_group()
            gone = revision.record_id
            keeps = self._write.take_id(gone) if self._believed and self._is_unused(gone) else 0
            self._group = _Group(gone, keeps)
        if self._group is not None and self._group.keeps and self._believed:
            self._keep(revision, self._group)

    def take_tombstone(self, tombstone: Tombstone) -> None:
        """Let what was forgotten stay forgotten here too."""
        self.close_group()
        if not self._believed:
            return
        self.standing.tombstones += 1
        if self._rehearsal is None:
            self._tables.tombstones.put(self._write.owner_no, tombstone)

    def close_group(self) -> None:
        """Write the record taken last."""
        group, self._group = self._group, None
        if group is None or group.record is None:
            return
        self.standing.created += 1
        if self._rehearsal is None:
            self._write.add(group.record, run_id=self._run)
            self._write.flush()

    @property
    def _believed(self) -> bool:
        return self.scope.actor == "person"

    def _doubted(self, record: Record) -> Record:
        draft = without_secrets(self._policy, self.scope.actor, to_draft(record), "record.")
        return replace(record, **drafted(replace(draft, pinned=False)), source="imported", trust=min(record.trust, 1))

    def _find(self, record: Record) -> Literal["duplicate", "forgotten"] | None:
        """Say whether a record is here. One that is neither active nor waiting is found only under its own id."""
        number, key = self._write.owner_no, same_text_key(record)
        live = record.status in _LIVE
        if live and (self._tables.records.same_text(number, key) or self._is_rehearsed(key)):
            return "duplicate"
        if record.status != "active" and self._is_held(record, key):
            return "duplicate"
        if self._tables.tombstones.holds(number, record.agent, tombstone_digest(record.kind, record.content)):
            return "forgotten"
        if record.status == "active" and record.key is not None:
            taken = self._tables.records.same_key(number, replace(record, id=0))
            if taken is not None or (self._rehearsal and _place(record) in self._rehearsal.keys):
                raise Conflict("key_taken", "record.key", id=taken or record.id, name=record.key)
        return None

    def _is_rehearsed(self, key: bytes) -> bool:
        return self._rehearsal is not None and key in self._rehearsal.texts

    def _is_held(self, record: Record, key: bytes) -> bool:
        if self._rehearsal is not None and record.id in self._rehearsal.records:
            held = self._rehearsal.records[record.id]
        else:
            there = self._tables.records.get(self._write.owner_no, self.scope.everything(), record.id)
            held = (same_text_key(there), there.status) if there else (b"", "")
        return held[0] == key and (record.status not in _LIVE or held[1] == record.status)

    def _is_unused(self, record_id: int) -> bool:
        rehearsed = self._rehearsal is not None and record_id in self._rehearsal.records
        return not rehearsed and self._write.is_unused(record_id)

    def _belongs(self, revision: Revision) -> bool:
        if self._group is None:
            return False
        unreadable = self._group.file_id == 0
        return not revision.scrubbed if unreadable else self._group.file_id == revision.record_id

    def _keep(self, revision: Revision, group: _Group) -> None:
        self.standing.revisions += 1
        if self._rehearsal is not None:
            return
        run_id, undoes = revision.run_id, group.ids.get(revision.undoes or 0)
        if run_id is not None:  # a run that the file does not hold is nobody's
            run_id = run_id + self.standing.run_shift if run_id <= self.standing.newest_run else None
        moved = replace(revision, record_id=group.keeps, run_id=run_id, undoes=undoes, undone_by=None)
        kept = self._write.keep_revision(moved)
        group.ids[revision.id] = kept.id
        if undoes is not None:
            self._tables.revisions.mark_undone(self._write.owner_no, undoes, kept.id)


class _Abandoned(Exception):
    pass


@dataclass(slots=True)
class _Rehearsal:
    """What a real import would have written so far, as far as later lines can meet it."""

    texts: set[bytes] = field(default_factory=set[bytes])
    keys: set[tuple[object, ...]] = field(default_factory=set[tuple[object, ...]])
    records: dict[int, tuple[bytes, str]] = field(default_factory=dict[int, tuple[bytes, str]])

    def note(self, record: Record, key: bytes) -> None:
        self.records[record.id] = (key, record.status)
        if record.status == "active":
            self.texts.add(key)
            if record.key is not None:
                self.keys.add(_place(record))


def _place(record: Record) -> tuple[object, ...]:
    return (record.key, record.agent, record.session, record.space, record.kind)

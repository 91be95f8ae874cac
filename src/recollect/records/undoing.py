"""Taking back: one revision, or everything that a run did. What is undone can be undone again.

A revision is *in force* unless one that is itself in force took it back. A later revision stands in the way when it is
in force and does more than to take back another later one: so changes are undone one after the other, newest first,
and an undo is undone the same way.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from recollect.domain.checks import check_id
from recollect.domain.errors import Conflict, Forgotten, Invalid, NotFound, Refused
from recollect.domain.record import Action, Record, Revision
from recollect.domain.scope import Scope
from recollect.records.removing import Removing
from recollect.records.tables import Tables
from recollect.records.writing import Writing, apply_changes, writing
from recollect.storage.history import Mark

_SLICE = 100


class Undoing:
    """Undo appends revisions and takes nothing out of the history."""

    def __init__(self, tables: Tables, removing: Removing) -> None:
        self._tables = tables
        self._removing = removing

    def undo(self, scope: Scope, *, revision: object = None, run: object = None) -> tuple[Revision, ...]:
        """Take back one revision or one whole run; refuse, naming it, when something later touched a record."""
        if (revision is None) == (run is None):
            raise Invalid("one_of_two", "revision", allowed="revision, run")
        if scope.actor != "person":
            raise Refused("undo_by_agent", "revision")
        if revision is not None:
            return self._undo_revision(scope, check_id(revision, path="revision"))
        return self._undo_run(scope, check_id(run, path="run"))

    def _undo_revision(self, scope: Scope, number: int) -> tuple[Revision, ...]:
        with writing(self._tables, scope) as write:
            found = self._tables.revisions.get(write.owner_no, number)
            if found is None or not (found.scrubbed or self._record(write, scope, found.record_id)):
                raise NotFound("revision_missing", "revision", id=number)
            marks = self._marks(write, found)
            if not _in_force(found.id, marks):
                raise Conflict("undone_already", "revision", what="revision", id=number)
            _refuse_later(found, marks, {found.id})
            return (self._take_back(write, found, None),)

    def newest(self, scope: Scope) -> Revision | None:
        """Return the newest change in this scope that is in force and no undo itself; None when there is none."""
        owner = self._tables.owners.get(scope.owner_id)
        if owner is None:
            return None
        marks: dict[int, Mark] = {}
        for page in self._newest_first(owner.no):
            marks.update((one.id, Mark(one.id, one.undoes, one.undone_by)) for one in page)
            asked = [one for one in page if one.undoes is None and one.changes and _in_force(one.id, marks)]
            there = self._tables.records.get_many(owner.no, scope, {one.record_id for one in asked})
            for one in asked:
                if one.record_id in there:
                    return one
        return None

    def _newest_first(self, owner_no: int) -> Iterator[list[Revision]]:
        page = self._tables.revisions.newest(owner_no, limit=_SLICE)
        while page:
            yield page
            page = self._tables.revisions.newest(owner_no, before=page[-1].id, limit=_SLICE)

    def _undo_run(self, scope: Scope, number: int) -> tuple[Revision, ...]:
        """Who started a run takes it back as a whole, whatever agents and sessions it wrote for."""
        with writing(self._tables, scope) as write:
            run = self._tables.runs.get(write.owner_no, number)
            if run is None or not (scope.all_agents or run.agent in ("", scope.agent)):
                raise NotFound("run_missing", "run", id=number)
            whole = self._tables.revisions.of_run(write.owner_no, number)
            mine = {revision.id for revision in whole}
            revisions: list[Revision] = []
            for revision in whole:
                marks = self._marks(write, revision)
                if _in_force(revision.id, marks):
                    _refuse_later(revision, marks, mine)
                    revisions.append(revision)
            if run.undone and not revisions:
                raise Conflict("undone_already", "run", what="run", id=number)
            back = write.start_run(f"undo {number}")
            self._tables.runs.mark_undone(write.owner_no, number)
            return tuple(self._take_back(write, revision, back.id) for revision in revisions)

    def _record(self, write: Writing, scope: Scope, record_id: int) -> Record | None:
        return self._tables.records.get(write.owner_no, scope, record_id)

    def _marks(self, write: Writing, revision: Revision) -> Mapping[int, Mark]:
        """Return what took back what from `revision` on, if the text of its record is still there."""
        if revision.scrubbed or revision.action == "forget":
            raise Forgotten("forgotten_record", "revision", id=revision.record_id)
        return self._tables.revisions.marks(write.owner_no, revision.record_id, revision.id)

    def _take_back(self, write: Writing, revision: Revision, run_id: int | None) -> Revision:
        before = self._record(write, write.scope.everything(), revision.record_id)
        if before is None:
            raise NotFound("record_missing", "id", id=revision.record_id)
        action: Action = "update"
        if revision.action == "create":
            after, action = replace(before, status="trashed"), "delete"
        else:
            after = apply_changes(before, revision.changes, backwards=True)
        if after.status != before.status:
            action = "restore" if after.status == "active" else "delete"
        if after.status == "active":
            after = self._removing.revived(write, after)
        _, back = write.change(before, after, action, run_id=run_id, undoes=revision.id)
        write.mark_undone(revision, back)
        return back


def _in_force(number: int, marks: Mapping[int, Mark]) -> bool:
    in_force = True
    while (mark := marks.get(number)) is not None and mark.undone_by is not None:
        in_force, number = not in_force, mark.undone_by
    return in_force


def _refuse_later(revision: Revision, marks: Mapping[int, Mark], mine: Set[int]) -> None:
    later = [
        mark.id
        for mark in marks.values()
        if mark.id not in mine and (mark.undoes or 0) <= revision.id and _in_force(mark.id, marks)
    ]
    if later:
        raise Conflict("changed_later", "revision", later=max(later), id=revision.record_id)

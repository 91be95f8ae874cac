"""Taking back: one revision, or everything that a run did. What is undone can be undone again."""

from collections.abc import Set
from dataclasses import replace

from recollect.domain.checks import check_id
from recollect.domain.errors import Conflict, Forgotten, Invalid, NotFound, Refused
from recollect.domain.record import Action, Record, Revision
from recollect.domain.scope import Scope
from recollect.records.removing import Removing
from recollect.records.tables import Tables
from recollect.records.writing import Writing, apply_changes, writing


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
            if found.undone_by is not None:
                raise Conflict("undone_already", "revision", what="revision", id=number)
            self._refuse_later(write, found, {found.id})
            return (self._take_back(write, found, None),)

    def _undo_run(self, scope: Scope, number: int) -> tuple[Revision, ...]:
        """Who started a run takes it back as a whole, whatever agents and sessions it wrote for."""
        with writing(self._tables, scope) as write:
            run = self._tables.runs.get(write.owner_no, number)
            if run is None or not (scope.all_agents or run.agent in ("", scope.agent)):
                raise NotFound("run_missing", "run", id=number)
            if run.undone:
                raise Conflict("undone_already", "run", what="run", id=number)
            revisions = self._tables.revisions.of_run(write.owner_no, number)
            mine = {revision.id for revision in revisions}
            for revision in revisions:
                self._refuse_later(write, revision, mine)
            back = write.start_run(f"undo {number}")
            self._tables.runs.mark_undone(write.owner_no, number)
            return tuple(self._take_back(write, revision, back.id) for revision in revisions)

    def _record(self, write: Writing, scope: Scope, record_id: int) -> Record | None:
        return self._tables.records.get(write.owner_no, scope, record_id)

    def _refuse_later(self, write: Writing, revision: Revision, mine: Set[int]) -> None:
        if revision.scrubbed or revision.action == "forget":
            raise Forgotten("forgotten_record", "revision", id=revision.record_id)
        last = self._tables.revisions.last_of(write.owner_no, revision.record_id)
        if last is not None and last[0] not in mine:
            raise Conflict("changed_later", "revision", later=last[0], id=revision.record_id)

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

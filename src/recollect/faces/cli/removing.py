"""`memory rm`, `memory restore` and `undo`."""

from contextlib import suppress
from typing import TYPE_CHECKING

import click

from recollect.domain.errors import NotFound
from recollect.faces.cli.command import Command
from recollect.faces.cli.failing import Absent
from recollect.faces.cli.nothing import absent
from recollect.faces.cli.session import Session
from recollect.faces.cli.wording import head

if TYPE_CHECKING:
    from recollect import Memory


@click.command("rm", cls=Command)
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option("--forget", is_flag=True)
@click.option("--yes", is_flag=True)
@click.pass_obj
def remove(session: Session, *, ids: tuple[str, ...], forget: bool, yes: bool) -> None:
    with session.memory() as memory:
        heads = dict(_head_of(session, memory, id, forget=forget) for id in ids)  # who is named twice goes once
        if forget:
            session.confirm("forget_them", yes=yes, ids=", ".join(f"#{id}" for id in heads))
        revisions = {id: memory.notes.delete(id, forget=forget) for id in heads}
    if session.json:
        session.answer({"items": [{"id": id, "revision": made} for id, made in revisions.items()]})
        return
    for id, revision in revisions.items():
        session.remark("forgotten" if forget else "deleted", **heads[id], revision=revision)
    if not forget:
        session.remark("trash_help", days=session.settings().writing.trash_days)


@click.command(cls=Command)
@click.argument("id")
@click.pass_obj
def restore(session: Session, *, id: str) -> None:
    with session.memory() as memory:
        saved = memory.notes.restore(id)
    if session.json:
        session.answer({"id": saved.record.id, "outcome": saved.outcome, "revision": saved.revision})
    else:
        session.remark("restored", **head(saved.record), revision=saved.revision)


@click.command(cls=Command)
@click.argument("revision", required=False)
@click.option("--run", metavar="N")
@click.option("--yes", is_flag=True)
@click.pass_obj
def undo(session: Session, *, revision: str | None, run: str | None, yes: bool) -> None:
    with session.memory() as memory:
        if revision is None and run is None:
            newest = memory.undoable()
            if newest is None:
                raise Absent("nothing_to_undo", "revision")
            what = session.say(f"action_{newest.action}")
            key = "undo_newest_run" if newest.run_id else "undo_newest"
            session.confirm(key, yes=yes, id=newest.id, run=newest.run_id, record=newest.record_id, what=what)
            revision, run = (None, str(newest.run_id)) if newest.run_id else (str(newest.id), None)
        undone = memory.undo(revision=revision, run=run)
    if session.json:
        session.answer({"revisions": [back.public() for back in undone]})
        return
    for back in undone:
        session.remark("undone", undoes=back.undoes, record=back.record_id, revision=back.id)


def _head_of(session: Session, memory: "Memory", id: str, *, forget: bool) -> tuple[int, dict[str, object]]:
    """Return the id of what can be removed, and what names it; what is wrong with one is told before any goes."""
    record = memory.notes.get(id)
    if record is not None:
        return record.id, head(record)
    with suppress(NotFound):
        if forget and memory.notes.history(id, limit=1):  # it lies in the trash
            return int(id), {"id": int(id), "type": "", "name": ""}
    memory.notes.delete(id)  # refuses, and says best why
    raise absent(session, memory, id)

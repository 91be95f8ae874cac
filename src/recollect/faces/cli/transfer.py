"""`export` and `import`."""

import sys
from typing import TYPE_CHECKING

import click

from recollect.faces.cli.command import Command
from recollect.faces.cli.session import Session, quoted
from recollect.faces.cli.texts import say

if TYPE_CHECKING:
    from recollect.memory import Imported

_SQLITE = "sqlite:///"


@click.command(cls=Command)
@click.argument("file")
@click.option("--all", "everybody", is_flag=True)
@click.pass_obj
def export(session: Session, *, file: str, everybody: bool) -> None:
    with session.memory() as memory, session.progress("exporting") as progress:
        done = memory.export(file, all_owners=everybody, progress=progress)
    counts = {"records": done.records, "revisions": done.revisions, "tombstones": done.tombstones}
    if session.json:
        session.answer({"file": str(done.file), **counts})
    else:
        session.remark("exported", file=str(done.file), **counts)


@click.command("import", cls=Command)
@click.argument("path")
@click.option("--format", metavar="FORMAT", default="recollect")
@click.option("--dry-run", is_flag=True)
@click.pass_context
def import_file(ctx: click.Context, *, path: str, format: str, dry_run: bool) -> None:
    session: Session = ctx.obj
    file = path.removeprefix(_SQLITE)
    with session.memory() as memory, session.progress("importing") as progress:
        try:
            done = memory.import_from(file, format=format, dry_run=dry_run, progress=progress)
        except KeyboardInterrupt:
            if not dry_run:
                print(session.say("import_stopped"), file=sys.stderr)
            raise
        tenant = memory.scope.tenant
    if session.json:
        session.answer(_public(done, dry_run=dry_run))
    else:
        _tell(session, done, dry_run=dry_run)
        if not dry_run and done.created:
            _tell_undo(session, done, tenant)
    ctx.exit(1 if done.rejected else 0)


def _public(done: "Imported", *, dry_run: bool) -> dict[str, object]:
    counts = {name: getattr(done, name) for name in ("created", "duplicates", "forgotten", "revisions", "tombstones")}
    rejected = [{"line": line, "problem": problem} for line, problem in done.rejected]
    runs = [{"tenant": tenant, "user": user, "run": run} for tenant, user, run in done.runs]
    more = {"rejected": rejected, "unlisted": done.unlisted, "runs": runs, "resumed": done.resumed}
    return {"dry_run": dry_run, **counts, **more}


def _tell(session: Session, done: "Imported", *, dry_run: bool) -> None:
    rejected = len(done.rejected) + done.unlisted
    counts = {"created": done.created, "duplicates": done.duplicates, "forgotten": done.forgotten}
    session.remark("would_import" if dry_run else "imported", rejected=rejected, **counts)
    for line, problem in done.rejected:
        print(say("rejected", session.lang, line=line, problem=problem), file=sys.stderr)  # made safe where it was read
    if done.unlisted:
        print(session.say("rejected_more", count=done.unlisted), file=sys.stderr)


def _tell_undo(session: Session, done: "Imported", tenant: str) -> None:
    for whose, user, run in done.runs:
        begin = session.command(user=user)
        if whose != tenant:  # which no option names
            begin = f"RECOLLECT_TENANT={quoted(whose)} {begin}"
        session.remark("import_undo", user=user, run=run, recollect=begin)

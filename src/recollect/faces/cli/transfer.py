"""`export` and `import`."""

import sys
from typing import TYPE_CHECKING

import click

from recollect.faces.cli.command import Command
from recollect.faces.cli.session import Session
from recollect.faces.cli.texts import say

if TYPE_CHECKING:
    from recollect.memory import Imported


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
@click.option("--zone", metavar="ZONE", default="UTC")
@click.option("--dry-run", is_flag=True)
@click.pass_context
def import_file(ctx: click.Context, *, path: str, format: str, zone: str, dry_run: bool) -> None:
    session: Session = ctx.obj
    with session.memory() as memory, session.progress("importing") as progress:
        try:
            done = memory.import_from(path, format=format, zone=zone, dry_run=dry_run, progress=progress)
        except KeyboardInterrupt:
            if not dry_run:
                print(session.say("import_stopped"), file=sys.stderr)
            raise
    if session.json:
        session.answer(_public(done, dry_run=dry_run))
    else:
        _tell(session, done, dry_run=dry_run)
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
    for _, user, run in done.runs if not dry_run else ():
        session.remark("import_undo", user=user, run=run)

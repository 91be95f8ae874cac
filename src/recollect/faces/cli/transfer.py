"""`export` and `import`."""

import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING

import click

from recollect.domain.errors import RecollectError
from recollect.faces.cli.command import Command
from recollect.faces.cli.failing import Mistake, unreadable
from recollect.faces.cli.session import Session, quoted
from recollect.faces.cli.texts import say

if TYPE_CHECKING:
    from recollect.memory import Imported

_STREAM = "-"


@click.command(cls=Command)
@click.argument("file")
@click.option("--all", "everybody", is_flag=True)
@click.pass_obj
def export(session: Session, *, file: str, everybody: bool) -> None:
    if file == _STREAM and session.json:
        raise Mistake("export_and_json", "file")
    with session.memory(made=False) as memory, _beside(file) as path, session.progress("exporting") as progress:
        done = memory.export(path, all_owners=everybody, progress=progress)
        if file == _STREAM:
            _pour(Path(path))
            return
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
    with (
        session.memory() as memory,
        _beside(path) as file,
        session.progress("importing") as progress,
    ):
        try:
            if path == _STREAM:
                _fill(Path(file))
            done = memory.import_from(file, format=format, zone=zone, dry_run=dry_run, progress=progress)
        except KeyboardInterrupt:
            if not dry_run:
                print(session.say("import_stopped"), file=sys.stderr)
            raise
        except RecollectError as problem:
            if path == _STREAM and "file" in problem.facts:
                problem.facts["file"] = _STREAM
            raise
        tenant = memory.scope.tenant
    unit = "row" if format == "netaclaw" else "line"
    if session.json:
        session.answer(_public(done, unit, dry_run=dry_run))
    else:
        _tell(session, done, unit, dry_run=dry_run)
        if not dry_run and done.created:
            _tell_undo(session, done, tenant)
    ctx.exit(1 if done.rejected else 0)


@contextmanager
def _beside(given: str) -> Generator[str | Path]:
    """Return the file that is named, or for - one that nobody else sees and that is gone afterwards."""
    if given != _STREAM:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="recollect-", ignore_cleanup_errors=True) as folder:
        yield Path(folder, "stream")


def _pour(file: Path) -> None:
    """Write a file to standard output; it was made whole before, so that half a memory looks like none."""
    sys.stdout.flush()
    with file.open("rb") as source:
        copyfileobj(source, sys.stdout.buffer)


def _fill(file: Path) -> None:
    """Keep what comes through the pipe, since an import that was stopped goes back in it."""
    try:
        with file.open("wb") as target:
            copyfileobj(sys.stdin.buffer, target)
    except OSError as problem:
        raise unreadable(problem) from problem


def _public(done: "Imported", unit: str, *, dry_run: bool) -> dict[str, object]:
    counts = {name: getattr(done, name) for name in ("created", "duplicates", "forgotten", "revisions", "tombstones")}
    rejected = [{unit: line, "problem": problem} for line, problem in done.rejected]
    runs = [{"tenant": tenant, "user": user, "run": run} for tenant, user, run in done.runs]
    more = {"rejected": rejected, "unlisted": done.unlisted, "runs": runs, "resumed": done.resumed}
    return {"dry_run": dry_run, **counts, **more}


def _tell(session: Session, done: "Imported", unit: str, *, dry_run: bool) -> None:
    rejected = len(done.rejected) + done.unlisted
    counts = {"created": done.created, "duplicates": done.duplicates, "forgotten": done.forgotten}
    session.remark("would_import" if dry_run else "imported", rejected=rejected, **counts)
    for line, problem in done.rejected:
        told = say(f"rejected_{unit}", session.lang, number=line, problem=problem)  # made safe where it was read
        print(told, file=sys.stderr)
    if done.unlisted:
        print(session.say("rejected_more", count=done.unlisted), file=sys.stderr)


def _tell_undo(session: Session, done: "Imported", tenant: str) -> None:
    for whose, user, run in done.runs:
        begin = session.command(user=user)
        if whose != tenant:  # which no option names
            begin = f"RECOLLECT_TENANT={quoted(whose)} {begin}"
        session.remark("import_undo", user=user, run=run, recollect=begin)

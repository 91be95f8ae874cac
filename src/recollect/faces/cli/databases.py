"""`db`: the database itself, its state, its schema, and moving it."""

import sys
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from recollect.faces.cli.command import Command
from recollect.faces.cli.judging import database_checks, tell_checks
from recollect.faces.cli.session import Session

if TYPE_CHECKING:
    from recollect import Settings
    from recollect.wiring import Copied

_EVERY_AGENT = "*"
_INDEX = "records_fulltext"


@click.command(cls=Command)
@click.argument("url", required=False)
@click.pass_obj
def status(session: Session, *, url: str | None) -> None:
    from recollect.wiring import database_status

    found = database_status(_chosen(session, url))
    database = found.database
    if session.json:
        counts = {"owners": found.owners, "records": found.records, "jobs": found.jobs}
        session.answer({**asdict(database), "state": found.state, **counts, "sharded": found.sharded})
        return
    session.tell("status_engine", engine=database.engine, version=database.version, place=database.place)
    size = f"{database.size_bytes / 1024:.0f}"
    session.tell("status_schema", schema=database.schema, newest=database.newest_schema, size=size)
    session.tell(f"status_{found.state}", owners=found.owners, records=found.records, jobs=found.jobs)
    if found.sharded:
        session.tell("status_sharded")


@click.command(cls=Command)
@click.argument("url", required=False)
@click.pass_context
def check(ctx: click.Context, *, url: str | None) -> None:
    session: Session = ctx.obj
    ctx.exit(tell_checks(session, database_checks(session, _chosen(session, url), made=False)))


@click.command(cls=Command)
@click.argument("url", required=False)
@click.pass_obj
def migrate(session: Session, *, url: str | None) -> None:
    from recollect.wiring import migrate_database

    done = migrate_database(_chosen(session, url))
    if session.json:
        session.answer({"steps": list(done.steps), "place": done.database.place, "schema": done.database.schema})
    elif done.steps:
        session.tell("migrated", schema=done.database.schema, steps=", ".join(done.steps))
    else:
        session.remark("nothing_to_migrate", schema=done.database.schema)


@click.command(cls=Command)
@click.argument("url", required=False)
@click.option("--drop", is_flag=True)
@click.pass_obj
def fulltext(session: Session, *, url: str | None, drop: bool) -> None:
    from recollect.wiring import set_fulltext

    changed, place = set_fulltext(_chosen(session, url), wanted=not drop)
    if session.json:
        session.answer({"index": _INDEX, "place": place, "there": not drop, "changed": changed})
        return
    key = ("fulltext_removed" if changed else "fulltext_absent") if drop else "fulltext_added"
    session.remark(key if drop or changed else "fulltext_there", index=_INDEX, place=place)


def _chosen(session: Session, url: str | None) -> "Settings":
    """Return the settings of this run, for the database that is named."""
    settings = session.settings()
    if url is None:
        return settings
    from recollect.wiring import to_settings

    return settings.model_copy(update={"database": to_settings(url).database_place(), "agents": {}})


@click.command(cls=Command)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--dry-run", is_flag=True)
@click.pass_obj
def copy(session: Session, *, source: str, target: str, dry_run: bool) -> None:
    from recollect.wiring import copy_database

    agent = _EVERY_AGENT if session.agent is None else session.agent
    with session.progress("copying") as progress:
        try:
            done = copy_database(source, target, agent=agent, dry_run=dry_run, progress=progress)
        except KeyboardInterrupt:
            print(session.say("copy_stopped"), file=sys.stderr)
            raise
    if session.json:
        said = {"from": done.source, "to": done.target, "dry_run": dry_run, "erasures": done.erasures}
        session.answer({**said, "owners": _owners(done)})
    elif not session.quiet:
        _tell(session, done)


def _owners(done: "Copied") -> list[dict[str, object]]:
    said: list[dict[str, object]] = []
    for owner in done.owners:
        tables = {part.table: {"rows": part.rows, "sha256": part.sha256} for part in owner.tables}
        said.append({"tenant": owner.tenant, "user": owner.user, "outcome": owner.outcome, "tables": tables})
    return said


def _tell(session: Session, done: "Copied") -> None:
    counts = Counter(owner.outcome for owner in done.owners)
    told = {name: counts[name] for name in ("copied", "updated", "there")}
    session.tell("would_copy" if done.dry_run else "copied", source=done.source, target=done.target, **told)
    tables = list(dict.fromkeys(part.table for owner in done.owners for part in owner.tables))
    session.screen.rows("table", "rows", rows=[(name, str(done.rows(name))) for name in tables])
    if done.owners and not done.dry_run:
        session.tell("copy_agrees")

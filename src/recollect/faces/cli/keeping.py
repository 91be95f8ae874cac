"""`doctor`, `backup` and `config show`: looking after a memory."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import click

from recollect.domain.errors import RecollectError
from recollect.faces.cli.command import Command
from recollect.faces.cli.session import Session

if TYPE_CHECKING:
    from pydantic import BaseModel

    from recollect import Memory

Level = Literal["ok", "warn", "fail"]

_KEY_NAMES = (
    "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY", "DASHSCOPE_API_KEY", "ZHIPUAI_API_KEY",
    "MOONSHOT_API_KEY", "SILICONFLOW_API_KEY",
)  # fmt: skip
_DEFAULT = "default"
_REFERENCE = re.compile(r"\$\{\w+\}")
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]*@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that the doctor looked at."""

    check: str
    level: Level
    message: str


@click.command(cls=Command)
@click.pass_context
def doctor(ctx: click.Context) -> None:
    session: Session = ctx.obj
    checks = [*_database_checks(session), *_surroundings(session)]
    broken = any(check.level == "fail" for check in checks)
    if session.json:
        session.answer({"checks": [asdict(check) for check in checks], "sound": not broken})
    else:
        for check in checks:
            if not session.quiet or check.level != "ok":
                session.tell("check", level=f"{check.level:4}", message=check.message)
    ctx.exit(1 if broken else 0)


def _database_checks(session: Session) -> Iterator[Check]:
    try:
        with session.memory() as memory:
            yield from _inside(session, memory)
    except RecollectError as problem:
        yield Check(check="database", level="fail", message=problem.text(session.lang))


def _inside(session: Session, memory: "Memory") -> Iterator[Check]:
    health = memory.upkeep.check()
    database = health.database

    def judged(name: str, wrong: object, level: Level = "fail", **facts: object) -> Check:
        message = session.say(f"doctor_{name}_bad" if wrong else f"doctor_{name}", **facts)
        return Check(check=name, level=level if wrong else "ok", message=message)

    folder = Path(database.place).parent
    yield judged("folder", not os.access(folder, os.W_OK), folder=str(folder))
    yield judged("engine", None, engine=database.engine, version=database.version, place=database.place)
    old = database.schema != database.newest_schema
    yield judged("schema", old, schema=database.schema, newest=database.newest_schema)
    problems = database.problems
    yield judged("integrity", problems, count=len(problems), first=problems[0] if problems else "")
    miscounted = ", ".join(health.miscounted)
    yield judged("counters", miscounted, names=miscounted, owners=health.owners, records=health.records)
    yield judged("orphans", health.orphans, count=health.orphans)
    yield judged("jobs", health.jobs_failed, "warn", waiting=health.jobs_waiting, failed=health.jobs_failed)


def _surroundings(session: Session) -> Iterator[Check]:
    yield Check(check="embedder", level="warn", message=session.say("doctor_embedder"))
    found = ", ".join(name for name in _KEY_NAMES if os.environ.get(name))
    message = session.say("doctor_keys", names=found) if found else session.say("doctor_no_keys")
    yield Check(check="keys", level="ok", message=message)
    yield Check(check="connections", level="ok", message=session.say("doctor_connections"))


@click.command(cls=Command)
@click.argument("file")
@click.pass_obj
def backup(session: Session, *, file: str) -> None:
    with session.memory() as memory:
        path = memory.upkeep.backup(file)
    size = path.stat().st_size
    if session.json:
        session.answer({"file": str(path), "bytes": size})
    else:
        session.remark("backed_up", file=str(path), size=f"{size / 1024:.0f}")


@click.command("show", cls=Command)
@click.pass_obj
def show_settings(session: Session) -> None:
    settings = session.settings()
    rows = [(name, _masked(value, name), _source(session, name, given)) for name, value, given in _flat(settings)]
    place = _masked(settings.database_place())
    if session.json:
        listed = [{"name": name, "value": value, "source": source} for name, value, source in rows]
        session.answer({"settings": listed, "place": place})
        return
    shown = [(name, str(value), session.say(source) if source == _DEFAULT else source) for name, value, source in rows]
    session.screen.rows("setting", "value", "source", rows=shown)
    session.tell("place", place=str(place))


def _flat(model: "BaseModel", prefix: str = "") -> Iterator[tuple[str, object, bool]]:
    """Return each setting by its dotted name, its value, and whether somebody gave it."""
    from pydantic import BaseModel

    for name, value in model:
        if isinstance(value, BaseModel):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, Mapping):
            for agent, choices in cast(
                "Mapping[str, BaseModel]", value
            ).items():  # of an agent only what it does not share with all
                yield from (row for row in _flat(choices, f"{prefix}{name}.{agent}.") if row[2])
        else:
            yield prefix + name, value, name in model.model_fields_set


def _source(session: Session, name: str, given: bool) -> str:
    """Return what a value comes from: an option, a variable of the environment, a file, or nothing but the default."""
    if name == "lang":
        return session.lang_source or _DEFAULT
    options = {"database": session.db, "data": session.data, "user": session.user, "agent": session.agent}
    if options.get(name) is not None:
        return "--db" if name == "database" else f"--{name}"
    variable = "RECOLLECT_" + name.upper().replace(".", "__")
    if os.environ.get(variable) and not (name == "database" and session.data is not None):
        return variable
    return session.db if given and session.db else _DEFAULT


def _masked(value: object, name: str = "") -> object:
    """Return a value as it may be shown: of a key only the variable that holds it, of an address no password."""
    if name.endswith("api_key") and value and not _REFERENCE.fullmatch(str(value)):
        return "***"
    return _PASSWORD.sub(r"\1***@", value) if isinstance(value, str) else value

"""`doctor`, `backup` and `config show`: looking after a memory."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, cast

import click

from recollect.faces.cli.command import Command
from recollect.faces.cli.judging import Check, database_checks, tell_checks
from recollect.faces.cli.session import Session

if TYPE_CHECKING:
    from pydantic import BaseModel

    from recollect import Settings

_KEY_NAMES = (
    "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DEEPSEEK_API_KEY", "DASHSCOPE_API_KEY", "ZHIPUAI_API_KEY",
    "MOONSHOT_API_KEY", "SILICONFLOW_API_KEY",
)  # fmt: skip
_DEFAULT = "default"
OPENAI = "https://api.openai.com/v1"
_REFERENCE = re.compile(r"\$\{\w+\}")
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]*@")


@click.command(cls=Command)
@click.pass_context
def doctor(ctx: click.Context) -> None:
    session: Session = ctx.obj
    settings = session.settings()
    checks = [*database_checks(session, settings), *_surroundings(session, settings)]
    ctx.exit(tell_checks(session, checks))


def _surroundings(session: Session, settings: "Settings") -> Iterator[Check]:
    from recollect.wiring import is_server

    found = ", ".join(name for name in _KEY_NAMES if os.environ.get(name))
    message = session.say("doctor_keys", names=found) if found else session.say("doctor_no_keys")
    yield Check(check="keys", level="ok", message=message)
    service = settings.embedder
    key = "doctor_service" if service.provider == "openai" else "doctor_connections"
    if is_server(settings.database_place(settings.agent)):
        key += "_server"
    yield Check(check="connections", level="ok", message=session.say(key, place=service.base_url or OPENAI))


@click.command(cls=Command)
@click.pass_obj
def reindex(session: Session) -> None:
    with session.memory() as memory, session.progress("embedding") as progress:
        done = memory.upkeep.reindex(progress)
    if session.json:
        session.answer(asdict(done))
    else:
        session.remark("reindexed", **asdict(done))


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

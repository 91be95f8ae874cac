"""`doctor`, `backup` and `config show`: looking after a memory."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from recollect.domain.errors import StorageError
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
_OPENAI = "openai"
_ALONE = ("auto", "none", "builtin", "local", "fake")  # providers that need nobody else
_DEFAULT = "default"
OPENAI = "https://api.openai.com/v1"
_REFERENCE = re.compile(r"\$\{\w+\}")
_PASSWORD = re.compile(r"(://[^:/@\s]*:)[^@\s]*@")


@click.command(cls=Command)
@click.pass_context
def doctor(ctx: click.Context) -> None:
    session: Session = ctx.obj
    settings = session.settings()
    ctx.exit(tell_checks(session, _everything(session, settings)))


def _everything(session: Session, settings: "Settings") -> Iterator[Check]:
    from recollect.wiring import each_database

    each = each_database(settings)
    for agent, own in each.items():
        made = not (agent or settings.database)  # what nobody named may be new, what is named may be mistyped
        yield from (replace(check, agent=agent) for check in database_checks(session, own, made=made))
    yield from _surroundings(session, settings, [own.database_place() for own in each.values()])


def _surroundings(session: Session, settings: "Settings", places: Sequence[str]) -> Iterator[Check]:
    from recollect.wiring import is_server

    chosen = settings.embedder
    provider = chosen.provider
    for key, names in _keys(provider, chosen.api_key):
        message = session.say(key, names=", ".join(names), provider=provider)
        yield Check(check="keys", level="ok", message=message)
    key = {_OPENAI: "doctor_service"}.get(provider, "doctor_connections" if provider in _ALONE else "doctor_plugin")
    if any(map(is_server, places)):
        key += "_server"
    message = session.say(key, place=chosen.base_url or OPENAI, provider=provider)
    yield Check(check="connections", level="ok", message=message)


def _keys(provider: str, given: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield what is to be said of keys, and where they are: those that are used, then those that merely are there."""
    used = [name.strip("${}") for name in _REFERENCE.findall(given)] or ["embedder.api_key"]
    is_used = bool(given) and provider not in _ALONE
    if is_used:
        yield "doctor_key", used
    found = [name for name in _KEY_NAMES if os.environ.get(name) and not (is_used and name in used)]
    if found:
        yield "doctor_keys" if provider in (*_ALONE, _OPENAI) else "doctor_keys_plugin", found
    elif not is_used:
        yield "doctor_no_keys", ()


@click.command(cls=Command)
@click.pass_obj
def reindex(session: Session) -> None:
    with session.memory() as memory, session.progress("embedding") as progress:
        done = memory.upkeep.reindex(progress)
    if session.json:
        session.answer(asdict(done))
    else:
        nothing = not (done.embedded or done.left)
        session.remark("doctor_vectors" if nothing else "reindexed", **asdict(done))


@click.command(cls=Command)
@click.argument("file")
@click.pass_obj
def backup(session: Session, *, file: str) -> None:
    from recollect.wiring import each_database, need_memory, open_once

    each = each_database(session.settings())
    files = {agent: _named_for(Path(file), agent) for agent in each}
    for copy in files.values():
        if os.path.lexists(copy):
            raise StorageError("file_exists", file=str(copy))
    for own in each.values():
        need_memory(own)
    written: list[dict[str, object]] = []
    for agent, copy in files.items():
        with open_once(each[agent]) as memory:
            size = memory.upkeep.backup(copy).stat().st_size
        written.append({"agent": agent, "file": str(copy), "bytes": size})
        session.remark("backed_up", file=str(copy), size=f"{size / 1024:.0f}")
    if session.json:
        session.answer({"file": str(files[""]), "bytes": written[0]["bytes"], "agents": written[1:]})


def _named_for(file: Path, agent: str) -> Path:
    """Return the file for an agent's own database, beside that for the common one."""
    if not agent:
        return file
    plain = "".join(one if one.isalnum() or one in "-_" else f"%{ord(one):02x}" for one in agent)
    return file.parent / f"{file.stem}.{plain}{file.suffix}"


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

"""Commands and groups as this command line has them: help in two languages, and the same options everywhere."""

import json
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from recollect.domain.errors import Invalid
from recollect.faces.cli.failing import Mistake
from recollect.faces.cli.helping import help_of
from recollect.faces.cli.session import LANGUAGES, Session

Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def whole(_ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Return an option as a whole number; what it may be is checked where it is used."""
    try:
        return None if value is None else int(value)
    except ValueError as problem:
        raise Invalid("not_whole", _path(param), given=repr(value)) from problem


def score(_ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Return an option as a number."""
    try:
        return None if value is None else float(value)
    except ValueError as problem:
        raise Invalid("bad_score", _path(param)) from problem


class Command(click.Command):
    """A command that takes the options of every command after its own name too."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.params += everywhere(hidden=True)

    def get_help(self, ctx: click.Context) -> str:
        return _help(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        try:
            super().parse_args(ctx, args)
        except click.UsageError as problem:
            problem.ctx = ctx  # so that the complaint names this command
            raise
        if ctx.args and not ctx.resilient_parsing:
            raise Mistake("too_many_arguments", given=" ".join(ctx.args), command=ctx.command_path)
        return ctx.args


class Group(click.Group):
    """A group whose commands are loaded when one of them runs: `homes` says where each is."""

    def __init__(self, name: str, homes: Mapping[str, str], *, params: Sequence[click.Parameter]) -> None:
        super().__init__(name, params=list(params), invoke_without_command=True, callback=_show_help)
        self._homes = homes

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        home = self._homes.get(cmd_name)
        if home is None:
            return None
        module, _, attribute = home.partition(":")
        return getattr(import_module(module), attribute)

    def get_help(self, ctx: click.Context) -> str:
        return _help(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in self._homes and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = ", ".join(get_close_matches(name, self._homes))
            key = "no_such_command_near" if near else "no_such_command"
            raise Mistake(key, name, near=near, command=ctx.command_path)
        return super().resolve_command(ctx, args)


def everywhere(*, hidden: bool) -> list[click.Parameter]:
    """Return the options of every command: shown by the root, understood behind each command."""

    def option(name: str, metavar: str | None = None) -> click.Option:
        return click.Option(
            [name],
            metavar=metavar,
            is_flag=metavar is None,
            default=None,
            hidden=hidden,
            expose_value=False,
            callback=_choose,
        )

    values = {"--data": "DIR", "--db": "URL", "--agent": "NAME", "--user": "NAME", "--lang": "zh|en"}
    flags = ("--json", "--quiet", "--no-color")
    return [*(option(name, metavar) for name, metavar in values.items()), *map(option, flags)]


def _choose(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value is None or value is False or not isinstance(ctx.obj, Session):
        return
    if param.name == "lang" and value not in LANGUAGES:
        raise Invalid("not_one_of", "--lang", given=repr(value), allowed=", ".join(LANGUAGES))
    if param.name == "no_color":
        ctx.obj.color = not value
    else:
        setattr(ctx.obj, param.name, value)


def _show_help() -> None:
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


def _help(ctx: click.Context) -> str:
    session = ctx.obj if isinstance(ctx.obj, Session) else None
    text = help_of(ctx, session.lang if session else "en")
    return json.dumps({"command": ctx.command_path, "help": text}) if session and session.json else text


def _path(param: click.Parameter) -> str:
    return max(param.opts, key=len)

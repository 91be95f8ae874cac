"""The root of the command line, and the border behind which no exception shows."""

import io
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn

import click

from recollect.faces.cli.command import Group, everywhere
from recollect.faces.cli.failing import answered
from recollect.faces.cli.session import Session

_HOME = "recollect.faces.cli."
_MEMORY = {
    "add": _HOME + "saving:add",
    "list": _HOME + "reading:list_notes",
    "show": _HOME + "reading:show",
    "edit": _HOME + "saving:edit",
    "rm": _HOME + "removing:remove",
    "restore": _HOME + "removing:restore",
    "history": _HOME + "reading:history",
    "trash": _HOME + "reading:trash",
}
_DB = {
    "init": _HOME + "sharding:init",
    "status": _HOME + "databases:status",
    "check": _HOME + "databases:check",
    "migrate": _HOME + "databases:migrate",
    "copy": _HOME + "databases:copy",
    "fulltext": _HOME + "databases:fulltext",
}
_ROOT = {
    "memory": _HOME + "main:memory",
    "recall": _HOME + "recalling:recall",
    "recalls": _HOME + "recalling:recalls",
    "check": _HOME + "checking:check",
    "undo": _HOME + "removing:undo",
    "reindex": _HOME + "keeping:reindex",
    "doctor": _HOME + "keeping:doctor",
    "backup": _HOME + "keeping:backup",
    "export": _HOME + "transfer:export",
    "import": _HOME + "transfer:import_file",
    "db": _HOME + "main:db",
    "config": _HOME + "main:config",
    "demo": _HOME + "demo:demo",
}


class Root(Group):
    """The command `recollect`."""

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        """Run, answer, and exit with the status that says how it went."""
        arguments = list(sys.argv[1:] if args is None else args)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")  # a console without a character still shows which
        session = Session(arguments)
        # Shells expand what they should: a question with a ? and an agent * are not names of files.
        fixed = {"prog_name": "recollect", "standalone_mode": False, "windows_expand_args": False, "obj": session}
        run = partial(super().main, arguments, **{**extra, **fixed})
        sys.exit(answered(session, run))


def _show_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        if isinstance(ctx.obj, Session) and ctx.obj.json:
            ctx.obj.answer({"version": version("recollect")})
        else:
            print(f"recollect {version('recollect')}")
        ctx.exit()


_version = click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_show_version)

memory = Group("memory", _MEMORY, params=everywhere(hidden=True))
db = Group("db", _DB, params=everywhere(hidden=True))
config = Group("config", {"show": _HOME + "keeping:show_settings"}, params=everywhere(hidden=True))
cli = Root("recollect", _ROOT, params=[*everywhere(hidden=False), _version])


def main() -> NoReturn:
    """Run the command line of this process."""
    cli.main()

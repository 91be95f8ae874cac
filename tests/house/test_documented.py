"""Every command, option, error code and setting stands in the reference."""

import importlib
import re
from collections.abc import Iterable, Iterator

import click
import pytest
from pydantic import BaseModel, Field

from tests.house.tree import ROOT

HEADING = re.compile(r"^#+ .*$", re.MULTILINE)


def reference(name: str) -> str:
    return (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")


def sections(text: str) -> Iterator[tuple[str, str]]:
    """Pair each heading with the text below it, up to the next heading."""
    found = list(HEADING.finditer(text))
    for heading, following in zip(found, [*found[1:], None], strict=True):
        yield heading.group(), text[heading.end() : following.start() if following else len(text)]


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below and not below.hidden:
                yield from commands(below, f"{path} {name}")


def options(command: click.Command) -> list[str]:
    shown = (option for option in command.params if isinstance(option, click.Option) and not option.hidden)
    return [max(option.opts, key=len) for option in shown if option.name != "help"]


def undocumented_commands(root: click.Command, text: str) -> list[str]:
    """Name what has no section of its own, and options named neither there nor in a section above it.

    A section belongs to the command that its heading names in full: ## `recollect memory add`.
    """
    said = {
        path: "".join(body for heading, body in sections(text) if re.search(rf"\b{re.escape(path)}`?\s*$", heading))
        for path, _ in commands(root, "recollect")
    }
    missing: list[str] = []
    for path, command in commands(root, "recollect"):
        words = path.split()
        heard = "".join(said.get(" ".join(words[:count]), "") for count in range(1, len(words) + 1))
        if not said[path].strip():
            missing.append(path)
        missing += [
            f"{path} {name}" for name in options(command) if not re.search(rf"{re.escape(name)}(?![\w-])", heard)
        ]
    return missing


def setting_names(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from setting_names(kind, f"{prefix}{name}.")
        else:
            yield prefix + name


def unnamed(names: Iterable[str], text: str) -> list[str]:
    """Name what does not stand in the text as code."""
    return [name for name in names if f"`{name}`" not in text]


def test_every_command_and_option() -> None:
    assert undocumented_commands(importlib.import_module("recollect.faces.cli.main").cli, reference("cli.md")) == []


def test_every_error_code() -> None:
    codes = importlib.import_module("recollect.domain.errors").STATUS
    assert codes
    assert unnamed(codes, reference("errors.md")) == []


def test_every_setting() -> None:
    names = list(setting_names(importlib.import_module("recollect.settings").Settings))
    assert names
    assert unnamed(names, reference("settings.md")) == []


def planted_commands() -> click.Group:
    add = click.Command("add", params=[click.Option(["-t", "--type"]), click.Option(["--json"])])
    hidden = click.Command("secret", params=[click.Option(["--never"])], hidden=True)
    memory = click.Group("memory", commands=[add, hidden])
    return click.Group("recollect", commands=[memory], params=[click.Option(["--user"])])


TOLD = """
# The command line, `recollect`
Everywhere: `--user`, `--json`.
## `recollect memory`
Notes.
### `recollect memory add`
`--type TYPE` is one of four.
"""


def test_a_told_command_line_is_complete() -> None:
    assert undocumented_commands(planted_commands(), TOLD) == []


@pytest.mark.parametrize(
    ("said", "instead", "missing"),
    [
        (
            "### `recollect memory add`",
            "### `recollect memory append`",
            ["recollect memory add", "recollect memory add --type"],
        ),
        ("`--type TYPE`", "`--types TYPE`", ["recollect memory add --type"]),
        ("`--user`", "`-u`", ["recollect --user"]),
        ("Notes.", "", ["recollect memory"]),
    ],
)
def test_an_untold_command_is_named(said: str, instead: str, missing: list[str]) -> None:
    assert undocumented_commands(planted_commands(), TOLD.replace(said, instead)) == missing


class Inner(BaseModel):
    depth: int = 1


class Outer(BaseModel):
    inner: Inner = Field(default_factory=Inner)
    name: str = ""


def test_an_untold_setting_is_named() -> None:
    assert list(setting_names(Outer)) == ["inner.depth", "name"]
    assert unnamed(setting_names(Outer), "`name` and depth") == ["inner.depth"]

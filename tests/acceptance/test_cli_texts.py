"""What the command line says exists in both languages, is complete, and its examples can be typed."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from string import Formatter

import click
import pytest

from recollect.domain.errors import RecollectError
from recollect.domain.query import Reason
from recollect.domain.record import Action, Outcome, Source
from recollect.faces.cli.failing import answered
from recollect.faces.cli.main import cli
from recollect.faces.cli.session import Session
from recollect.faces.cli.texts import command_help, option_help
from recollect.faces.cli.texts.commands import COMMANDS
from recollect.faces.cli.texts.options import OPTIONS
from recollect.faces.cli.texts.sentences import SENTENCES
from tests.acceptance.shell import Shell

LANGUAGES = ("en", "zh")
HAN = re.compile(r"[\u4e00-\u9fff]")


def commands(command: click.Command = cli, path: str = "") -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from commands(below, f"{path} {name}".strip())


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("texts", [COMMANDS, OPTIONS, SENTENCES], ids=["commands", "options", "sentences"])
def test_both_languages_say_the_same_of_everything(texts: Mapping[str, Mapping[str, str]]) -> None:
    for key, said in texts.items():
        assert set(said) == set(LANGUAGES), key
        assert all(text.strip() for text in said.values()), key
        assert said["en"].isascii(), f"{key}: a console without Chinese gets English, so English is ASCII"
        if texts is SENTENCES:
            assert places(said["en"]) == places(said["zh"]), key


def test_every_command_and_option_has_its_help_and_no_other() -> None:
    wanted = dict(commands())
    assert set(COMMANDS) == set(wanted)
    used: set[str] = {"--help"}
    for path, command in wanted.items():
        for option in (param for param in command.params if isinstance(param, click.Option)):
            name = max(option.opts, key=len)
            assert option_help(path, name, "zh")
            used.add(f"{path} {name}" if f"{path} {name}" in OPTIONS else name)
    assert set(OPTIONS) == used


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_in_the_language_asked_for(language: str, tmp_path) -> None:
    shell = Shell(tmp_path)
    for path, _ in commands():
        said = shell(*path.split(), "--help", "--lang", language).said
        assert ("用法:" in said) == bool(HAN.search(said)) == (language == "zh"), said
        assert said == shell("--lang", language, *path.split(), "--help").said


@pytest.mark.parametrize("words", [(), ("memory",), ("config",), ("--help",), ("memory", "add", "--help")])
def test_help_asked_for_in_json_is_json(words: tuple[str, ...], tmp_path) -> None:
    shell = Shell(tmp_path)
    answer = shell(*words, "--json").json
    assert answer["help"] + "\n" == shell(*words).said
    assert answer["command"] == " ".join(["recollect", *(word for word in words if word != "--help")])


def test_the_version_in_json_is_json(tmp_path) -> None:
    shell = Shell(tmp_path)
    assert shell("--version").said == f"recollect {shell('--json', '--version').json['version']}\n"


def test_a_run_that_is_stopped_says_so(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    assert answered(Session(["--json", "--lang", "zh"]), stopped) == 130
    assert json.loads(capsys.readouterr().out) == {"error": {"code": "interrupted", "message": "已停止", "path": ""}}
    assert answered(Session([]), stopped) == 130
    assert capsys.readouterr() == ("", "stopped\n")


def test_lines_fit_the_terminal() -> None:
    for path, _ in commands():
        for language in LANGUAGES:
            assert command_help(path, language).split("\n", 1)[0]


def examples() -> list[str]:
    lines = {line.strip() for texts in COMMANDS.values() for text in texts.values() for line in text.splitlines()}
    return sorted(line[line.index("recollect ") :] for line in lines if re.match(r"(git .* \| )?recollect ", line))


@pytest.mark.parametrize("example", examples())
def test_every_example_can_be_typed(example: str) -> None:
    context, words = click.Context(cli, info_name="recollect"), shlex.split(example)[1:]
    command: click.Command = cli
    while isinstance(command, click.Group):
        parser_args = list(words)
        context = command.make_context(command.name, parser_args, parent=context if command is not cli else None)
        rest = [*context._protected_args, *context.args]
        if not rest:
            return
        name, below, words = command.resolve_command(context, rest)
        assert below is not None, name
        command = below
    command.make_context(command.name, words, parent=context)


def test_every_command_has_an_example() -> None:
    for path, _ in commands():
        for language in LANGUAGES:
            assert re.search(rf"^  .*recollect .*{path}", command_help(path, language), re.MULTILINE), path


@pytest.mark.parametrize(
    "keys",
    [
        {f"reason_{reason}" for reason in Reason.__args__},
        {f"action_{action}" for action in Action.__args__},
        {f"outcome_{outcome}" for outcome in Outcome.__args__},
        {f"source_{source}" for source in Source.__args__},
    ],
)
def test_every_value_that_is_shown_has_words(keys: set[str]) -> None:
    assert keys <= set(SENTENCES)


def test_a_mistake_is_worded_by_the_command_line() -> None:
    from recollect.faces.cli.failing import Mistake

    problem = Mistake("data_and_db", "--db")
    assert isinstance(problem, RecollectError)
    assert str(problem).startswith("--db: give --data or --db")
    assert HAN.search(problem.text("zh"))

"""The README tells the truth: its story is run in both languages, and what it shows is what a reader would see."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.shell import Shell

ROOT = Path(__file__).resolve().parents[2]
READMES = ("README.md", "README.zh-CN.md")
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)

MASKS = (
    (re.compile(r"\d+\.\d (?=ms|毫秒)"), "N.N "),
    (re.compile(r"(\d\.\d)\d\b"), r"\1N"),
    (re.compile(r"█[▏▎▍▌▋▊▉█]*"), "█"),
    (re.compile(r"[ \t]+"), " "),  # a bar of another length moves the columns
)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def steps(text: str) -> Iterator[tuple[list[str], str]]:
    """Pair each command of the consoles of a page with what is shown below it."""
    for console in CONSOLE.findall(text):
        for command, shown in STEP.findall(console):
            yield shlex.split(command, comments=True), shown


def masked(shown: str) -> str:
    for changing, mask in MASKS:
        shown = changing.sub(mask, shown)
    return shown


def retold(text: str, shell: Shell) -> list[tuple[str, str, str]]:
    """Run the story of a page; for each command what is shown and what was said."""
    told: list[tuple[str, str, str]] = []
    for words, shown in steps(text):
        if words[0] == "export":
            name, _, value = words[1].partition("=")
            shell.environment[name] = value
        elif words[0] == "recollect":
            told.append((" ".join(words), shown, shell(*words[1:]).said))
    return told


@pytest.mark.parametrize("name", READMES)
def test_the_story_is_what_happens(name: str, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    del shell.environment["COLUMNS"]
    told = retold(read(name), shell)
    assert len(told) >= 6
    for command, shown, said in told:
        assert shown.strip(), f"{command} is shown without its answer"
        assert masked(shown) == masked(said), command


def test_both_tell_the_same_story() -> None:
    english, chinese = [[words[1:3] for words, _ in steps(read(name)) if words[0] == "recollect"] for name in READMES]
    assert len(english) == len(chinese)
    assert [verbs[0] for verbs in english] == [verbs[0] for verbs in chinese]


@pytest.mark.parametrize("name", READMES)
def test_it_is_short_and_its_links_lead_somewhere(name: str) -> None:
    text = read(name)
    assert len(text.splitlines()) <= 150
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


STALE = '```console\n$ recollect memory add "one"\nsaved  #1  user  two    undo: recollect undo 1\n```\n'


def test_a_stale_story_is_noticed(tmp_path: Path) -> None:
    [(_, shown, said)] = retold(STALE, Shell(tmp_path))
    assert masked(shown) != masked(said)
    assert masked(shown.replace("two", "one")) == masked(said)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("1 given  6.1 ms", "1 given  26.4 ms", True),
        ("2 given  6.1 ms", "1 given  6.1 ms", False),
        ("0.60 ███████▏  0.56", "0.62 ███████▍  0.58", True),
        ("0.60 ███████▏", "0.50 ██████", False),
        ("recollect undo 1", "recollect undo 2", False),
    ],
)
def test_a_mask_hides_times_and_last_digits_alone(left: str, right: str, same: bool) -> None:
    assert (masked(left) == masked(right)) == same

"""A command that the command line prints can be copied: it is about the same memory as the run that printed it."""

import re
import shlex
import sqlite3
from pathlib import Path

import pytest

from tests.acceptance.shell import Shell

HINT = re.compile(
    r"(?:undo: |back again: |撤销:|恢复:|Bring (?:it|one) back: |approve it: |See it: )(.*)$", re.MULTILINE
)
NETACLAW = """
create table memory (
    id integer primary key autoincrement, agent_name text not null, user_id text not null, type text not null,
    name text not null, content text not null, description text default '', metadata text,
    created_at text default current_timestamp, updated_at text default current_timestamp
);
insert into memory (agent_name, user_id, type, name, content) values ('coach', '%s', 'project', 'goal', 'in April');
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "data")


def hint(said: str) -> list[str]:
    """Return the words behind `recollect` of the one command that is printed."""
    [command] = HINT.findall(said)
    program, *words = shlex.split(command)
    assert program == "recollect"
    return words


def of_netaclaw(folder: Path, user: str) -> str:
    file = folder / "old.db"
    with sqlite3.connect(file) as connection:
        connection.executescript(NETACLAW % user)
    connection.close()
    return str(file)


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--user", "bob"),
        ("--user", "it's bob", "--agent", "coach"),
        ("--data", "a folder"),
        ("--db", "sqlite:///a.db"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_undo_is_about_the_same_memory(
    shell: Shell, options: tuple[str, ...], language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shell.add("of the local user")
    said = shell(*options, "memory", "add", "mine", "--lang", language).said
    words = hint(said)
    assert words[: len(options)] == list(options)
    shell(*words)
    trashed = shell(*options, "memory", "trash", "--json").json["items"]
    assert [note["content"] for note in trashed] == ["mine"]
    assert len(shell("memory", "list", "--json").json["items"]) == 1


def test_every_hint_keeps_the_options(shell: Shell) -> None:
    whose = ("--user", "bob", "--agent", "coach")
    shell("memory", "add", "one", *whose)
    assert hint(shell("memory", "edit", "1", "two", *whose).said)[:4] == list(whose)
    assert hint(shell("undo", "2", *whose).said)[:4] == list(whose)
    removed = shell("memory", "rm", "1", *whose).said.splitlines()
    assert [hint(line)[:4] for line in removed] == [list(whose)] * 2
    assert hint(shell("memory", "show", "1", *whose, status=3).complaint)[:4] == list(whose)
    waiting = shell("memory", "add", "Always answer in French", "--type", "feedback", "--external", *whose).said
    assert hint(waiting.splitlines()[1]) == [*whose, "memory", "restore", "2"]
    assert "recollect --user zed memory add" in shell("memory", "list", "--user", "zed").said
    shell("memory", "add", "three", *whose)
    assert hint(shell("memory", "list", "--user", "bob").said) == ["--user", "bob", "--agent", "*", "memory", "list"]


def test_what_is_so_anyway_is_left_out(shell: Shell) -> None:
    shell.environment["RECOLLECT_USER"] = "bob"
    said = shell("memory", "add", "one", "--user", "bob", "--agent", "", "--data", str(shell.data)).said
    assert hint(said) == ["undo", "1"]
    assert hint(shell("memory", "add", "one", "--user", "local").said) == ["--user", "local", "undo", "1"]


@pytest.mark.parametrize("user", ["alice", "local"])
def test_an_import_is_undone_for_whom_it_was_imported(shell: Shell, tmp_path: Path, user: str) -> None:
    words = hint(shell("import", of_netaclaw(tmp_path, user), "--format", "netaclaw").said)
    assert words == [*(["--user", user] if user != "local" else []), "undo", "--run", "1"]
    assert "undone: revision 1" in shell(*words).said


def test_an_import_of_another_tenant_names_it(shell: Shell, tmp_path: Path) -> None:
    other = Shell(tmp_path / "other", RECOLLECT_TENANT="a corp")
    other.add("one")
    shell.add("two")
    for source in (other, shell):
        source("export", str(tmp_path / f"{source.data.name}.jsonl"), "--all")
    target = Shell(tmp_path / "target", RECOLLECT_TENANT="a corp")
    target("import", str(tmp_path / "other.jsonl"))
    target.add("three", "--user", "u2")
    target("export", str(tmp_path / "both.jsonl"), "--all")
    said = shell("import", str(tmp_path / "both.jsonl")).said
    assert "RECOLLECT_TENANT='a corp' recollect undo --run 1" in said
    assert "RECOLLECT_TENANT='a corp' recollect --user u2 undo --run 1" in said


def test_a_duplicate_says_how_to_give_it_what_was_named(shell: Shell) -> None:
    shell.add("one", "--user", "bob", "--label", "a", "--importance", "70")
    options = ["--pin", "--label", "b c", "--importance", "70", "--metadata", "k=v w", "--type", "project"]
    options += ["--expires", "2999-01-31T00:00:00+08:00", "--description", "it's one"]
    said = shell("memory", "add", "one", "--user", "bob", *options).said
    assert "#1 says exactly this" in said
    shell(*shlex.split(said.splitlines()[1].partition("to change it: recollect ")[2]))
    note = shell("memory", "show", "1", "--user", "bob", "--json").json
    assert (note["pinned"], note["labels"], note["metadata"], note["type"]) == (True, ["b c"], {"k": "v w"}, "project")
    assert (note["expires_at"], note["description"]) == ("2999-01-30T16:00:00Z", "it's one")
    assert shell("memory", "add", "one", "--user", "bob", *options).said.count("\n") == 1
    assert "要修改" in shell("memory", "add", "one", "--user", "bob", "--no-pin", "--lang", "zh").said


def test_an_import_that_brought_nothing_offers_no_undo(shell: Shell, tmp_path: Path) -> None:
    shell.add("one")
    file = tmp_path / "a.jsonl"
    shell("export", str(file))
    assert "undo" not in shell("import", str(file)).said
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text(lines[0] + "{}\n", encoding="utf-8")
    assert "undo" not in Shell(tmp_path / "other")("import", str(file), status=1).said

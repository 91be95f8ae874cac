"""`recollect recalls`: what was asked, newest first."""

from pathlib import Path

import pytest

import recollect
from tests.acceptance.shell import Shell


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell(tmp_path / "data")
    made.add("The search release goes live on Monday", "--name", "Search release")
    return made


def test_what_was_asked_is_listed(shell: Shell) -> None:
    assert "nothing was asked" in shell("recalls").said
    shell("recall", "when is the search release?")
    with recollect.open_memory(shell.data / "memory" / "memory.db") as memory:
        memory.prefetch("weather \x1b[31m tomorrow\nforged")
    said = shell("recalls").said
    lines = said.splitlines()
    assert lines[0].split() == ["at", "asked", "by", "question", "given", "left", "out", "ms"]
    assert "prefetch" in lines[1] and "weather" in lines[1] and "\x1b" not in said
    assert "when is the search release?" in lines[2] and "#1" in lines[2] and len(lines) == 3
    assert "#1" not in shell("recalls", "-k", "1", "--quiet").said
    zh = shell("recalls", "--lang", "zh").said
    assert "问题" in zh and "预取" in zh


def test_json_is_the_whole_row(shell: Shell) -> None:
    for at in range(3):
        shell("recall", f"search release {at}")
    page = shell("recalls", "--json", "--limit", "2").json
    assert [row["question"] for row in page["items"]] == ["search release 2", "search release 1"]
    row = page["items"][0]
    assert list(row) == [
        "id", "at", "asked_by", "agent", "session", "question", "hits", "left_out", "floor", "sources", "milliseconds",
    ]  # fmt: skip
    assert (row["asked_by"], row["hits"][0]["id"]) == ("recall", 1)
    rest = shell("recalls", "--json", "--cursor", page["next_cursor"]).json
    assert ([row["question"] for row in rest["items"]], rest["next_cursor"]) == (["search release 0"], None)
    assert "--cursor" in shell("recalls", "--limit", "2").said


def test_a_question_that_was_taken_away_is_shown_as_such(shell: Shell) -> None:
    shell("recall", "search release")
    shell("memory", "rm", "1", "--forget", "--yes")
    assert "(forgotten)" in shell("recalls").said
    assert shell("recalls", "--json").json["items"][0]["question"] is None


def test_the_setting_switches_it_off(shell: Shell) -> None:
    off = Shell(shell.data, RECOLLECT_RECALL__LEDGER="off")
    off("recall", "search release")
    assert shell("recalls", "--json").json["items"] == []

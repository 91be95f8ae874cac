"""Where a memory is opened: what is no place is refused, and a path means what whoever wrote it meant."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect import ConfigError, Settings
from recollect.wiring import to_settings
from tests.integration.programs import needs_posix


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, with a home of its own."""
    for name in ("work", "home", "settings"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("DATABASE", "DATA", "LANG", "PROMPTS__PREFETCH_LIMIT"):
        monkeypatch.delenv(f"RECOLLECT_{name}", raising=False)
    return tmp_path


def refusal(work: Callable[[], object]) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        work()
    return caught.value


@pytest.mark.parametrize("target", [5, b"bytes.db", b"bytes.yaml", ["a.db"], {"database": "a.db"}, 1.5, True])
def test_what_is_no_place_is_refused(elsewhere: Path, target: Any) -> None:
    problem = refusal(lambda: recollect.open_memory(target))
    assert (problem.key, problem.path) == ("not_place", "database") and type(target).__name__ in str(problem)
    assert list((elsewhere / "work").iterdir()) == []


@pytest.mark.parametrize(
    "target", ["dir:./notes", "https://example.com", "nosuch://x", "sqlite://x.db", "file:x.db", "", " ", ":memory:"]
)
def test_an_address_of_another_kind_is_refused(elsewhere: Path, target: str) -> None:
    for work in (
        lambda: recollect.open_memory(target),
        lambda: recollect.open_memory(Settings(database=target or " ")),
    ):
        problem = refusal(work)
        assert (problem.key, problem.path) == ("unknown_url", "database")
    assert list((elsewhere / "work").iterdir()) == []


def place(target: object) -> Path:
    with recollect.open_memory(target) as memory:  # pyright: ignore[reportArgumentType]
        return Path(memory.upkeep.check().database.place)


def test_a_path_is_relative_to_where_it_was_written(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = elsewhere / "settings" / "recollect.yaml"

    def opened(text: str, target: object = file) -> Path:
        file.write_text(text, encoding="utf-8")
        return place(target).resolve().relative_to(elsewhere.resolve())

    assert opened("database: x.db") == Path("settings/x.db")
    assert opened("database: sqlite:///x.db") == Path("settings/x.db")
    assert opened("database: ~/rr/x.db") == Path("home/rr/x.db")
    assert opened(f"database: {elsewhere / 'a.db'}") == Path("a.db")
    assert opened("data: mydata") == Path("settings/mydata/memory/memory.db")
    assert opened("data: ~/mydata") == Path("home/mydata/memory/memory.db")
    assert opened("database: y.db", os.path.relpath(file)) == Path("settings/y.db")
    file.write_text("database: x.db\nagents: {coach: {database: coach.db}}", encoding="utf-8")
    with recollect.open_memory(file) as memory:
        own = Path(memory.within(agent="coach").upkeep.check().database.place)
    assert own.resolve() == (elsewhere / "settings" / "coach.db").resolve()
    monkeypatch.setenv("RECOLLECT_DATABASE", "env.db")
    assert opened("database: x.db") == Path("work/env.db")
    monkeypatch.setenv("RECOLLECT_DATABASE", "~/env.db")
    assert opened("database: x.db") == Path("home/env.db")
    assert place(Path("~/here.db")).relative_to(elsewhere) == Path("home/here.db")


def test_a_drive_letter_is_no_scheme() -> None:
    assert to_settings("C:notes.db").database_place() == "C:notes.db"
    if os.name == "posix":
        assert place("C:notes.db").name == "C:notes.db"


@needs_posix
def test_every_folder_that_is_made_is_private(elsewhere: Path) -> None:
    kept = os.umask(0o022)
    try:
        recollect.open_memory(elsewhere / "a" / "b" / "memory.db").close()
    finally:
        os.umask(kept)
    modes = {name: (elsewhere / name).stat().st_mode & 0o777 for name in ("a", "a/b", "a/b/memory.db")}
    assert modes == {"a": 0o700, "a/b": 0o700, "a/b/memory.db": 0o600}


@pytest.mark.parametrize(
    ("section", "value", "key", "said"),
    [
        ("prefetch_limit", "0", "bound_ge", "'0' 小于 1"),
        ("prefetch_limit", "101", "bound_le", "'101' 大于 100"),
        ("prefetch_limit", "many", "not_whole", "必须是整数"),
        ("enabled", "perhaps", "not_boolean", "必须是 true 或 false"),
        ("placement", "footer", "not_one_of", "'footer' 不在允许的取值之中"),
        ("colour", "red", "unknown_setting", "没有这个设置项"),
    ],
)
def test_a_wrong_setting_is_told_by_its_name_and_in_the_language_asked_for(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, section: str, value: str, key: str, said: str
) -> None:
    file = elsewhere / "settings" / "recollect.yaml"
    file.write_text(f"lang: zh\nprompts:\n  {section}: '{value}'\n", encoding="utf-8")
    problem = refusal(lambda: recollect.open_memory(file))
    assert (problem.key, problem.path) == (key, f"prompts.{section}")
    assert said in str(problem)
    file.write_text("lang: zh\n", encoding="utf-8")
    variable = f"RECOLLECT_PROMPTS__{section.upper()}"
    monkeypatch.setenv(variable, value)
    problem = refusal(lambda: recollect.open_memory(file))
    assert (problem.key, problem.path) == (key, variable) and said in str(problem)


def test_a_file_that_cannot_be_read_is_told_in_both_languages(elsewhere: Path) -> None:
    folder = elsewhere / "settings" / "folder.yaml"
    folder.mkdir()
    problem = refusal(lambda: recollect.open_memory(folder))
    assert "是目录" in problem.text("zh") and "is a folder" in problem.text("en")
    assert refusal(lambda: recollect.open_memory("missing.yaml")).key == "file_missing"

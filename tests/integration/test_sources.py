"""A database that is read, checked or copied from is left as it was found, and a mistyped place is said to be one."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from recollect import open_memory
from tests.acceptance.shell import Shell
from tests.integration.places import SERVERS, NewPlace, Places, asked

TABLES = "select count(*) from information_schema.tables where table_schema = "
OURS = {"postgres": TABLES + "'recollect'", "mysql": TABLES + "database()"}
MISTYPED = [
    "postgresql//host/db", "postgres//host/db", "postgresq//host/db", "mysq//host/db", "sqlite//memory.db",
    "postgresq://host/db", "postgresql:/host/db", "postgresql:host", "mysql:/host/db",
]  # fmt: skip


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Shell(tmp_path / "data")


class TestNothingIsMade(Places):
    @pytest.mark.parametrize("engine", SERVERS)
    def test_an_empty_server_is_no_source(self, place: NewPlace, shell: Shell, tmp_path: Path, engine: str) -> None:
        url, target = place(engine), tmp_path / "target.db"
        said = shell("db", "copy", url, str(target), status=2).complaint
        assert "holds no memory" in said and url.rpartition("/")[2] in said
        assert "db init" in said and "@" not in said
        assert shell("db", "copy", url, str(target), "--json", status=2).json["error"]["code"] == "config"
        check = shell("db", "check", url, "--json", status=1).json["checks"]
        assert [(one["check"], one["level"]) for one in check] == [("database", "fail")]
        assert "没有 recollect 的记忆" in shell("db", "check", url, "--lang", "zh", status=1).said
        assert asked(url, OURS[engine]) == [(0,)]
        assert not target.exists()

    def test_an_empty_file_is_no_source(self, shell: Shell, tmp_path: Path) -> None:
        empty, target = tmp_path / "empty.db", tmp_path / "target.db"
        empty.touch()
        assert "holds no memory" in shell("db", "copy", str(empty), str(target), status=2).complaint
        assert "holds no memory" in shell("db", "check", str(empty), status=1).said
        assert [file.name for file in tmp_path.glob("*.db*")] == ["empty.db"]
        assert empty.stat().st_size == 0

    def test_a_missing_file_is_no_source(self, shell: Shell, tmp_path: Path) -> None:
        absent, target = tmp_path / "folder" / "absent.db", tmp_path / "target.db"
        shell("db", "copy", str(absent), str(target), status=1)
        assert str(absent) in shell("db", "check", str(absent), status=1).said
        assert not absent.parent.exists() and not target.exists()

    def test_a_file_of_an_older_schema_stays_one(self, shell: Shell, tmp_path: Path) -> None:
        old = tmp_path / "old.db"
        with open_memory(old) as memory:
            memory.notes.save("note")
        with closing(sqlite3.connect(old)) as connection:
            connection.execute("pragma user_version = 1")
        said = shell("db", "copy", str(old), str(tmp_path / "target.db"), status=2).complaint
        assert "schema 1" in said and "recollect db migrate" in said
        with closing(sqlite3.connect(old)) as connection:
            assert connection.execute("pragma user_version").fetchone() == (1,)
        assert list(tmp_path.glob("*.bak")) == []

    @pytest.mark.parametrize(
        "words", [("backup", "out.db"), ("export", "out.jsonl"), ("check", "asks.yaml"), ("doctor",)]
    )
    def test_a_mistyped_file_is_not_made(self, shell: Shell, words: tuple[str, ...]) -> None:
        Path("asks.yaml").write_text("- {ask: tea, nothing: true}", encoding="utf-8")
        answer = shell("--db", "absent.db", *words, status=1)
        assert "absent.db does not exist" in answer.said + answer.complaint
        assert [file.name for file in Path.cwd().iterdir()] == ["asks.yaml"]

    @pytest.mark.parametrize("engine", SERVERS)
    def test_a_mistyped_server_stays_empty(self, place: NewPlace, shell: Shell, engine: str) -> None:
        url = place(engine)
        Path("asks.yaml").write_text("- {ask: tea, nothing: true}", encoding="utf-8")
        for words in (("backup", "out.db"), ("export", "out.jsonl"), ("check", "asks.yaml")):
            assert "holds no memory" in shell("--db", url, *words, status=2).complaint
        assert "holds no memory" in shell("--db", url, "doctor", status=1).said
        assert asked(url, OURS[engine]) == [(0,)]
        assert [file.name for file in Path.cwd().iterdir()] == ["asks.yaml"]

    @pytest.mark.parametrize("place", MISTYPED)
    def test_a_mistyped_address_is_said_to_be_one(self, shell: Shell, tmp_path: Path, place: str) -> None:
        with open_memory(tmp_path / "memory.db") as memory:
            memory.notes.save("note")
        good = str(tmp_path / "memory.db")
        for words in (
            ("db", "copy", place, good), ("db", "copy", good, place), ("db", "status", place), ("db", "migrate", place),
            ("--db", place, "memory", "list"), ("--db", place, "db", "init"),
        ):  # fmt: skip
            error = shell(*words, "--json", status=2).json["error"]
            assert error["code"] == "config" and "://" in error["message"], words
        assert "://" in shell("db", "check", place, status=1).said
        assert list(Path.cwd().iterdir()) == []

    def test_a_folder_named_as_an_engine_is_a_folder(self, shell: Shell) -> None:
        Path("mysql").mkdir()
        shell("--db", "mysql/memory.db", "memory", "add", "note")
        shell("--db", "./mysql//memory.db", "memory", "add", "another")
        assert shell("db", "status", "mysql/memory.db", "--json").json["records"] == 2

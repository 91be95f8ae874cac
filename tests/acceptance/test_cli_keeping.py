"""Undo, doctor, backup, export, import and settings on the command line."""

import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.shell import Shell

SUBJECT = "支付模块"
# A full disk as far as a process can tell: no file grows beyond this many bytes, SQLite's shared memory may.
LITTLE_ROOM = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
runpy.run_module("recollect", run_name="__main__", alter_sys=True)
"""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "data")


def texts(shell: Shell, *options: str) -> set[str]:
    return {note["content"] for note in shell("memory", "list", "--limit", "100", "--json", *options).json["items"]}


class TestUndo:
    def test_one_revision(self, shell: Shell) -> None:
        shell.add("one")
        revision = shell("memory", "edit", "1", "two", "--json").json["revision"]
        said = shell("undo", str(revision)).said
        assert said == "undone: revision 2 of #1    back again: recollect undo 3\n"
        assert texts(shell) == {"one"}
        [back] = shell("undo", "3", "--json").json["revisions"]
        assert (back["undoes"], back["record_id"]) == (3, 1)
        assert texts(shell) == {"two"}

    def test_the_newest_after_a_yes(self, shell: Shell) -> None:
        shell.add("one")
        shell.add("two")
        shell("memory", "edit", "1", "one, changed")
        refused = shell("undo", "--json", status=5).json["error"]
        assert refused["code"] == "refused" and "--yes" in refused["message"]
        shell("undo", "--yes")
        assert texts(shell) == {"one", "two"}
        shell("memory", "rm", "2")
        shell("undo", "--yes")
        assert texts(shell) == {"one", "two"}

    def test_each_time_one_step_further_back(self, shell: Shell) -> None:
        for number in range(3):
            shell.add(f"note {number}")
        for left in (2, 1, 0):
            shell("undo", "--yes")
            assert texts(shell) == {f"note {number}" for number in range(left)}
        assert "nothing to undo" in shell("undo", "--yes", status=3).complaint

    def test_the_changes_of_one_memory_are_undone_one_after_the_other(self, shell: Shell) -> None:
        shell.add("one")
        for text in ("two", "three"):
            shell("memory", "edit", "1", text)
        for left in ({"two"}, {"one"}, set[str]()):
            shell("undo", "--yes")
            assert texts(shell) == left
        shell("undo", "--yes", status=3)
        shell("undo", "6")
        assert texts(shell) == {"one"}

    def test_what_was_brought_back_is_undone_again(self, shell: Shell) -> None:
        shell.add("note")
        for _ in range(2):
            [back] = shell("undo", "--yes", "--json").json["revisions"]
            shell("undo", str(back["id"]))
            assert texts(shell) == {"note"}
        shell("undo", "--yes")
        assert texts(shell) == set()

    def test_the_newest_change_of_a_run_undoes_the_run(self, shell: Shell, tmp_path: Path) -> None:
        for number in range(3):
            shell.add(f"note {number}")
        file = tmp_path / "a.jsonl"
        shell("export", str(file))
        other = Shell(tmp_path / "other")
        other.add("stays")
        other("import", str(file))
        assert len(other("undo", "--yes", "--json").json["revisions"]) == 3
        assert texts(other) == {"stays"}

    def test_a_run_by_its_number(self, shell: Shell, tmp_path: Path) -> None:
        shell.add("note")
        file = tmp_path / "a.jsonl"
        shell("export", str(file))
        other = Shell(tmp_path / "other")
        run = other("import", str(file), "--json").json["runs"][0]["run"]
        other("undo", "--run", str(run))
        assert texts(other) == set()

    def test_what_was_touched_later_is_refused_and_named(self, shell: Shell) -> None:
        shell.add("one")
        shell("memory", "edit", "1", "two")
        assert "revision 2" in shell("undo", "1", status=4).complaint
        assert "修订 2" in shell("undo", "1", "--lang", "zh", status=4).complaint

    @pytest.mark.parametrize(
        ("words", "status"), [((), 3), (("99",), 3), (("x",), 2), (("--run", "9"), 3), (("1", "--run", "1"), 2)]
    )
    def test_what_cannot_be_undone(self, shell: Shell, words: tuple[str, ...], status: int) -> None:
        shell("undo", *words, status=status)


class TestDoctor:
    def test_a_sound_memory(self, shell: Shell) -> None:
        shell.add("note")
        checks = {check["check"]: check["level"] for check in shell("doctor", "--json").json["checks"]}
        assert checks == {
            "folder": "ok", "space": "ok", "engine": "ok", "schema": "ok", "integrity": "ok", "counters": "ok",
            "orphans": "ok", "jobs": "ok", "embedder": "warn", "keys": "ok", "connections": "ok",
        }  # fmt: skip
        said = shell("doctor").said
        assert f"SQLite {sqlite3.sqlite_version}" in said
        assert all(line.split()[0] in ("ok", "warn") for line in said.splitlines())

    @pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files")
    def test_a_disk_that_takes_nothing_more_fails(self, shell: Shell) -> None:
        shell.add("note")
        before = sorted(shell.data.rglob("*"))
        done = subprocess.run(
            [sys.executable, "-c", LITTLE_ROOM, "doctor"], env=shell.environment, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 1, done
        assert done.stdout.startswith(f"fail  data folder cannot be written: {shell.data / 'memory'} (File too large)")
        assert sorted(shell.data.rglob("*")) == before

    def test_keys_are_named_never_shown(self, tmp_path: Path) -> None:
        shell = Shell(tmp_path, OPENAI_API_KEY="sk-live-very-secret")
        said = shell("doctor").said
        assert "OPENAI_API_KEY" in said and "very-secret" not in said
        assert "不会使用" in shell("doctor", "--lang", "zh").said

    def test_quiet_tells_the_bad_news_only(self, shell: Shell) -> None:
        assert shell("doctor", "--quiet").said.startswith("warn")

    def test_wrong_counters_fail(self, shell: Shell) -> None:
        shell.add("note")
        with sqlite3.connect(shell.data / "memory" / "memory.db") as connection:
            connection.execute("update owners set active_count = 7")
        connection.close()
        said = shell("doctor", status=1).said
        assert "fail  counters are wrong for default/local" in said
        assert shell("doctor", "--json", status=1).json["sound"] is False

    def test_a_damaged_file_fails(self, shell: Shell) -> None:
        shell.add("note")
        (shell.data / "memory" / "memory.db").write_bytes(b"not a database at all" * 500)
        checks = shell("doctor", "--json", status=1).json["checks"]
        assert (checks[0]["check"], checks[0]["level"]) == ("database", "fail")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_the_background_says_nothing_between_the_lines(shell: Shell, options: tuple[str, ...]) -> None:
    shell.add("note")
    with sqlite3.connect(shell.data / "memory" / "memory.db") as connection:
        connection.execute("drop table jobs")
    connection.close()
    assert shell.process("memory", "list", *options).complaint == ""


class TestBackup:
    def test_a_copy_that_opens(self, shell: Shell, tmp_path: Path) -> None:
        shell.add(SUBJECT)
        copy = tmp_path / "copy.db"
        answer = shell("backup", str(copy), "--json").json
        assert answer == {"file": str(copy), "bytes": copy.stat().st_size, "agents": []}
        assert texts(Shell(tmp_path / "elsewhere"), "--db", str(copy)) == {SUBJECT}
        assert "backed up" in shell("backup", str(tmp_path / "second.db")).said

    def test_never_over_a_file(self, shell: Shell, tmp_path: Path) -> None:
        there = tmp_path / "there"
        there.write_text("precious", encoding="utf-8")
        error = shell("backup", str(there), "--json", status=1).json["error"]
        assert error["code"] == "storage" and str(there) in error["message"]
        assert there.read_text(encoding="utf-8") == "precious"

    def test_into_no_folder(self, shell: Shell, tmp_path: Path) -> None:
        shell("backup", str(tmp_path / "no" / "copy.db"), status=1)


class TestTransfer:
    @pytest.fixture
    def file(self, shell: Shell, tmp_path: Path) -> Path:
        for number in range(12):
            shell.add(f"{SUBJECT} {number}")
        shell.add("of somebody else", "--user", "u2")
        return tmp_path / "export.jsonl"

    def test_there_and_back(self, shell: Shell, file: Path, tmp_path: Path) -> None:
        out = shell("export", str(file), "--json").json
        assert out == {"file": str(file), "records": 12, "revisions": 12, "tombstones": 0}
        other = Shell(tmp_path / "other")
        planned = other("import", str(file), "--dry-run", "--json").json
        assert (planned["dry_run"], planned["created"], planned["rejected"]) == (True, 12, [])
        assert texts(other) == set()
        answer = other("import", str(file)).said
        assert "imported: 12 new, 0 there already" in answer and "recollect undo --run 1" in answer
        assert texts(other) == texts(shell)
        again = other("import", str(file), "--json").json
        assert (again["created"], again["duplicates"]) == (0, 12)

    def test_through_a_pipe(self, shell: Shell, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        out = shell("export", "-", "--quiet")
        other = Shell(tmp_path / "other")
        assert other("import", "-", "--json", stdin=out.said).json["created"] == 12
        assert texts(other) == texts(shell)
        assert other("import", "-", "--json", stdin=out.said).json["duplicates"] == 12
        assert not (tmp_path / "-").exists()
        assert shell.process("export", "-").said.count("\n") == out.said.count("\n")

    @pytest.mark.parametrize(("language", "words"), [("en", "- is not an export"), ("zh", "- 不是 recollect")])
    def test_a_pipe_is_named_as_it_was(self, shell: Shell, file: Path, language: str, words: str) -> None:
        assert words in shell("import", "-", "--lang", language, stdin="# notes", status=2).complaint
        error = shell("export", "-", "--json", "--lang", language, status=2).json["error"]
        assert error["path"] == "file" and "--json" in error["message"]

    def test_everybody(self, shell: Shell, file: Path, tmp_path: Path) -> None:
        assert shell("export", str(file), "--all", "--json").json["records"] == 13
        other = Shell(tmp_path / "other")
        other("import", str(file))
        assert texts(other, "--user", "u2") == {"of somebody else"}

    def test_progress_in_a_pipe_is_a_line_for_every_tenth(self, shell: Shell, file: Path) -> None:
        out = shell("export", str(file))
        assert [line.split()[1] for line in out.complaint.splitlines()] == [
            "10", "20", "30", "40", "50", "60", "70", "80", "90", "100",
        ]  # fmt: skip
        assert out.said.startswith("exported 12 memories")
        assert shell("export", str(file.with_name("b")), "--quiet").complaint == ""
        assert shell("export", str(file.with_name("c")), "--lang", "zh").complaint.startswith("导出中 10 %")

    def test_rejected_lines_are_listed(self, shell: Shell, file: Path, tmp_path: Path) -> None:
        shell("export", str(file))
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        hostile = json.dumps({"\x1b[31m": "\u202e"}) + "\n"
        file.write_text("".join([*lines[:4], hostile, *lines[4:]]), encoding="utf-8")
        other = Shell(tmp_path / "other")
        done = other("import", str(file), "--quiet", status=1)
        assert done.complaint.startswith("rejected  line 5: ")
        assert "\x1b" not in done.complaint
        assert len(texts(other)) == 12
        third = Shell(tmp_path / "third")
        assert third("import", str(file), "--json", status=1).json["rejected"][0]["line"] == 5

    def test_what_is_no_export(self, shell: Shell, tmp_path: Path) -> None:
        file = tmp_path / "notes.md"
        file.write_text("# notes", encoding="utf-8")
        shell("import", str(file), status=2)
        shell("import", str(tmp_path / "absent"), status=1)
        shell("import", str(file), "--format", "csv", status=2)

    @pytest.mark.parametrize("folder", [".", "./", "..", "/", ""])
    def test_a_folder_is_no_file(self, shell: Shell, file: Path, folder: str) -> None:
        before = set(Path().iterdir())
        assert "is a folder" in shell("export", folder, status=1).complaint
        assert shell("export", folder, "--json", status=1).json["error"]["code"] == "storage"
        assert set(Path().iterdir()) == before

    def test_never_over_a_file(self, shell: Shell, file: Path) -> None:
        file.write_text("precious", encoding="utf-8")
        shell("export", str(file), status=1)
        assert file.read_text(encoding="utf-8") == "precious"

    @pytest.mark.parametrize("prefix", ["", "sqlite:///"])
    def test_of_another_program(self, shell: Shell, tmp_path: Path, prefix: str) -> None:
        file = tmp_path / "old.db"
        with sqlite3.connect(file) as connection:
            connection.executescript(
                """
                create table memory (
                    id integer primary key autoincrement, agent_name text not null, user_id text not null,
                    type text not null, name text not null, content text not null, description text default '',
                    metadata text, created_at text default current_timestamp, updated_at text default current_timestamp
                );
                insert into memory (agent_name, user_id, type, name, content)
                values ('coach', 'local', 'project', 'goal', '支付模块四月上线');
                """
            )
        connection.close()
        answer = shell("import", f"{prefix}{file}", "--format", "netaclaw", "--json").json
        assert answer["created"] == 1
        assert texts(shell, "--agent", "coach") == {"支付模块四月上线"}


class TestReindex:
    def test_it_says_when_there_is_nothing_to_do(self, shell: Shell) -> None:
        shell.add(SUBJECT)
        shell.environment["RECOLLECT_EMBEDDER__PROVIDER"] = "fake"
        done = shell("reindex")
        assert "1 memories have a new vector" in done.said
        again = shell("reindex")
        assert "every memory has its vector of fake/" in again.said and "0" not in again.said + again.complaint
        assert "都有" in shell("reindex", "--lang", "zh").said
        assert shell("reindex", "--json").json == {"model": "fake/hashed-terms/plain", "embedded": 0, "left": 0}


class TestSettings:
    @pytest.fixture
    def yaml(self, tmp_path: Path) -> Iterator[Path]:
        file = tmp_path / "recollect.yaml"
        file.write_text(
            "database: mine.db\nlang: zh\nwriting: {trash_days: 7}\nagents: {coach: {prefetch_limit: 2}}\n",
            encoding="utf-8",
        )
        yield file

    def rows(self, shell: Shell, *options: str) -> dict[str, tuple[object, str]]:
        rows = shell(*options, "config", "show", "--json").json["settings"]
        return {row["name"]: (row["value"], row["source"]) for row in rows}

    def test_each_value_with_its_source(self, shell: Shell) -> None:
        shell.environment["RECOLLECT_WRITING__TRASH_DAYS"] = "3"
        rows = self.rows(shell, "--user", "zed")
        assert rows["data"] == (str(shell.data), "RECOLLECT_DATA")
        assert rows["user"] == ("zed", "--user")
        assert rows["writing.trash_days"] == (3, "RECOLLECT_WRITING__TRASH_DAYS")
        assert rows["prompts.prefetch_limit"] == (5, "default")
        assert rows["lang"] == ("en", "default")
        assert shell("config", "show", "--json").json["place"] == str(shell.data / "memory" / "memory.db")
        assert "writing.trash_days" in shell("config", "show").said

    def test_of_a_settings_file(self, shell: Shell, yaml: Path) -> None:
        rows = self.rows(shell, "--db", str(yaml))
        assert rows["lang"] == ("zh", str(yaml))
        assert rows["writing.trash_days"] == (7, str(yaml))
        assert rows["agents.coach.prefetch_limit"] == (2, str(yaml))
        assert rows["writing.review"] == ("external", "default")
        assert "设置项" in shell("--db", str(yaml), "config", "show").said
        assert self.rows(shell, "--db", str(yaml), "--lang", "en")["lang"] == ("en", "--lang")

    def test_the_file_is_obeyed(self, shell: Shell, yaml: Path) -> None:
        shell("--db", str(yaml), "memory", "add", "note")
        assert (yaml.parent / "mine.db").exists()
        assert "保留 7 天" in shell("--db", str(yaml), "memory", "rm", "1").said

    def test_passwords_are_masked(self, shell: Shell) -> None:
        shell.environment["RECOLLECT_DATABASE"] = "postgresql://me:hunter2@host/db"
        answer = shell("config", "show", "--json")
        assert "hunter2" not in answer.said and "postgresql://me:***@host/db" in answer.said
        assert "hunter2" not in shell("config", "show").said

    def test_a_key_is_masked_and_its_variable_is_not(self, shell: Shell) -> None:
        shell.environment["RECOLLECT_EMBEDDER__API_KEY"] = "sk-hunter2"
        assert self.rows(shell)["embedder.api_key"] == ("***", "RECOLLECT_EMBEDDER__API_KEY")
        assert "hunter2" not in shell("config", "show").said
        for reference in ("${MY_KEY}", ""):
            shell.environment["RECOLLECT_EMBEDDER__API_KEY"] = reference
            assert self.rows(shell)["embedder.api_key"][0] == reference

    @pytest.mark.parametrize(
        ("text", "path"), [("colour: red", "colour"), ("writing: {trash_days: x}", "writing.trash_days"), ("- a", "")]
    )
    def test_a_wrong_file_is_named(self, shell: Shell, tmp_path: Path, text: str, path: str) -> None:
        file = tmp_path / "wrong.yaml"
        file.write_text(text, encoding="utf-8")
        error = shell("--db", str(file), "config", "show", "--json", status=2).json["error"]
        assert (error["code"], error["path"]) == ("config", path or str(file))

    def test_few_columns_fold_values_and_cut_none(self, shell: Shell) -> None:
        long = "".join(chr(0x16A0 + at) for at in range(80))
        shell.environment.update(COLUMNS="40", RECOLLECT_AGENT=long)
        lines = shell("config", "show").said.splitlines()[:-1]
        assert max(map(len, lines)) <= 40
        assert "".join(re.findall(r"[\u16a0-\u16ff]", "".join(lines))) == long

    def test_a_folder_named_counts_more_than_a_database_of_the_environment(self, shell: Shell, tmp_path: Path) -> None:
        shell.environment["RECOLLECT_DATABASE"] = str(tmp_path / "elsewhere.db")
        shell("--data", str(tmp_path / "here"), "memory", "add", "note")
        assert (tmp_path / "here" / "memory" / "memory.db").exists()
        assert not (tmp_path / "elsewhere.db").exists()

    def test_groups_alone_show_their_help(self, shell: Shell) -> None:
        assert "config show" in shell("config").said
        assert "memory add" in shell("memory").said
        assert "recollect demo" in shell().said

"""Looking after databases: their state, their schema, copies of them, on every engine."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import recollect
from recollect import open_memory
from recollect.storage.sql import load_migrations
from recollect.wiring import opened_tables
from tests.acceptance.shell import Shell
from tests.integration.places import ENGINES, SERVERS, NewPlace, Places, asked
from tests.integration.test_copying import told
from tests.integration.transfers import fill
from tests.servers.cluster import stand_in
from tests.servers.server import Server


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "data")


class Later:
    """The program as it will be two migrations later."""

    def __init__(self, folder: Path, engine: str) -> None:
        self._folder = folder
        package = folder / "recollect"
        shutil.copytree(Path(recollect.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
        steps = package / "storage" / "migrations" / engine
        self.newest = load_migrations(engine)[-1].number + 2
        for number in (self.newest - 1, self.newest):
            file = steps / f"{number:04}_later.sql"
            file.write_text(f"create table later_{number} (id bigint primary key);\n", encoding="utf-8")

    def __call__(self, *words: str, status: int = 0) -> str:
        environment = {**os.environ, "PYTHONPATH": str(self._folder), "LANG": "C.UTF-8"}
        command = [sys.executable, "-m", "recollect", *words]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, encoding="utf-8")
        assert done.returncode == status, done
        return done.stdout + done.stderr


class TestSchema(Places):
    @pytest.mark.parametrize("engine", SERVERS)
    def test_an_older_one_is_refused_until_it_is_brought_up(
        self, place: NewPlace, shell: Shell, tmp_path: Path, engine: str
    ) -> None:
        url, later = place(engine), Later(tmp_path / "later", engine)
        shell("--db", url, "memory", "add", "note")
        refused = later("--db", url, "memory", "list", status=2)
        assert f"needs {later.newest}" in refused and "recollect db migrate" in refused
        assert f"of {later.newest}" in later("db", "status", url)
        steps = [f"{number:04}_later" for number in (later.newest - 1, later.newest)]
        assert ", ".join(steps) in later("db", "migrate", url)
        assert "nothing to do" in later("db", "migrate", url)
        assert "note" in later("--db", url, "memory", "list")
        error = shell("--db", url, "memory", "list", "--json", status=1).json["error"]
        assert error["code"] == "newer_schema"
        assert shell("db", "migrate", url, "--json", status=1).json["error"]["code"] == "newer_schema"

    def test_a_file_is_brought_up_too(self, place: NewPlace, shell: Shell, tmp_path: Path) -> None:
        file, later = place("sqlite"), Later(tmp_path / "later", "sqlite")
        shell("--db", file, "memory", "add", "note")
        assert "bring it up" in later("db", "status", file)
        assert f"{later.newest:04}_later" in later("db", "migrate", file)
        assert "note" in later("--db", file, "memory", "list")

    @pytest.mark.parametrize("engine", ENGINES)
    def test_the_newest_needs_nothing(self, place: NewPlace, shell: Shell, engine: str) -> None:
        url = place(engine)
        shell("--db", url, "memory", "add", "note")
        answer = shell("db", "migrate", url, "--json").json
        assert (answer["steps"], answer["schema"]) == ([], load_migrations(engine)[-1].number)
        assert "已是最新" in shell("--db", url, "db", "migrate", "--lang", "zh").said


class TestStatus(Places):
    @pytest.mark.parametrize(("engine", "name"), [("sqlite", "SQLite"), ("postgres", "PostgreSQL"), ("mysql", "MySQL")])
    def test_what_it_is_and_holds(self, place: NewPlace, shell: Shell, engine: str, name: str) -> None:
        url = place(engine)
        shell("--db", url, "memory", "add", "note")
        answer = shell("db", "status", url, "--json").json
        newest = load_migrations(engine)[-1].number
        assert (answer["engine"], answer["schema"], answer["newest_schema"]) == (name, newest, newest)
        assert (answer["owners"], answer["records"], answer["jobs"]) == (1, 1, 0)
        assert answer["size_bytes"] > 0 and "@" not in answer["place"]
        assert shell("--db", url, "db", "status").said.startswith(name)
        assert "用户 1 个" in shell("db", "status", url, "--lang", "zh").said

    @pytest.mark.parametrize("engine", SERVERS)
    def test_an_empty_database_stays_empty(self, place: NewPlace, shell: Shell, engine: str) -> None:
        url = place(engine)
        assert shell("db", "status", url, "--json").json["schema"] == 0
        found = "select count(*) from information_schema.tables where table_name = 'records'"
        assert asked(url, found + (" and table_schema = database()" if engine == "mysql" else "")) == [(0,)]
        assert shell("db", "migrate", url, "--json").json["steps"]
        assert shell("db", "status", url, "--json").json["records"] == 0

    @pytest.mark.parametrize("engine", ENGINES)
    def test_each_state_has_its_advice(self, place: NewPlace, shell: Shell, tmp_path: Path, engine: str) -> None:
        url, later = place(engine), Later(tmp_path / "later", engine)
        if engine == "sqlite":
            Path(url).touch()
        assert shell("db", "status", url, "--json").json["state"] == "empty"
        assert "db init" in shell("db", "status", url).said and "db migrate" not in shell("db", "status", url).said
        assert "还没有记忆" in shell("db", "status", url, "--lang", "zh").said
        shell("--db", url, "db", "init")
        assert shell("db", "status", url, "--json").json["state"] == "current"
        assert "db migrate" in later("db", "status", url) and "older" in later("db", "status", url, "--json")
        later("db", "migrate", url)
        answer = shell("db", "status", url, "--json").json
        assert (answer["state"], answer["records"]) == ("newer", None)
        said = shell("db", "status", url).said
        assert "update recollect" in said and "db migrate" not in said
        assert "请升级 recollect" in shell("db", "status", url, "--lang", "zh").said

    def test_the_size_is_that_of_now(self, place: NewPlace, shell: Shell) -> None:
        url = place("mysql")
        shell("--db", url, "db", "init")
        before = shell("db", "status", url, "--json").json["size_bytes"]
        with open_memory(url) as memory:
            memory.notes.save_many({"content": f"{number} " + "tea and coffee " * 400} for number in range(200))
        end = time.monotonic() + 60  # the server counts again in the background, some seconds later
        while shell("db", "status", url, "--json").json["size_bytes"] == before:
            assert time.monotonic() < end
            time.sleep(1)

    def test_a_missing_file_is_not_made(self, shell: Shell, tmp_path: Path) -> None:
        for command in ("status", "migrate"):
            shell("db", command, str(tmp_path / "no.db"), status=1)
        assert not (tmp_path / "no.db").exists()


class TestCheck(Places):
    @pytest.mark.parametrize("engine", SERVERS)
    def test_a_sound_server(self, place: NewPlace, shell: Shell, engine: str) -> None:
        url = place(engine)
        with open_memory(url) as memory:
            fill(memory)
        checks = {check["check"]: check["level"] for check in shell("--db", url, "doctor", "--json").json["checks"]}
        shards = {"one_server": "ok"} if engine == "postgres" else {}
        assert checks == {
            **shards,
            "engine": "ok", "schema": "ok", "counters": "ok", "orphans": "ok", "jobs": "ok", "tls": "ok", "clock": "ok",
            "pool": "ok", "charset": "ok", "embedder": "warn", "keys": "ok", "connections": "ok",
        }  # fmt: skip
        answer = shell("db", "check", url, "--json").json
        assert answer["sound"] and {check["check"] for check in answer["checks"]} < set(checks)
        assert "重新清点无误" in shell("db", "check", url, "--lang", "zh").said

    def test_what_a_cluster_refuses_is_a_note_until_there_is_one(self, place: NewPlace, shell: Shell) -> None:
        url = place("postgres")
        assert shell("db", "init", "--db", url, "--json").json["sharded"] is False
        asked(url, "create index by_name on recollect.records (name)")
        found = {check["check"]: check for check in shell("db", "check", url, "--json").json["checks"]}
        assert found["one_server"]["level"] == "warn" and "records.by_name" in found["one_server"]["message"]
        stand_in(url)
        asked(url, "create table recollect.later (owner_no bigint primary key)")
        assert shell("db", "init", "--db", url, "--shard", "--json").json["sharded"] is True
        assert shell("db", "status", url, "--json").json["sharded"] is True
        assert "分布到集群" in shell("db", "status", url, "--lang", "zh").said
        assert "records.by_name" in shell("db", "check", url, status=1).said
        asked(url, "drop index recollect.by_name")
        assert shell("db", "check", url, "--json").json["sound"]
        asked(url, "create table recollect.latest (owner_no bigint primary key)")
        assert "latest" in shell("db", "check", url, status=1).said

    @pytest.mark.parametrize("engine", ENGINES)
    def test_wrong_counters_and_lost_terms_fail(self, place: NewPlace, shell: Shell, engine: str) -> None:
        url = place(engine)
        shell("--db", url, "memory", "add", "note")
        schema = "recollect." if engine == "postgres" else ""
        wrong = f"update {schema}owners set active_count = 7"
        lost = f"insert into {schema}postings select owner_no, term, 99, 1, 1, 1, 1 from {schema}postings"
        if engine == "sqlite":
            import sqlite3
            from contextlib import closing

            with closing(sqlite3.connect(url)) as connection:
                connection.executescript(f"{wrong}; {lost};")
        else:
            asked(url, wrong, lost)
        answer = shell("db", "check", url, "--json", status=1).json
        levels = {check["check"]: check["level"] for check in answer["checks"]}
        assert (levels["counters"], levels["orphans"], answer["sound"]) == ("fail", "fail", False)

    @pytest.mark.parametrize("engine", SERVERS)
    def test_a_pool_that_asks_for_more_than_there_is(self, place: NewPlace, shell: Shell, engine: str) -> None:
        shell.environment["RECOLLECT_SERVER__POOL_SIZE"] = "900"
        url = place(engine)
        shell("db", "init", "--db", url)
        said = shell("--db", url, "doctor").said
        assert "warn  a process may take 900 connections" in said

    def test_a_server_that_is_not_there(self, shell: Shell) -> None:
        url = "postgresql://me:hunter2@127.0.0.1:1/nothing"
        for words in (("db", "check", url), ("--db", url, "doctor")):
            said = shell(*words, status=1)
            assert "does not answer" in said.said and "hunter2" not in said.said + said.complaint


def tables_of(place: str) -> dict[str, dict[str, tuple[int, str]]]:
    with opened_tables(place) as tables:
        return told(tables)


class TestBackupAndRestore(Places):
    @pytest.mark.parametrize("engine", SERVERS)
    def test_a_file_and_back_into_an_empty_database(self, place: NewPlace, shell: Shell, engine: str) -> None:
        url, file, again = place(engine), place("sqlite"), place(engine)
        for user in ("local", "用户"):
            with open_memory(url) as memory:
                fill(memory.within(user=user))
        answer = shell("--db", url, "backup", file, "--json").json
        assert answer == {"file": file, "bytes": Path(file).stat().st_size, "agents": []}
        assert sorted(found.name for found in Path(file).parent.iterdir()) == [Path(file).name]
        assert oct(Path(file).stat().st_mode & 0o777) == "0o600"
        assert tables_of(file) == tables_of(url)
        answer = shell("db", "copy", file, again, "--json").json
        assert {owner["outcome"] for owner in answer["owners"]} == {"copied"}
        assert answer["owners"][0]["tables"]["records"]["rows"] > 3
        assert tables_of(again) == tables_of(url)
        assert (
            shell("--db", again, "memory", "list", "--json").json == shell("--db", url, "memory", "list", "--json").json
        )

    @pytest.mark.parametrize("engine", SERVERS)
    def test_never_over_a_file(self, place: NewPlace, shell: Shell, tmp_path: Path, engine: str) -> None:
        url, file = place(engine), tmp_path / "there"
        shell("--db", url, "memory", "add", "note")
        file.write_text("precious", encoding="utf-8")
        shell("--db", url, "backup", str(file), status=1)
        shell("--db", url, "backup", str(tmp_path / "no" / "file"), status=1)
        assert file.read_text(encoding="utf-8") == "precious"

    def test_with_the_tools_of_postgresql(self, place: NewPlace, postgres: Server, tmp_path: Path) -> None:
        url, again, file = place("postgres"), place("postgres"), tmp_path / "dump"
        with open_memory(url) as memory:
            fill(memory)
        with file.open("wb") as out:
            subprocess.run(
                [*postgres.tool("pg_dump"), "--format=custom", "--schema=recollect", url], stdout=out, check=True
            )
        with file.open("rb") as given:
            restore = [*postgres.tool("pg_restore"), "--no-owner", f"--dbname={again}"]
            subprocess.run(restore, stdin=given, check=True)
        assert tables_of(again) == tables_of(url)
        with open_memory(again) as memory:
            assert memory.upkeep.check().sound and memory.notes.save("life goes on").outcome == "created"

    def test_with_the_tools_of_mysql(self, place: NewPlace, mysql: Server, tmp_path: Path) -> None:
        url, again, file = place("mysql"), place("mysql"), tmp_path / "dump.sql"
        with open_memory(url) as memory:
            fill(memory)
        dump = [*mysql.tool("mysqldump"), "--single-transaction", "--hex-blob", "--no-tablespaces"]
        with file.open("wb") as out:
            subprocess.run([*dump, urlsplit(url).path.strip("/")], stdout=out, check=True)
        with file.open("rb") as given:
            subprocess.run([*mysql.tool("mysql"), urlsplit(again).path.strip("/")], stdin=given, check=True)
        assert tables_of(again) == tables_of(url)
        with open_memory(again) as memory:
            assert memory.upkeep.check().sound and memory.notes.save("life goes on").outcome == "created"


class TestCopyOnTheCommandLine(Places):
    def test_what_it_says(self, place: NewPlace, shell: Shell) -> None:
        one, other = place("sqlite"), place("postgres")
        with open_memory(one) as memory:
            fill(memory)
        tried = shell("db", "copy", one, other, "--dry-run")
        assert tried.said.startswith("nothing written") and "users to copy: 1" in tried.said
        done = shell("db", "copy", one, other)
        assert "users copied: 1" in done.said and "agree on both sides" in done.said
        assert "copying 100 %" in done.complaint
        assert "已有 1" in shell("db", "copy", one, other, "--lang", "zh").said
        assert shell("db", "copy", one, other, "--json").json["owners"][0]["outcome"] == "there"
        shell("--db", other, "memory", "add", "written there")
        shell("--db", one, "memory", "add", "written here")
        assert shell("db", "copy", one, other, "--json", status=4).json["error"]["code"] == "conflict"

    def test_of_one_agent(self, place: NewPlace, shell: Shell) -> None:
        one, other = place("sqlite"), place("mysql")
        with open_memory(one) as memory:
            fill(memory)
        shell("--agent", "coach", "db", "copy", one, other)
        notes = shell("--db", other, "--agent", "*", "memory", "list", "--json").json["items"]
        assert {note["agent"] for note in notes} == {"coach"}

    def test_of_an_agent_that_wrote_nothing(self, place: NewPlace, shell: Shell) -> None:
        one, other = place("sqlite"), place("sqlite")
        with open_memory(one) as memory:
            fill(memory)
        for more in ((), ("--dry-run",)):
            said = shell("--agent", "coahc", "db", "copy", one, other, *more, status=3).complaint
            assert "was written by agent coahc" in said
        assert not Path(other).exists()

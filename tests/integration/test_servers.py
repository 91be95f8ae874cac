"""The servers that other tests rely on: that they are what they say, keep what they should, and leave nothing."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pymysql
import pytest

from tests.integration.programs import needs_posix, run, start
from tests.servers import Unavailable, debian, mysql, places, postgres, watcher
from tests.servers.postgres import CITUS_VARIABLE, citus_server
from tests.servers.server import Server

pytestmark = needs_posix

SECONDS = 30
STARTED = """
import os, sys
from tests.servers.{name} import {name}_server
with {name}_server(private=True) as server:
    print(server._process.number, *server._folders, flush=True)
    {then}
    sys.stdin.readline()
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """A server and the driver for it."""

    name: str
    server: Callable[..., Server]
    connect: Callable[[str], Any]
    newest: tuple[int, ...]

    def ask(self, url: str, *statements: str) -> list[tuple[Any, ...]]:
        """Run statements in a transaction and return what the last one found."""
        with self.connect(url) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)
            found = [*cursor.fetchall()] if cursor.description else []
            connection.commit()
        return found


KINDS = {
    kind.name: kind
    for kind in (
        Kind(name="postgres", server=postgres.postgres_server, connect=psycopg.connect, newest=(18,)),
        Kind(
            name="mysql",
            server=mysql.mysql_server,
            connect=lambda url: pymysql.connect(**mysql.arguments(url)),
            newest=(9,),
        ),
    )
}
MADE = ("CREATE TABLE kept (word VARCHAR(20))", "INSERT INTO kept VALUES ('支付')")


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return KINDS[request.param]


@pytest.fixture
def server(kind: Kind, request: pytest.FixtureRequest) -> Server:
    return request.getfixturevalue(kind.name)


def soon(condition: Callable[[], object]) -> bool:
    patience = time.monotonic() + SECONDS
    while not condition() and time.monotonic() < patience:
        time.sleep(0.05)
    return bool(condition())


def test_they_are_new_enough(kind: Kind, server: Server) -> None:
    assert server.version >= kind.newest


def test_postgres_finds_near_vectors(postgres_url: str) -> None:
    asked = ("CREATE EXTENSION vector", "SELECT '[1,2]'::vector <-> '[1,3]'::vector")
    assert KINDS["postgres"].ask(postgres_url, *asked) == [(1.0,)]


def test_new_databases_are_apart_and_go_even_when_used(kind: Kind, server: Server) -> None:
    one, other = server.new_database(), server.new_database()
    kind.ask(one, *MADE)
    kind.ask(other, *MADE)
    user = kind.connect(one)
    user.cursor().execute("SELECT * FROM kept")  # a transaction that holds the table
    server.drop_database(one)
    with pytest.raises((psycopg.OperationalError, pymysql.OperationalError)):
        kind.ask(one, "SELECT 1")
    assert kind.ask(other, "SELECT word FROM kept") == [("支付",)]
    server.drop_database(other)
    user.close()


def test_a_killed_server_starts_again_with_what_it_acknowledged(kind: Kind) -> None:
    with kind.server(private=True) as server:
        url = server.new_database()
        kind.ask(url, *MADE)
        server.kill()
        with pytest.raises((psycopg.OperationalError, pymysql.OperationalError)):
            kind.ask(url, "SELECT 1")
        server.start()
        assert kind.ask(url, "SELECT word FROM kept") == [("支付",)]
        server.stop()
        server.start()
        assert kind.ask(url, "SELECT word FROM kept") == [("支付",)]


def test_a_server_that_was_killed_last_leaves_no_folder(kind: Kind) -> None:
    with kind.server(private=True) as server:
        folders = server._folders
        server.kill()
        assert all(folder.exists() for folder in folders)
    assert not any(folder.exists() for folder in folders)


@pytest.mark.parametrize("then", ["pass", "if os.fork() == 0: import time; time.sleep(60); os._exit(0)"])
def test_a_server_ends_when_its_parent_is_killed(kind: Kind, then: str) -> None:
    """A child that the parent left behind does not keep it alive, though it holds the same pipes."""
    program = start(STARTED.format(name=kind.name, then=then))
    assert program.stdout and program.stdin and program.stderr
    number, *folders = program.stdout.readline().split()
    assert int(number) in watcher.parents() and folders
    children = set(watcher.family(program.pid)) - set(watcher.family(int(number)))
    program.kill()
    try:
        assert soon(lambda: int(number) not in watcher.parents())
        assert soon(lambda: not any(Path(folder).exists() for folder in folders))
    finally:
        for child in children & watcher.parents().keys() - {program.pid}:
            os.kill(child, signal.SIGKILL)
        program.wait()
        for pipe in (program.stdin, program.stdout, program.stderr):
            pipe.close()


def test_a_server_ends_when_its_watcher_is_killed(kind: Kind) -> None:
    with kind.server(private=True) as server:
        process = server._ours()
        process.watcher.kill()
        assert soon(lambda: process.number not in watcher.parents())


def test_runs_at_once_do_not_meet(kind: Kind) -> None:
    programs = [start(STARTED.format(name=kind.name, then="")) for _ in range(3)]
    outputs = [program.communicate("", timeout=120) for program in programs]
    assert [program.returncode for program in programs] == [0, 0, 0], outputs
    assert len({said for said, _ in outputs}) == 3


def test_durable_servers_write_before_they_answer(tmp_path: Path) -> None:
    with postgres.postgres_server(durable=True, private=True) as server:
        asked = [f"SHOW {name}" for name in postgres.DURABLE]
        assert [KINDS["postgres"].ask(server.url, question) for question in asked] == [[("on",)]] * 3
    with mysql.mysql_server(durable=True, private=True) as server:
        asked = ["SELECT @@innodb_flush_log_at_trx_commit, @@sync_binlog, @@log_bin, @@innodb_doublewrite"]
        assert KINDS["mysql"].ask(server.url, *asked) == [(1, 1, 1, "ON")]


def test_data_lie_where_they_should(kind: Kind) -> None:
    with kind.server(private=True) as elsewhere:
        parent = elsewhere._folders[0]
        with kind.server(private=True, folder=parent) as server:
            kind.ask(server.new_database(), *MADE)
            assert (server._folders[-1].parent, server._folders[-1]) == (parent, *parent.glob("recollect-*"))
        assert not [*parent.glob("recollect-*")]


def test_postgres_abroad(postgres_abroad_url: str) -> None:
    asked = ("SELECT EXTRACT(timezone FROM now())::int, current_setting('DateStyle'), '\\x41'::bytea::text",)
    assert KINDS["postgres"].ask(postgres_abroad_url, *asked) == [(8 * 3600, "SQL, DMY", "A")]


def test_mysql_abroad(mysql_abroad_url: str) -> None:
    ask = KINDS["mysql"].ask
    assert ask(mysql_abroad_url, "SELECT @@time_zone, HOUR(TIMEDIFF(NOW(), UTC_TIMESTAMP()))") == [("+08:00", 8)]
    assert ask(mysql_abroad_url, r"""SELECT 1 AS "one", '\n' || 'o' """) == [(1, r"\no")]
    assert ask(mysql_abroad_url, "SELECT @@character_set_database") == [("latin1",)]


def test_what_is_dumped_can_be_restored() -> None:
    with postgres.postgres_server(private=True) as server:
        one, other = server.new_database(), server.new_database()
        KINDS["postgres"].ask(one, *MADE)
        dumped = subprocess.run([*server.tool("pg_dump"), "-Fc", one], check=True, capture_output=True).stdout
        subprocess.run([*server.tool("pg_restore"), "-d", other], input=dumped, check=True)
        assert KINDS["postgres"].ask(other, "SELECT word FROM kept") == [("支付",)]
    with mysql.mysql_server(private=True) as server:
        one, other = server.new_database(), server.new_database()
        KINDS["mysql"].ask(one, *MADE)
        dump = [*server.tool("mysqldump"), "--single-transaction", "--set-gtid-purged=OFF", server.name_of(one)]
        dumped = subprocess.run(dump, check=True, capture_output=True).stdout
        subprocess.run([*server.tool("mysql"), server.name_of(other)], input=dumped, check=True)
        assert KINDS["mysql"].ask(other, "SELECT word FROM kept") == [("支付",)]


def test_a_server_of_the_environment_comes_first(kind: Kind, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"RECOLLECT_TEST_{kind.name.upper()}", server.url)
    with kind.server() as given:
        assert given.url == server.url
        left = given.new_database()
        kind.ask(left, *MADE)
        for act in (given.kill, given.stop, given.start):
            with pytest.raises(Unavailable, match="private=True"):
                act()
    with pytest.raises((psycopg.OperationalError, pymysql.OperationalError)):
        kind.ask(left, "SELECT 1")


def test_a_server_of_the_environment_that_is_not_there(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"RECOLLECT_TEST_{kind.name.upper()}", f"{kind.name}://nobody:x@127.0.0.1:1/none")
    with pytest.raises(Unavailable, match="does not answer"), kind.server():
        pass


def test_citus(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only how its coordinator is used: there is none here."""
    monkeypatch.delenv(CITUS_VARIABLE, raising=False)
    with pytest.raises(Unavailable, match=CITUS_VARIABLE):
        citus_server()
    ask = KINDS["postgres"].ask
    monkeypatch.setenv(CITUS_VARIABLE, postgres.url)
    with citus_server() as given:
        one, other = given.new_database(), given.new_database()
        ask(one, *MADE)
        ask(other, *MADE)
        assert ask(one, "SELECT word FROM kept") == [("支付",)]
        given.drop_database(one)
        assert ask(other, "SELECT current_schema()") == [(given.name_of(other),)]
    assert ask(postgres.url, "SELECT 1 FROM pg_namespace WHERE nspname LIKE 'recollect%'") == []


def test_a_setting_that_the_server_refuses_is_told(kind: Kind) -> None:
    server = kind.server(options={"no_such_setting": "1"})
    with pytest.raises(Unavailable, match=r"no.such.setting"), server:
        pass
    assert not any(folder.exists() for folder in server._folders)


def test_a_download_is_tried_again(tmp_path: Path) -> None:
    tries = tmp_path / "tries"
    script = f"echo try >>{tries}; echo network unreachable; test $(wc -l <{tries}) -ge $0"
    command = ["sh", "-c", script]
    debian.patiently([*command, "2"], why="MySQL", timeout_seconds=60, pause_seconds=0)
    assert len(tries.read_text(encoding="utf-8").split()) == 2
    with pytest.raises(Unavailable, match=r"^MySQL: network unreachable$"):
        debian.patiently([*command, "99"], why="MySQL", timeout_seconds=60, pause_seconds=0)
    assert len(tries.read_text(encoding="utf-8").split()) == 2 + debian.TRIES


def test_a_machine_without_packages_is_told_what_to_do(tmp_path: Path) -> None:
    refused = run(
        f"""
import os
os.environ.update(PATH={os.fspath(tmp_path)!r})
from tests.servers import Unavailable, debian, mysql
try:
    debian.archive(mysql.WHY)
except Unavailable as why:
    print(why)
"""
    )
    assert refused == f"{mysql.WHY}: there is no apt-get here.\n"
    assert "RECOLLECT_TEST_MYSQL" in refused


@pytest.fixture
def cache() -> Iterator[Path]:
    folder = places.new_folder()
    yield folder
    shutil.rmtree(folder)


def test_what_is_made_once_is_whole(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_TEST_CACHE", str(cache))
    made: list[Path] = []

    def fails(folder: Path) -> None:
        (folder / "half").touch()
        raise Unavailable("no")

    def works(folder: Path) -> None:
        assert [*folder.iterdir()] == []
        made.append(folder)

    with pytest.raises(Unavailable):
        places.made_once("thing", fails)
    assert not (cache / "thing").exists()
    assert places.made_once("thing", works) == places.made_once("thing", works) == cache / "thing"
    assert len(made) == 1

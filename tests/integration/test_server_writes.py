"""What a server adds to a write: pools, limits, restarts, forks, several processes."""

import multiprocessing
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pymysql
import pytest

from recollect import ConfigError, Memory, Settings, StorageError, open_memory
from tests.servers import Unavailable
from tests.servers.mysql import arguments, mysql_server
from tests.servers.postgres import postgres_server
from tests.servers.server import Server

FULL = bool(os.environ.get("RECOLLECT_FULL"))
KILLS = 20 if FULL else 5
PROCESSES = 8
SAVES = 500 if FULL else 40
ENGINES = ("postgres", "mysql")
CONNECTIONS = {
    "postgres": (
        "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'recollect'"
    ),
    "mysql": "select count(*) from information_schema.processlist where db = database()",
}


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def url(engine: str, request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{engine}_url")


@contextmanager
def private(engine: str) -> Iterator[Server]:
    start = {"postgres": postgres_server, "mysql": mysql_server}[engine]
    with ExitStack() as stack:
        try:
            server = stack.enter_context(start(private=True))
        except Unavailable as why:
            pytest.fail(str(why), pytrace=False)
        yield server


def opened(url: str, **server: Any) -> Memory:
    return open_memory(Settings.model_validate({"database": url, "server": server}))


@contextmanager
def connected(engine: str, url: str) -> Iterator[Any]:
    connection: Any = psycopg.connect(url) if engine == "postgres" else pymysql.connect(**arguments(url))
    try:
        yield connection
    finally:
        connection.close()


def asked(connection: Any, query: str) -> Any:
    cursor = connection.cursor()
    cursor.execute(query)
    return cursor.fetchone()[0]


def test_two_hundred_owners_stay_inside_the_pool(engine: str, url: str) -> None:
    with opened(url, pool_size=4) as memory, connected(engine, url) as other, ThreadPoolExecutor(16) as threads:

        def work(number: int) -> int:
            mine = memory.within(user=f"u{number}", agent="a")
            mine.notes.save(f"zebra {number}")
            return len(mine.recall("zebra").hits)

        found = [threads.submit(work, number) for number in range(200)]
        most = 0
        while not all(one.done() for one in found):
            most = max(most, int(asked(other, CONNECTIONS[engine])))
            other.rollback()
            time.sleep(0.01)
        assert [one.result() for one in found] == [1] * 200
        assert 1 <= most <= 4 + (engine == "mysql")  # there the asking connection counts too


def test_a_pool_that_is_in_use_says_so(url: str) -> None:
    with opened(url, pool_size=1, statement_seconds=1) as memory:
        database = memory.upkeep._tables.database  # the seam itself: no verb of the door holds a connection for long
        with database.transaction(), ThreadPoolExecutor(1) as threads:
            problem = threads.submit(memory.notes.list).exception()
        assert isinstance(problem, StorageError) and problem.key == "pool_exhausted"
        assert memory.notes.list().items == ()


def test_a_lock_of_somebody_else_is_waited_for_within_the_limit(engine: str, url: str) -> None:
    with opened(url, statement_seconds=1) as memory, connected(engine, url) as other:
        mine = memory.within(user="u1", agent="a")
        mine.notes.save("first")
        table = "recollect.owners" if engine == "postgres" else "owners"
        other.cursor().execute(f"select * from {table} for update")
        began = time.monotonic()
        with pytest.raises(StorageError) as caught:
            mine.notes.save("second")
        assert caught.value.key in ("busy", "too_slow") and time.monotonic() - began < 8
        other.rollback()
        assert mine.notes.save("second").outcome == "created"


def test_a_restart_is_not_noticed_by_whoever_was_idle(engine: str) -> None:
    with private(engine) as server:
        with opened(server.new_database()) as memory:
            mine = memory.within(user="u1", agent="a")
            mine.notes.save("before")
            with ThreadPoolExecutor(4) as threads:
                list(threads.map(lambda _: mine.recall("before"), range(8)))
            server.kill()
            server.start()
            assert [hit.record.content for hit in mine.recall("before").hits] == ["before"]
            server.kill()
            server.start()
            assert mine.notes.save("after").outcome == "created"
            assert {note.content for note in mine.notes.list().items} == {"before", "after"}


def test_a_server_that_is_down_is_named_and_comes_back(engine: str) -> None:
    with private(engine) as server:
        url = server.new_database()
        with opened(url, connect_seconds=2) as memory:
            server.kill()
            for use in (lambda: memory.notes.save("x"), lambda: memory.recall("x"), memory.notes.list):
                with pytest.raises(StorageError) as caught:
                    use()
                assert caught.value.key == "unreachable"
            assert memory.prefetch("x") == ""  # a chat goes on
            server.start()
            assert memory.notes.save("x").outcome == "created"


def test_what_was_acknowledged_is_there_once_after_a_kill(engine: str) -> None:
    """A writer that repeats what was not acknowledged, while the server is killed again and again."""
    with private(engine) as server:
        with opened(server.new_database(), connect_seconds=2) as memory:
            mine = memory.within(user="u1", agent="a")
            stop, acknowledged = threading.Event(), list[str]()

            def write() -> None:
                number = 0
                while not stop.is_set():
                    text = f"zebra number {number} of this loop"
                    try:
                        mine.notes.save(text, idempotency_key=f"k{number}")
                    except StorageError:
                        time.sleep(0.02)
                        continue
                    acknowledged.append(text)
                    number += 1

            with ThreadPoolExecutor(1) as threads:
                writer = threads.submit(write)
                for kill in range(KILLS):
                    time.sleep(0.15 + 0.037 * (kill % 7))
                    server.kill()
                    server.start()
                time.sleep(0.3)
                stop.set()
                writer.result()
            health = memory.upkeep.check()
            kept = [note.content for note in every_note(mine)]
    assert len(acknowledged) > KILLS and sorted(kept) == sorted(acknowledged)
    assert health.sound


def every_note(mine: Memory) -> list[Any]:
    found, cursor = [], None
    while True:
        page = mine.notes.list(limit=100, cursor=cursor)
        found += page.items
        cursor = page.next_cursor
        if cursor is None:
            return found


def save_some(url: str, user: str, process: int, count: int, failed: Any) -> None:
    with opened(url) as memory:
        mine = memory.within(user=user, agent=f"a{process}")
        for number in range(count):
            try:
                mine.notes.save(f"note {number} of process {process}")
            except StorageError as problem:
                failed.put(str(problem))


@pytest.mark.parametrize("owners", [1, PROCESSES])
def test_eight_processes_lose_nothing_and_meet_no_deadlock(url: str, owners: int) -> None:
    spawn = multiprocessing.get_context("spawn")
    failed = spawn.Queue()
    with opened(url) as memory:
        workers = [
            spawn.Process(target=save_some, args=(url, f"u{at % owners}", at, SAVES, failed)) for at in range(PROCESSES)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert [worker.exitcode for worker in workers] == [0] * PROCESSES and failed.empty()
        saved = [len(every_note(memory.within(user=f"u{at % owners}", agent=f"a{at}"))) for at in range(PROCESSES)]
        assert saved == [SAVES] * PROCESSES
        assert memory.upkeep.check().sound


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_connects_by_itself(url: str) -> None:
    with opened(url) as memory:
        memory.notes.save("of the parent")
        child = os.fork()
        if child == 0:
            status = 1
            try:
                memory.notes.save("of the child")
                status = 0 if len(memory.notes.list().items) == 2 else 2
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        memory.notes.save("of the parent again")
        assert len(memory.notes.list().items) == 3


@pytest.mark.parametrize("engine", ENGINES)
def test_settings_of_a_server_abroad_change_no_result(engine: str, request: pytest.FixtureRequest) -> None:
    answers: list[Any] = []
    for place in (f"{engine}_url", f"{engine}_abroad_url"):
        with opened(request.getfixturevalue(place)) as memory:
            mine = memory.within(user="u1", agent="a")
            first = mine.notes.save(
                '支付模块 "重构" it\'s \\n 100%', name="冲刺", metadata={"k": 'a"\\b'}, labels=("x", "y")
            )
            mine.notes.save("Bot and bot and BOT ", type="project")
            mine.notes.update(first.record.id, description="延期 \\ '")
            note = mine.notes.get(first.record.id)
            assert note is not None
            spent = abs((note.updated_at - note.created_at).total_seconds())
            listed = [(one.id, one.name, one.content, one.type) for one in mine.notes.list(labels=("x",)).items]
            found = [hit.record.id for hit in mine.recall("支付模块什么时候重构?").hits]
            answers.append((note.content, note.description, dict(note.metadata), spent < 60, listed, found))
    assert answers[0] == answers[1] and answers[0][3]


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (lambda url: url.replace("/recollect_", "/no_such_", 1), "no_such_database"),
        (lambda url: url.split("/recollect_")[0] + "/", "no_database_named"),
    ],
    ids=["missing", "unnamed"],
)
def test_a_wrong_url_is_a_clear_error(url: str, change: Callable[[str], str], key: str) -> None:
    with pytest.raises(ConfigError) as caught:
        opened(change(url))
    assert caught.value.key == key and caught.value.text("zh")


def test_a_password_is_never_shown(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as caught:
        opened("postgresql://u:s3cret@127.0.0.1:1/db", connect_seconds=1)
    assert "s3cret" not in str(caught.value) and "s3cret" not in repr(caught.value.facts)


def test_an_address_that_cannot_be_opened_keeps_its_password() -> None:
    places = ("mariadb://u:s3cret@h/a", "oracle://u:s3cret@h/a", "mysql://root:s3#cret/x@h/a", "sqlite://u:s3cret@h/a")
    for place in places:
        with pytest.raises(ConfigError) as caught:
            opened(place)
        assert "s3" not in caught.value.text("en")


@pytest.mark.parametrize("option", ["autocommit=0", "prepare_threshold=x", "ssl_verify_cert=maybe"])
def test_an_option_that_no_driver_reads_is_a_clear_error(engine: str, option: str) -> None:
    scheme = "postgresql" if engine == "postgres" else "mysql"
    with pytest.raises((ConfigError, StorageError)) as caught:
        opened(f"{scheme}://u:p@127.0.0.1:1/db?{option}", connect_seconds=1)
    assert caught.value.text("zh")


def test_a_database_of_another_program_is_left_alone(engine: str, url: str) -> None:
    with connected(engine, url) as other:
        if engine == "postgres":
            other.cursor().execute("create schema recollect")
            other.cursor().execute("create table recollect.records (id int)")
        else:
            other.cursor().execute("create table records (id int)")
        other.commit()
    with pytest.raises(ConfigError) as caught:
        opened(url)
    assert caught.value.key == "not_ours_here"


def test_mariadb_is_refused_with_a_sentence() -> None:
    """A server that greets as MariaDB does; nothing of it is needed beyond the greeting."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]

        def greet() -> None:
            connection, _ = listening.accept()
            with connection:
                version = b"5.5.5-10.11.19-MariaDB\0"
                greeting = b"\x0a" + version + b"\x01\0\0\0" + b"12345678\0" + b"\xff\xf7" + b"\x2d" + b"\x02\0"
                greeting += b"\xff\x81" + b"\x15" + bytes(10) + b"123456789012\0" + b"mysql_native_password\0"
                connection.sendall(len(greeting).to_bytes(3, "little") + b"\0" + greeting)
                connection.recv(4096)
                connection.sendall(b"\x07\0\0\x02\0\0\0\x02\0\0\0")
                connection.recv(4096)
                connection.sendall(b"\x07\0\0\x01\0\0\0\x02\0\0\0")
                connection.recv(4096)

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        with pytest.raises(ConfigError) as caught:
            opened(f"mysql://root@127.0.0.1:{port}/x", connect_seconds=2)
        assert caught.value.key == "mariadb"

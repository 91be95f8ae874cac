"""How often one save waits for its server: what a network takes, it takes that often."""

import itertools
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from recollect import Memory, Settings, StorageError, open_memory
from recollect.testing.opening import WORDS_ALONE

TEXT = "The payment module number {} uses PostgreSQL since the sprint of the {}th of March"
SAVE, BATCH = 3, 2  # near ones; beginning with owner and texts; everything written. A batch looks for no near ones.
MYSQL_SAVE, MYSQL_BATCH = 10, 14


def opened(url: str) -> Memory:
    return open_memory(Settings.model_validate({"database": url, **WORDS_ALONE}))


def texts(first: int, count: int) -> list[dict[str, str]]:
    return [{"content": TEXT.format(number, number)} for number in range(first, first + count)]


def connection_of(memory: Memory) -> Any:
    return memory.upkeep._tables.database._pool._idle[-1]  # type: ignore[attr-defined]


def turns(memory: Memory, work: Callable[[], object]) -> int:
    """Return how often the connection to PostgreSQL went from sending to receiving."""
    pgconn = connection_of(memory).pgconn
    with tempfile.TemporaryFile("w+", encoding="utf-8") as trace:
        pgconn.trace(trace.fileno())
        work()
        pgconn.untrace()
        trace.seek(0)
        sides = [line.split("\t")[1] for line in trace if "\t" in line]
    return sum(before == "F" and after == "B" for before, after in itertools.pairwise(sides))


def asked(memory: Memory) -> int:
    """Return how many statements the connection to MySQL has sent."""
    cursor = connection_of(memory).cursor()
    cursor.execute("show session status like 'Questions'")
    return int(cursor.fetchone()[1])


def test_a_save_waits_for_postgres_three_times(postgres_url: str) -> None:
    with opened(postgres_url) as memory:
        for colour in ("red", "green", "blue"):  # what is asked often is prepared
            memory.notes.save(f"{colour} things")
        memory.notes.save_many(texts(4, 4))
        assert turns(memory, lambda: memory.notes.save("zebra crossing")) <= SAVE
        assert turns(memory, lambda: memory.notes.save_many(texts(8, 100))) <= BATCH


def test_a_batch_asks_mysql_no_more_for_more_notes(mysql_url: str) -> None:
    with opened(mysql_url) as memory:
        memory.notes.save_many(texts(0, 4))
        before = asked(memory)
        memory.notes.save("zebra")
        between = asked(memory)
        memory.notes.save_many(texts(4, 100))
        after = asked(memory)
    assert between - before - 1 <= MYSQL_SAVE
    assert after - between - 1 <= MYSQL_BATCH


@pytest.mark.parametrize("engine", ["postgres", "mysql"])
def test_the_first_texts_of_an_owner_are_kept_once(engine: str, request: pytest.FixtureRequest) -> None:
    """Who finds nobody there asks again, once it holds an owner that somebody else has entered meanwhile."""
    with opened(request.getfixturevalue(f"{engine}_url")) as memory, ThreadPoolExecutor(8) as threads:
        for owner in range(10):
            mine = memory.within(user=f"u{owner}", agent="a")
            saved = [threads.submit(mine.notes.save, "the same text for all") for _ in range(8)]
            assert sorted(one.result().outcome for one in saved) == ["created", *["duplicate"] * 7]


def test_what_fails_leaves_the_connection_usable(postgres_url: str) -> None:
    """A statement that was prepared in a transaction that failed stays prepared under its name."""
    with opened(postgres_url) as memory:
        memory.notes.save("first")
        database = memory.upkeep._tables.database
        for number in range(3):
            with pytest.raises(StorageError), database.transaction():
                database.one("count_records", owner_no=number)
                database.many("meta_put", [("same", "a"), ("same", None)])
                database.one("count_recalls", owner_no=number)
            assert memory.notes.save(f"after {number}").outcome == "created"

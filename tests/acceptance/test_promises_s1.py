"""Promises of docs/reference/promises.md that no other test shows."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import recollect
from recollect.storage.sqlite import sqlite_queries
from recollect.testing.opening import WORDS_ALONE, ids, later
from tests.house.tree import ROOT

SERVERS_CLOCK = re.compile(r"-- name: server_facts\n.*?\n\n", re.DOTALL)  # which is only compared with ours
TELLS_TIME = {
    "py": re.compile(r"datetime\.(now|utcnow|today)|date\.today|\btime\.time(_ns)?\b"),
    "sql": re.compile(r"current_(time|date)|'now'|\bnow\(|unixepoch", re.IGNORECASE),
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[recollect.Memory]:
    settings = {"database": str(tmp_path / "memory.db"), **WORDS_ALONE, "agents": {"brief": {"prefetch_limit": 2}}}
    with recollect.open_memory(recollect.Settings.model_validate(settings)) as opened:
        yield opened


@pytest.mark.parametrize(("agent", "prefetched"), [("coach", 5), ("brief", 2)])
def test_ten_are_listed_and_searched_five_recalled_and_prefetched_as_its_agent_says(
    memory: recollect.Memory, agent: str, prefetched: int
) -> None:
    mine = memory.within(user="u1", agent=agent)
    mine.notes.save_many({"content": f"zebra stripes {at}", "name": f"n{at}"} for at in range(12))
    assert len(mine.notes.list().items) == len(mine.notes.search("zebra stripes")) == 10
    assert len(mine.recall("zebra stripes").hits) == 5
    assert mine.prefetch("zebra stripes").count("[user] n") == prefetched


@pytest.mark.parametrize(
    ("query", "found"),
    [
        *(("zebra NOT quagga", [1, 2]), ("zebra AND quagga", [1, 2]), ("NEAR(zebra quagga)", [1, 2]), ("-zebra", [1])),
        *(("name:zebra", [1, 2]), ('"zebra name"', [1, 2]), ("^payment", [1]), ("pay*", []), ("*", []), ("%", [])),
    ],
)
def test_marks_of_a_query_language_mean_nothing(memory: recollect.Memory, query: str, found: list[int]) -> None:
    memory.notes.save_many({"content": text, "name": "n"} for text in ("zebra payment", "quagga name"))
    assert sorted(ids(memory.notes.search(query))) == found


def test_what_others_write_changes_no_answer(memory: recollect.Memory) -> None:
    mine = memory.within(user="u1", agent="coach")
    with later(seconds=1):
        mine.notes.save_many({"content": f"zebra {'stripes ' * (at % 3)}{at}", "name": "n"} for at in range(30))
        while memory.upkeep.lag():
            memory.upkeep.drain()
        before = mine.recall("zebra stripes 7", limit=20, min_score=0)
        for user in ("u2", "u3"):
            memory.within(user=user).notes.save_many({"content": f"zebra stripes 7 {at}"} for at in range(300))
        assert mine.recall("zebra stripes 7", limit=20, min_score=0) == before


def test_no_query_of_one_owner_reads_the_rows_of_all(memory: recollect.Memory, tmp_path: Path) -> None:
    """Neither on a fresh file nor when the engine has counted its rows."""
    for user in ("u1", "u2"):
        memory.within(user=user).notes.save_many({"content": f"zebra {at}"} for at in range(100))
    queries = {name: text for name, text in sqlite_queries().items() if ":owner_no" in text}
    scans: list[str] = []
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection:
        for _ in range(2):
            for name, text in queries.items():
                plan = connection.execute(f"explain query plan {text}", dict.fromkeys(re.findall(r":(\w+)", text), 1))
                scans += [name for step in plan if re.match(r"SCAN (?!\(|rare|found|\w+ VIRTUAL)", step[3])]
            connection.execute("analyze")
    assert scans == [] and len(queries) > 50


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux counts them there")
def test_views_open_no_files_and_closing_leaves_none_open(tmp_path: Path) -> None:
    inside, outside = set[int](), set[int]()
    for _ in range(3):
        with recollect.open_memory(tmp_path / "memory.db") as memory:
            for number in range(100):
                view = memory.within(user=f"u{number}", agent="a")
                view.notes.save("zebra")
                assert len(view.recall("zebra").hits) == 1
                inside.add(len(os.listdir("/proc/self/fd")))
        outside.add(len(os.listdir("/proc/self/fd")))
    assert len(outside) == 1
    assert max(inside) - min(inside) < 20  # a reader or two may be opened on the way


def test_only_the_clock_tells_the_time() -> None:
    telling = [
        file.name
        for suffix, pattern in TELLS_TIME.items()
        for file in (ROOT / "src").rglob(f"*.{suffix}")
        if pattern.search(SERVERS_CLOCK.sub("", file.read_text(encoding="utf-8")))
    ]
    assert telling == ["clock.py"]

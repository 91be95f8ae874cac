"""The ledger where a database takes no more writes, a process forks, or a program ends without closing."""

import logging
import sqlite3
from pathlib import Path
from time import perf_counter

import pytest

import recollect
from tests.integration.programs import needs_fork, run


def asked(path: Path) -> list[str | None]:
    with recollect.open_memory(path) as memory:
        return [row.question for row in memory.recalls.list(limit=100).items]


def test_what_cannot_be_kept_is_counted_and_fails_no_recall(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "memory.db"
    with recollect.open_memory(path) as memory:
        memory.notes.save("zebra stripes")
        schema = memory.upkeep.check().database.schema
        with sqlite3.connect(path) as other:
            other.execute(f"pragma user_version = {schema + 1}")  # as a newer program leaves it: this one may only read
        other.close()
        with caplog.at_level(logging.WARNING):
            assert len(memory.recall("secret zebra").hits) == 1
            assert memory.recalls.list().items == ()
        assert memory.upkeep.check().lost_recalls == 1
        [told] = [record for record in caplog.records if getattr(record, "action", "") == "recalls_lost"]
        assert "zebra" not in repr(vars(told))
        assert len(memory.recall("zebra").hits) == 1


@needs_fork
def test_a_child_keeps_its_own_and_not_its_parents(tmp_path: Path) -> None:
    program = """
import os, sys, warnings, recollect
warnings.simplefilter("ignore", DeprecationWarning)
memory = recollect.open_memory(sys.argv[1])
memory.notes.save("zebra stripes")
memory.recall("zebra before")
child = os.fork()
memory.recall("zebra of the child" if child == 0 else "zebra of the parent")
memory.close()
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""
    run(program, tmp_path / "memory.db")
    assert sorted(map(str, asked(tmp_path / "memory.db"))) == [
        "zebra before",
        "zebra of the child",
        "zebra of the parent",
    ]


def test_a_program_that_goes_on_need_not_close(tmp_path: Path) -> None:
    program = """
import os, sys, time, recollect
memory = recollect.open_memory(sys.argv[1])
memory.notes.save("zebra stripes")
memory.recall("zebra?")
time.sleep(1.5)
os._exit(0)
"""
    run(program, tmp_path / "memory.db")
    assert asked(tmp_path / "memory.db") == ["zebra?"]


def test_a_recall_waits_for_no_writer(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with recollect.open_memory(path) as memory:
        memory.notes.save("zebra stripes")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("begin immediate")  # nobody else can write now
        began = perf_counter()
        for _ in range(20):
            assert len(memory.recall("zebra").hits) == 1
        assert perf_counter() - began < 10  # a writer would wait for 30 seconds
        other.execute("rollback")
        other.close()
        assert len(memory.recalls.list(limit=100).items) == 20

"""One file in many hands of one machine: threads, forks, readers beside a writer, writers in turn."""

import multiprocessing
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import recollect
from recollect import Memory, StorageError
from recollect.storage.sqlite import SqliteDatabase
from recollect.testing.opening import THREADS, everything, in_threads
from tests.integration.programs import needs_fork, run, start

FULL = os.environ.get("RECOLLECT_FULL") == "1"
TURNS_SECONDS = 10.0 if FULL else 2.0

FORKING = """
import os, signal, sys, threading, time, warnings
from pathlib import Path
warnings.simplefilter("ignore", DeprecationWarning)  # newer interpreters warn of forks beside threads
import recollect
from recollect.storage.sqlite import SqliteDatabase
memory = recollect.open_memory(sys.argv[1])
database = SqliteDatabase(Path(sys.argv[1]))

def found(word):
    return sorted(record.content for record in memory.notes.search(word, limit=100))

def colour():
    return database.one("meta_get", name="colour")

def wait(child):
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, status
"""
ALL_GO_ON = """
memory.notes.save("zebra of the parent before")
child = os.fork()
if child == 0:
    memory.notes.save("zebra of the child")
    assert len(found("zebra")) >= 2
    grandchild = os.fork()
    if grandchild == 0:
        memory.notes.save("zebra of the grandchild")
        memory.close()
        sys.exit(0)
    wait(grandchild)
    for at in range(30):
        memory.notes.save(f"child {at}")
    assert memory.upkeep.drain() == 0
    sys.exit(0)  # with all that an interpreter does at its end
for at in range(30):
    memory.notes.save(f"parent {at}")
wait(child)
memory.notes.save("zebra of the parent after")
assert len(found("zebra")) == 4, found("zebra")
assert len(found("child")) == 31 and len(found("parent")) == 32
assert memory.upkeep.check().sound
memory.close()
with recollect.open_memory(sys.argv[1]) as again:
    assert len(again.notes.search("zebra")) == 4 and again.upkeep.check().sound
print("fine")
"""
BESIDE_A_TRANSACTION = """
inside = threading.Event()
def write():
    with database.transaction():
        database.run("meta_put", name="colour", value="green")
        inside.set()
        time.sleep(0.3)
thread = threading.Thread(target=write)
thread.start()
inside.wait()
child = os.fork()  # waits for the transaction
if child == 0:
    assert colour() == ("green",)
    memory.notes.save("zebra of the child")
    sys.exit(0)
thread.join()
wait(child)
memory.notes.save("zebra of the parent")
assert len(found("zebra")) == 2 and memory.upkeep.check().sound
memory.close()
print("fine")
"""
PARENT_CLOSES_FIRST = """
memory.notes.save("zebra before")
reading, writing = os.pipe()
child = os.fork()
if child == 0:
    memory.notes.save("zebra of the child")
    os.read(reading, 1)
    memory.notes.save("zebra after the parent closed")
    os._exit(0)
database.close()
memory.notes.save("zebra of the parent")
memory.close()
os.write(writing, b".")
wait(child)
with recollect.open_memory(sys.argv[1]) as again:
    assert len(again.notes.search("zebra")) == 4 and again.upkeep.check().sound
print("fine")
"""
IN_A_TRANSACTION = """
def refused(use):
    try:
        use()
    except recollect.StorageError as problem:
        return problem.key == "forked_in_use"

child = None
try:
    with database.transaction():
        database.run("meta_put", name="colour", value="green")
        child = os.fork()
except recollect.StorageError as problem:
    assert child == 0 and problem.key == "forked_in_use"
    assert refused(colour) and refused(lambda: memory.notes.save("zebra of the child"))
    assert refused(lambda: recollect.open_memory(sys.argv[1]))
    os._exit(0)
wait(child)
assert colour() == ("green",)
memory.notes.save("zebra of the parent")
assert len(found("zebra")) == 1 and memory.upkeep.check().sound
memory.close()
print("fine")
"""
KILLED_IN_A_TRANSACTION = """
import subprocess
memory.notes.save("zebra before")
parent = os.getpid()
with database.transaction():
    database.run("meta_put", name="colour", value="green")
    child = os.fork()
    if child == 0:
        while os.getppid() == parent:
            time.sleep(0.01)
        code = "import recollect, sys; recollect.open_memory(sys.argv[1]).notes.save('zebra of another')"
        started = time.monotonic()
        subprocess.run([sys.executable, "-c", code, sys.argv[1]], check=True)
        assert time.monotonic() - started < 10
        print("fine", flush=True)
        os._exit(0)
    os.kill(parent, signal.SIGKILL)
"""
IN_A_POOL = """
import multiprocessing

def save(number):
    return memory.notes.save(f"zebra {number}").record.id, len(memory.notes.search("zebra", limit=100)) > 0

memory.notes.save("before")
with multiprocessing.get_context("fork").Pool(4) as pool:
    answers = pool.map(save, range(40), chunksize=1)
assert sorted(number for number, _ in answers) == list(range(2, 42)) and all(seen for _, seen in answers)
assert len(found("zebra")) == 40 and memory.upkeep.check().sound
memory.close()
print("fine")
"""
TAKING_TURNS = """
import sys, time
import recollect
with recollect.open_memory(sys.argv[1]) as memory:
    memory.recall("warm up")
    print("ready", flush=True)
    sys.stdin.readline()
    until = time.monotonic() + float(sys.argv[3])
    count, longest = 0, 0.0
    while time.monotonic() < until:
        started = time.monotonic()
        memory.notes.save(f"{sys.argv[2]} {count}")
        longest = max(longest, time.monotonic() - started)
        count += 1
print(count, longest)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def memory(path: Path) -> Iterator[Memory]:
    with recollect.open_memory(path) as memory:
        yield memory


@pytest.fixture
def database(path: Path, memory: Memory) -> Iterator[SqliteDatabase]:
    """Give a second hand on the file of `memory`."""
    database = SqliteDatabase(path)
    yield database
    database.close()


def save_and_look(memory: Memory, number: int) -> None:
    memory.notes.save(f"zebra of process {number}")
    assert len(memory.notes.search("zebra")) >= 1


@needs_fork
class TestForks:
    @pytest.mark.parametrize(
        "doing",
        [ALL_GO_ON, BESIDE_A_TRANSACTION, IN_A_TRANSACTION, PARENT_CLOSES_FIRST, IN_A_POOL],
        ids=["all", "beside", "inside", "parent first", "pool"],
    )
    def test_parents_and_children_go_on(self, path: Path, doing: str) -> None:
        assert run(FORKING + doing, path) == "fine\n"

    def test_a_lock_dies_with_its_process_though_a_child_lives(self, path: Path) -> None:
        program = start(FORKING + KILLED_IN_A_TRANSACTION, path)
        output, problems = program.communicate(timeout=60)
        assert output == "fine\n", problems
        assert program.returncode == -9

    @pytest.mark.filterwarnings("ignore::DeprecationWarning")
    def test_a_memory_goes_into_a_process_of_multiprocessing(self, memory: Memory) -> None:
        context = multiprocessing.get_context("fork")
        children = [context.Process(target=save_and_look, args=(memory, number)) for number in range(3)]
        for child in children:
            child.start()
        memory.notes.save("zebra of the parent")
        for child in children:
            child.join(60)
        assert [child.exitcode for child in children] == [0, 0, 0]
        assert len(memory.notes.search("zebra")) == 4 and memory.upkeep.check().sound


class TestOneProcess:
    def test_two_memories_of_one_file_share_it(self, path: Path) -> None:
        first, second = recollect.open_memory(path), recollect.open_memory(path)
        memories = [first, second]
        in_threads(lambda number: [memories[number % 2].notes.save(f"{number} {at}") for at in range(10)])
        assert everything(first) == everything(second) and len(everything(first)) == 10 * THREADS
        first.close()
        assert second.notes.save("after").record.id == 10 * THREADS + 1
        assert second.upkeep.check().sound
        second.close()

    def test_closing_is_final_and_harmless_again(self, path: Path) -> None:
        memory = recollect.open_memory(path)
        view = memory.within(user="u1", agent="a")
        view.notes.save("one")
        view.close()
        memory.close()
        view.close()
        for use in (lambda: memory.notes.save("x"), lambda: view.notes.list(), lambda: view.recall("one")):
            with pytest.raises(StorageError) as caught:
                use()
            assert caught.value.key == "closed"
        assert view.prefetch("one") == ""

    def test_closing_while_threads_work_breaks_nothing(self, path: Path) -> None:
        memory = recollect.open_memory(path)
        acknowledged: list[int] = []

        def work(number: int) -> None:
            if number == 0:
                time.sleep(0.1)
                memory.close()
                return
            for at in range(2_000):
                try:
                    acknowledged.append(memory.notes.save(f"{number} {at}").record.id)
                    memory.recall(f"{number} {at}")
                except StorageError as problem:
                    assert problem.key == "closed"
                    return

        in_threads(work, 5)
        with recollect.open_memory(path) as again:
            assert {record.id for record in everything(again)} >= set(acknowledged)
            assert again.upkeep.check().sound

    def test_no_thread_is_left_behind(self, path: Path) -> None:
        before = threading.active_count()
        for _ in range(3):
            recollect.open_memory(path).close()
        assert threading.active_count() == before


class TestReadersAndWriters:
    def test_an_open_write_blocks_no_reader(self, memory: Memory, database: SqliteDatabase, path: Path) -> None:
        memory.notes.save("zebra before")
        with database.transaction():
            database.run("meta_put", name="colour", value="green")
            started = time.monotonic()
            assert [record.content for record in everything(memory)] == ["zebra before"]
            assert len(memory.recall("zebra before").hits) == 1 and memory.prefetch("zebra before") != ""
            with closing(sqlite3.connect(path)) as other:
                assert other.execute("select count(*) from records").fetchone() == (1,)
            assert memory.upkeep.check().sound
            assert time.monotonic() - started < 2

    def test_an_open_read_blocks_no_writer_and_keeps_what_it_saw(self, memory: Memory, path: Path) -> None:
        memory.notes.save("one")
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("begin")
            count = "select count(*) from records"
            assert reader.execute(count).fetchone() == (1,)
            started = time.monotonic()
            for at in range(20):
                memory.notes.save(f"more {at}")
            assert time.monotonic() - started < 5
            assert reader.execute(count).fetchone() == (1,)
            reader.execute("rollback")
            assert reader.execute(count).fetchone() == (21,)

    def test_a_program_that_knows_no_lock_of_ours_is_waited_for(self, memory: Memory, path: Path) -> None:
        locked, done = threading.Event(), threading.Event()

        def hold(_: int) -> None:
            with closing(sqlite3.connect(path, isolation_level=None)) as other:
                other.execute("begin immediate")
                locked.set()
                done.wait(0.5)
                other.execute("rollback")

        holder = threading.Thread(target=hold, args=(0,))
        holder.start()
        locked.wait()
        assert memory.notes.list().items == ()
        assert memory.notes.save("one").outcome == "created"
        done.set()
        holder.join()

    @pytest.mark.skipif(not FULL, reason="takes half a minute: RECOLLECT_FULL=1")
    def test_who_waits_too_long_is_told(self, memory: Memory, database: SqliteDatabase) -> None:
        def save(_: int) -> str:
            with pytest.raises(StorageError) as caught:
                memory.notes.save("one")
            return caught.value.key

        with database.transaction():
            assert in_threads(save, 1) == ["busy"]
        assert memory.notes.save("one").outcome == "created"

    def test_processes_that_wait_are_served_in_turn(self, path: Path) -> None:
        recollect.open_memory(path).close()
        programs = [start(TAKING_TURNS, path, number, TURNS_SECONDS) for number in range(4)]
        for program in programs:
            assert program.stdout is not None and program.stdout.readline() == "ready\n"
        for program in programs:
            assert program.stdin is not None
            program.stdin.write("go\n")
            program.stdin.flush()
        told = [program.communicate(timeout=120)[0].split() for program in programs]
        counts = sorted(int(count) for count, _ in told)
        assert counts[0] >= counts[-1] * 0.25 and counts[0] >= 5, counts
        assert max(float(longest) for _, longest in told) < 2
        with recollect.open_memory(path) as memory:
            assert memory.upkeep.check().records == sum(counts)

    def test_a_prompt_does_without_a_database_that_fails(self, memory: Memory, path: Path) -> None:
        memory.notes.save("zebra stripes")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("alter table postings rename to elsewhere")
            assert memory.prefetch("zebra stripes") == ""
            composed = memory.compose([{"role": "user", "content": "zebra stripes"}], system_prompt="Be kind.")
            assert composed.volatile == "" and composed.system.startswith("Be kind.")
            with pytest.raises(StorageError):
                memory.recall("zebra stripes")
            other.execute("alter table elsewhere rename to postings")
        assert "zebra stripes" in memory.prefetch("zebra stripes")
        assert memory.upkeep.check().failed_prefetches == 2

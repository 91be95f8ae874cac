"""Files that are not ours, not whole, not writable, of another age, or at strange places."""

import os
import random
import re
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import recollect
from recollect import ConfigError, NewerSchema, RecollectError, StorageError
from recollect.domain.messages import LANGUAGES
from recollect.storage.sql import load_migrations
from recollect.testing.opening import everything, in_threads
from tests.integration.programs import files_beside, needs_posix

MIGRATIONS = load_migrations("sqlite")
APPLICATION_ID = 0x5245434F
NOTES = 300


def filled(path: Path) -> Path:
    """Write a database of some hundred notes and close it."""
    with recollect.open_memory(path) as memory:
        memory.notes.save_many({"content": f"zebra note {at} 支付模块 " + "word " * 20} for at in range(NOTES))
    return path


def refusal(work: Callable[[], object], *keys: str, kind: type[RecollectError] = StorageError) -> RecollectError:
    """Return the error of `work`, whose sentence stands in every language."""
    with pytest.raises(kind) as caught:
        work()
    assert caught.value.key in keys
    assert len({caught.value.text(language) for language in LANGUAGES}) == len(LANGUAGES)
    return caught.value


class TestFilesThatAreNotOurs:
    @pytest.mark.parametrize("journal", ["delete", "wal"])
    def test_the_database_of_another_program_is_left_alone(self, tmp_path: Path, journal: str) -> None:
        path = tmp_path / "theirs.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(f"pragma journal_mode = {journal}; create table t (x); insert into t values (1);")
            connection.execute("pragma application_id = 77")
        before = files_beside(path)
        problem = refusal(lambda: recollect.open_memory(path), "not_ours", kind=ConfigError)
        assert str(path) in str(problem)
        assert files_beside(path) == before

    @pytest.mark.parametrize(
        "content",
        [
            b"plain text, long enough to be looked at " * 40,
            b"\x00" * 4096,
            b"PK\x03\x04" + b"z" * 2000,
            b"SQLite format 4",
        ],
        ids=["text", "zeros", "zip", "almost"],
    )
    def test_what_is_no_database_is_left_alone(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "file.db"
        path.write_bytes(content)
        problem = refusal(lambda: recollect.open_memory(path), "not_database", "not_ours", kind=RecollectError)
        assert str(path) in problem.text("en")
        assert files_beside(path) == {path.name: content}

    def test_an_empty_file_becomes_a_memory(self, tmp_path: Path) -> None:
        path = tmp_path / "empty.db"
        path.touch()
        with recollect.open_memory(path) as memory:
            assert memory.notes.save("one").outcome == "created"

    @pytest.mark.parametrize("place", ["  ", ":memory:", "http://example.org/x", "oracle://u@h/d", "sqlite://x"])
    def test_what_is_no_place_is_named(self, place: str) -> None:
        problem = refusal(lambda: recollect.open_memory(place), "unknown_url", kind=ConfigError)
        assert problem.path == "database"

    @pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux counts them there")
    def test_what_cannot_be_opened_is_let_go(self, tmp_path: Path) -> None:
        (tmp_path / "text.db").write_bytes(b"plain text, long enough to be looked at " * 40)
        newer = filled(tmp_path / "newer.db")
        with closing(sqlite3.connect(newer)) as connection:
            connection.execute("pragma user_version = 99")
        before = len(os.listdir("/proc/self/fd"))
        for path in (tmp_path, tmp_path / "text.db", newer) * 5:
            with pytest.raises(RecollectError):
                recollect.open_memory(path)
        assert len(os.listdir("/proc/self/fd")) == before

    def test_a_place_where_no_file_can_be(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x", encoding="utf-8")
        for path in (tmp_path, tmp_path / "file" / "memory.db", tmp_path / ("n" * 300), tmp_path / "a\x00b.db"):
            refusal(lambda at=path: recollect.open_memory(at), "cannot_open", "read_only")
        assert (tmp_path / "file").read_text(encoding="utf-8") == "x"


class TestFilesThatAreNotWhole:
    @pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9, 0.999])
    def test_a_file_that_was_cut_is_noticed(self, tmp_path: Path, share: float) -> None:
        path = filled(tmp_path / "memory.db")
        os.truncate(path, int(path.stat().st_size * share))
        self.assert_noticed(path)

    def test_a_file_without_its_head_is_noticed(self, tmp_path: Path) -> None:
        path = filled(tmp_path / "memory.db")
        whole = path.read_bytes()
        path.write_bytes(b"\x55" * 512 + whole[512:])
        refusal(lambda: recollect.open_memory(path), "not_database")
        assert path.read_bytes()[512:] == whole[512:]

    @pytest.mark.parametrize("seed", range(4))
    def test_a_file_with_damaged_pages_is_noticed(self, tmp_path: Path, seed: int) -> None:
        path = filled(tmp_path / "memory.db")
        content = bytearray(path.read_bytes())
        chance = random.Random(seed)
        for _ in range(len(content) // 4096 // 2):
            at = chance.randrange(1, len(content) // 4096) * 4096
            content[at : at + 4096] = chance.randbytes(4096)
        path.write_bytes(content)
        self.assert_noticed(path)

    def assert_noticed(self, path: Path) -> None:
        """Fail unless opening, reading or checking says so, and nothing but our own errors is ever raised."""
        told: list[str] = []
        try:
            memory = recollect.open_memory(path)
        except StorageError as problem:
            assert problem.key == "not_database"
            return
        with memory:
            uses: list[Callable[[], object]] = [
                lambda: everything(memory),
                lambda: memory.recall("zebra 支付模块"),
                lambda: memory.notes.save("one more"),
                lambda: told.extend(memory.upkeep.check().database.problems),
            ]
            for use in uses:
                try:
                    use()
                except StorageError as problem:
                    assert problem.key in ("not_database", "database_failed")
                    told.append(problem.key)
            assert memory.prefetch("zebra 支付模块") is not None
        assert told


class TestSchemas:
    def earlier(self, path: Path, number: int) -> None:
        """Write a database as a program of schema `number` left it, with two notes."""
        filled(path.with_name("source.db"))
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for step in MIGRATIONS[:number]:
                connection.executescript(step.script)
            connection.executescript(f"pragma application_id = {APPLICATION_ID}; pragma user_version = {number};")
            connection.execute("attach ? as source", (str(path.with_name("source.db")),))
            for (table,) in connection.execute("select name from main.sqlite_master where type = 'table'").fetchall():
                columns = [row[1] for row in connection.execute(f"pragma main.table_info({table})")]
                listed = ", ".join(columns)
                connection.execute(f"insert into main.{table} ({listed}) select {listed} from source.{table}")

    def schema(self, path: Path) -> tuple[list[tuple[str, ...]], int, int]:
        with closing(sqlite3.connect(path)) as connection:
            parts = connection.execute("select type, name, tbl_name, sql from sqlite_master order by 1, 2").fetchall()
            marks = [connection.execute(f"pragma {mark}").fetchone()[0] for mark in ("user_version", "application_id")]
        return parts, marks[0], marks[1]

    def test_a_fresh_schema_is_all_migrations_applied(self, tmp_path: Path) -> None:
        filled(tmp_path / "fresh.db")
        with closing(sqlite3.connect(tmp_path / "steps.db", isolation_level=None)) as connection:
            for step in MIGRATIONS:
                connection.executescript(step.script)
        fresh, version, mark = self.schema(tmp_path / "fresh.db")
        assert fresh == self.schema(tmp_path / "steps.db")[0]
        assert (version, mark) == (MIGRATIONS[-1].number, APPLICATION_ID)
        assert [step.number for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))

    @pytest.mark.parametrize("number", [step.number for step in MIGRATIONS[:-1]])
    def test_every_earlier_schema_opens_and_a_copy_is_kept(self, tmp_path: Path, number: int) -> None:
        path = tmp_path / "memory.db"
        self.earlier(path, number)
        with recollect.open_memory(path) as memory:
            assert len(everything(memory)) == NOTES
            assert len(memory.notes.search("zebra note 7", limit=100)) == 100
            deleted = memory.notes.save("new").record.id
            memory.notes.delete(deleted)
            assert memory.upkeep.check().sound
        fresh, version, _ = self.schema(path)
        assert version == MIGRATIONS[-1].number
        assert fresh == self.schema(tmp_path / "source.db")[0]
        copy = tmp_path / f"memory.db.schema-{number:04}.bak"
        assert self.schema(copy)[1] == number
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("select count(*) from records").fetchone() == (NOTES,)
            assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
        if os.name == "posix":
            assert stat.S_IMODE(copy.stat().st_mode) == 0o600

    @pytest.mark.parametrize("number", [step.number for step in MIGRATIONS[:-1]])
    def test_a_migration_that_fails_leaves_the_schema_before_it(self, tmp_path: Path, number: int) -> None:
        path = tmp_path / "memory.db"
        self.earlier(path, number)
        [table, *_] = re.findall(r"create table (\w+)", MIGRATIONS[number].script)  # of the step that comes next
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"create table {table} (in_the_way)")
        before = self.schema(path)
        refusal(lambda: recollect.open_memory(path), "database_failed")
        assert self.schema(path) == before
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("select count(*) from records").fetchone() == (NOTES,)
            connection.execute(f"drop table {table}")
        with recollect.open_memory(path) as memory:
            assert len(everything(memory)) == NOTES

    def test_an_earlier_schema_is_opened_by_all_at_once(self, tmp_path: Path) -> None:
        path = tmp_path / "memory.db"
        self.earlier(path, 1)
        memories = in_threads(lambda _: recollect.open_memory(path))
        assert [len(everything(memory)) for memory in memories] == [NOTES] * len(memories)
        for memory in memories:
            memory.close()

    def test_a_newer_schema_is_left_alone(self, tmp_path: Path) -> None:
        path = filled(tmp_path / "memory.db")
        self.become(path, 99)
        whole = path.read_bytes()
        problem = refusal(lambda: recollect.open_memory(path), "newer_schema", kind=NewerSchema)
        assert problem.facts == {"found": 99, "known": MIGRATIONS[-1].number}
        assert path.read_bytes() == whole

    def test_a_schema_that_became_newer_refuses_the_next_write(self, tmp_path: Path) -> None:
        path = filled(tmp_path / "memory.db")
        with recollect.open_memory(path) as memory:
            assert memory.notes.save("before").outcome == "created"
            self.become(path, 99)
            for attempt in (lambda: memory.notes.save("after"), lambda: memory.notes.delete(1)):
                refusal(attempt, "newer_schema", kind=NewerSchema)
            assert len(everything(memory)) == NOTES + 1
            assert memory.prefetch("zebra note") != ""
            self.become(path, MIGRATIONS[-1].number)
            assert memory.notes.save("after").outcome == "created"

    def become(self, path: Path, number: int) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(f"pragma user_version = {number}")


class TestPlaces:
    @pytest.mark.parametrize(
        "name",
        [
            "with space.db",
            "支付 记忆.db",
            "a?b=c&mode=ro.db",
            "a#b.db",
            "a%20b.db",
            'it\'s "it".db',
            "😀.db",
            "-x.db",
            "noend",
        ],
    )
    @pytest.mark.parametrize("kind", ["path", "text", "url"])
    def test_any_name_of_a_file(self, tmp_path: Path, name: str, kind: str) -> None:
        if os.name == "nt" and set(name) & set('?"'):
            pytest.skip("Windows has no such names")
        path = tmp_path / "a folder ü" / name
        target = {"path": path, "text": str(path), "url": f"sqlite:///{path}"}[kind]
        with recollect.open_memory(target) as memory:
            memory.notes.save("here")
            assert memory.upkeep.check().database.place == str(path)
        with recollect.open_memory(target) as memory:
            assert [record.content for record in everything(memory)] == ["here"]
        assert {file.name for file in path.parent.iterdir()} == {name, f"{name}.lock"}

    def test_a_relative_place_is_where_the_program_stands(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        for target in ("one.db", "sqlite:///two.db", Path("sub/three.db")):
            recollect.open_memory(target).close()
        assert {file.name for file in tmp_path.rglob("*.db")} == {"one.db", "two.db", "three.db"}
        with recollect.open_memory("one.db") as memory:
            monkeypatch.chdir(tmp_path / "sub")
            assert memory.notes.save("still there").outcome == "created"
        assert not (tmp_path / "sub" / "one.db").exists()

    @needs_posix
    def test_files_and_folders_are_private(self, tmp_path: Path) -> None:
        shared = tmp_path / "shared"
        shared.mkdir(mode=0o755)
        mask = os.umask(0o022)
        try:
            with recollect.open_memory(tmp_path / "new" / "memory.db") as memory:
                memory.notes.save("one")
                memory.upkeep.backup(tmp_path / "copy.db")
                modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "new").iterdir()}
            recollect.open_memory(shared / "memory.db").close()
        finally:
            os.umask(mask)
        assert {"memory.db", "memory.db-wal", "memory.db-shm", "memory.db.lock"} == set(modes)
        assert set(modes.values()) == {0o600}
        assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
        assert stat.S_IMODE(shared.stat().st_mode) == 0o755
        assert stat.S_IMODE((shared / "memory.db").stat().st_mode) == 0o600


class TestBackup:
    def test_a_copy_is_whole_while_others_write(self, tmp_path: Path) -> None:
        with recollect.open_memory(filled(tmp_path / "memory.db")) as memory:

            def write_or_copy(number: int) -> int:
                if number == 0:
                    memory.upkeep.backup(tmp_path / "copy.db")
                    return 0
                return sum(memory.notes.save(f"{number} {at}").outcome == "created" for at in range(20))

            written = sum(in_threads(write_or_copy, 4))
            assert written == 60 and len(everything(memory)) == NOTES + written
        with recollect.open_memory(tmp_path / "copy.db") as copy:
            assert copy.upkeep.check().sound
            assert NOTES <= len(everything(copy)) <= NOTES + written

    def test_a_copy_replaces_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "there").write_text("x", encoding="utf-8")
        with recollect.open_memory(tmp_path / "memory.db") as memory:
            refusal(lambda: memory.upkeep.backup(tmp_path / "there"), "file_exists")
            refusal(lambda: memory.upkeep.backup(tmp_path / "memory.db"), "file_exists")
            refusal(lambda: memory.upkeep.backup(tmp_path / "missing" / "copy.db"), "cannot_open")
            assert memory.notes.save("one").outcome == "created"
        assert (tmp_path / "there").read_text(encoding="utf-8") == "x"


@needs_posix
@pytest.mark.parametrize("replaced", [False, True])
def test_nothing_is_acknowledged_into_a_file_that_is_gone(tmp_path: Path, replaced: bool) -> None:
    with recollect.open_memory(tmp_path / "memory.db") as memory:
        memory.notes.save("one")
        other = filled(tmp_path / "other.db") if replaced else None
        for file in tmp_path.glob("memory.db*"):
            file.unlink()
        if other is not None:
            other.rename(tmp_path / "memory.db")
        refusal(lambda: memory.notes.save("two"), "file_gone")
        refusal(lambda: memory.notes.delete(1), "file_gone")
    with recollect.open_memory(tmp_path / "memory.db") as memory:
        assert len(everything(memory)) == (NOTES if replaced else 0)

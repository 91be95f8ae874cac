"""A database copied into another: every engine into every engine, broken off, written to, and refused."""

import random
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from recollect import Conflict, Forgotten, Invalid, Memory, StorageError, open_memory
from recollect.domain.scope import Scope
from recollect.domain.vectors import LATIN
from recollect.records.copying import Copied
from recollect.records.tables import Tables
from recollect.storage.copies import PARTS, digest_of
from recollect.storage.vectors import Maker
from recollect.wiring import copy_database, opened_tables
from tests.integration.places import ENGINES, SERVERS, NewPlace, Places, asked
from tests.integration.programs import needs_posix, start
from tests.integration.transfers import fill

Opened = Callable[[str], Memory]

DIRECTIONS = [(one, other) for one in ENGINES for other in ENGINES]
COPY = """
import sys
from recollect.storage.vectors import Maker
from recollect.wiring import copy_database
print("began", flush=True)
copy_database(sys.argv[1], sys.argv[2])
"""


@pytest.fixture(autouse=True)
def vectors_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody makes vectors while tables are compared; some stand in each database all the same."""
    monkeypatch.setenv("RECOLLECT_EMBEDDER__PROVIDER", "none")


def filled(place: str, users: int = 2) -> None:
    """Leave something of every kind at a place, also a user that was erased."""
    with open_memory(place) as memory:
        for number in range(users):
            mine = memory.within(user=f"用户 {number}")
            fill(mine)
            writer = mine.within(agent="writer")
            saved = writer.notes.save_many([{"content": f"note {n} of {number} 备忘"} for n in range(40)])
            learn(place, mine.scope, [one.record.id for one in saved])
            writer.recall("备忘 note 7")
            mine.recall("备忘 note 8")
        memory.within(user="erased").notes.save("gone for ever")
        memory.erase(user="erased")


def learn(place: str, scope: Scope, record_ids: list[int]) -> None:
    """Leave vectors of two models at a place, and a mark from where on an answer counts."""
    with opened_tables(place) as tables, tables.database.transaction():
        owner = tables.owners.get(scope.owner_id)
        assert owner is not None
        for model in ("small", "large"):
            vectors = [(number, LATIN, bytes([number % 256, 0, 255, len(model)])) for number in record_ids]
            tables.vectors.put(owner.no, Maker(model, 4), vectors)
        tables.vectors.put_floors(owner.no, '{"0.5": 1}')


def outcomes(done: Copied) -> set[str]:
    return {owner.outcome for owner in done.owners}


def told(tables: Tables) -> dict[str, dict[str, tuple[int, str]]]:
    """Return counts and hashes of every table of every owner."""
    database = tables.database
    found = {f"{tenant}/{user}": number for number, tenant, user in tables.owners.list()}
    digests = {who: {part.name: digest_of(part, database, no) for part in PARTS} for who, no in found.items()}
    return {who: {name: (one.rows, one.sha256) for name, one in parts.items()} for who, parts in digests.items()}


def all_of(place: str) -> dict[str, dict[str, tuple[int, str]]]:
    with opened_tables(place) as tables:
        return told(tables)


class TestEveryDirection(Places):
    @pytest.mark.parametrize(("source", "target"), DIRECTIONS)
    def test_everything_is_there_and_the_same(self, place: NewPlace, opened: Opened, source: str, target: str) -> None:
        one, other = place(source), place(target)
        filled(one)
        heard: list[tuple[int, int]] = []
        done = copy_database(one, other, progress=lambda *so_far: heard.append(so_far))
        assert (outcomes(done), len(done.owners), done.erasures) == ({"copied"}, 2, 1)
        assert heard[-1][0] == heard[-1][1] > 500
        assert all_of(one) == all_of(other)
        reported = {
            f"{one.tenant}/{one.user}": {t.table: (t.rows, t.sha256) for t in one.tables} for one in done.owners
        }
        assert reported == all_of(one)
        assert all(rows for part in reported.values() for rows, _ in part.values())
        before, after = opened(one), opened(other)
        for user in ("用户 0", "用户 1"):
            mine, theirs = (memory.within(user=user, agent="writer") for memory in (before, after))
            assert theirs.notes.list(limit=100) == mine.notes.list(limit=100)
            found = [[hit.record.id for hit in one.recall("备忘 note 7").hits] for one in (mine, theirs)]
            assert found[0] == found[1] != []
            for note in mine.notes.list(limit=100).items:
                assert theirs.notes.history(note.id) == mine.notes.history(note.id)
        assert after.upkeep.check().sound
        assert [len(one.recalls.list().items) for one in (mine, theirs)] == [3, 3]
        assert [outcomes(copy_database(one, other)) for _ in range(2)] == [{"updated"}, {"there"}]
        assert all_of(one) == all_of(other)

    @pytest.mark.parametrize("target", ENGINES)
    def test_life_goes_on_there(self, place: NewPlace, opened: Opened, target: str) -> None:
        one, other = place("sqlite"), place(target)
        filled(one)
        copy_database(one, other)
        before, after = (opened(at).within(user="用户 0", agent="coach") for at in (one, other))
        saved, expected = after.notes.save("first of the new place"), before.notes.save("first of the new place")
        assert (saved.record.id, saved.revision) == (expected.record.id, expected.revision)
        revision = after.notes.update(saved.record.id, content="changed").revision
        after.undo(revision=revision)
        assert after.notes.get(saved.record.id) is not None
        assert after.upkeep.check().sound

    @pytest.mark.parametrize("target", ENGINES)
    def test_who_was_erased_and_what_was_forgotten_stay_so(self, place: NewPlace, opened: Opened, target: str) -> None:
        one, other = place("sqlite"), place(target)
        filled(one)
        copy_database(one, other)
        call = {"action": "create", "type": "user", "name": "n", "content": "the word nobody may see again"}
        for user in ("erased", "用户 0"):
            refused = opened(other).within(user=user).tools().call("memory_save", call)
            assert '"forgotten"' in refused.content


class TestGoingOn(Places):
    @needs_posix
    @pytest.mark.parametrize("target", ENGINES)
    def test_killed_anywhere_and_given_again(self, place: NewPlace, target: str) -> None:
        one, other = place("sqlite"), place(target)
        filled(one, users=12)
        expected = all_of(one)
        choose = random.Random(5)
        for _ in range(5):
            program = start(COPY, one, other)
            assert program.stdout is not None and program.stdout.readline() == "began\n"
            time.sleep(choose.uniform(0.1, 0.9))
            program.kill()
            program.communicate()
            there = all_of(other)
            assert all(expected[who] == parts for who, parts in there.items())
        done = copy_database(one, other)
        assert len(done.owners) == 12
        assert all_of(other) == expected
        with open_memory(other) as memory:
            assert memory.upkeep.check().sound

    @pytest.mark.parametrize("target", ENGINES)
    def test_what_is_written_afterwards_comes_with_the_next_copy(
        self, place: NewPlace, opened: Opened, target: str
    ) -> None:
        one, other = place("sqlite"), place(target)
        filled(one)
        copy_database(one, other)
        mine = opened(one).within(user="用户 1", agent="writer")
        mine.notes.update(mine.notes.list().items[0].id, content="later")
        mine.notes.delete(mine.notes.list().items[1].id, forget=True)
        mine.notes.save("new")
        opened(one).within(user="somebody new").notes.save("hello")
        done = copy_database(one, other)
        assert {owner.user: owner.outcome for owner in done.owners} == {
            "用户 0": "there", "用户 1": "updated", "somebody new": "copied",
        }  # fmt: skip
        assert all_of(one) == all_of(other)

    @pytest.mark.parametrize("source", ENGINES)
    def test_a_source_in_use_is_copied_at_one_moment(self, place: NewPlace, opened: Opened, source: str) -> None:
        one, other = place(source), place("sqlite")
        filled(one, users=1)
        busy, stop = opened(one).within(user="用户 0", agent="writer"), threading.Event()

        def write() -> None:
            while not stop.is_set():
                busy.notes.save(f"note {random.random()}", name="busy")

        writer = threading.Thread(target=write)
        writer.start()
        try:
            copy_database(one, other)
        finally:
            stop.set()
            writer.join()
        with open_memory(other) as memory:
            assert memory.upkeep.check().sound
        assert outcomes(copy_database(one, other)) == {"updated"}
        assert all_of(one) == all_of(other)


class TestRefusals(Places):
    @pytest.mark.parametrize("target", ENGINES)
    def test_somebody_elses_memory_is_left_alone(self, place: NewPlace, opened: Opened, target: str) -> None:
        one, other = place("sqlite"), place(target)
        filled(one)
        opened(other).within(user="用户 1").notes.save("was here before")
        before = all_of(other)
        for dry_run in (True, False):
            with pytest.raises(Conflict) as refused:
                copy_database(one, other, dry_run=dry_run)
            assert (refused.value.key, "用户 1" in str(refused.value)) == ("copy_foreign", True)
        assert all_of(other) == before

    @pytest.mark.parametrize("target", ENGINES)
    def test_a_copy_that_was_written_to_is_left_alone(self, place: NewPlace, opened: Opened, target: str) -> None:
        one, other = place("sqlite"), place(target)
        filled(one)
        copy_database(one, other)
        opened(one).within(user="用户 0").notes.save("here")
        opened(other).within(user="用户 0").notes.save("there")
        before = all_of(other)
        with pytest.raises(Conflict):
            copy_database(one, other)
        assert all_of(other) == before

    @pytest.mark.parametrize("target", ENGINES)
    def test_another_users_memory_stays_beside(self, place: NewPlace, opened: Opened, target: str) -> None:
        one, other = place("sqlite"), place(target)
        filled(one)
        opened(other).within(user="neighbour").notes.save("was here before")
        kept = all_of(other)["default/neighbour"]
        copy_database(one, other)
        assert all_of(other) == {**all_of(one), "default/neighbour": kept}

    @pytest.mark.parametrize("target", ENGINES)
    def test_who_was_erased_in_the_target_does_not_come_back(
        self, place: NewPlace, opened: Opened, target: str
    ) -> None:
        one, other = place("sqlite"), place(target)
        opened(one).within(user="u").notes.save("a note")
        there = opened(other)
        there.within(user="u").notes.save("another")
        there.erase(user="u")
        with pytest.raises(Forgotten):
            copy_database(one, other)
        assert all_of(other) == {}

    def test_two_keys_of_erasures_are_not_mixed(self, place: NewPlace, opened: Opened) -> None:
        one, other = place("sqlite"), place("sqlite")
        filled(one)
        filled(other, users=0)
        with pytest.raises(Conflict) as refused:
            copy_database(one, other)
        assert refused.value.key == "copy_erasures"

    @pytest.mark.parametrize("target", ENGINES)
    def test_onto_itself(self, place: NewPlace, target: str) -> None:
        one = place(target)
        filled(one, users=1)
        with pytest.raises(Invalid):
            copy_database(one, one)

    def test_onto_itself_by_another_way(self, place: NewPlace, tmp_path: Path) -> None:
        one = Path(place("sqlite"))
        filled(str(one), users=1)
        (tmp_path / "folder").mkdir()
        (tmp_path / "link.db").symlink_to(one)
        for other in (tmp_path / "folder" / ".." / one.name, tmp_path / "link.db"):
            with pytest.raises(Invalid) as refused:
                copy_database(one, other)
            assert refused.value.key == "copy_onto_itself"

    def test_a_source_that_is_not_there_is_not_made(self, place: NewPlace) -> None:
        one = place("sqlite")
        with pytest.raises(StorageError) as refused:
            copy_database(one, place("sqlite"))
        assert refused.value.key == "file_missing"
        assert not Path(one).exists()

    def test_a_target_that_keeps_something_else_is_noticed(self, place: NewPlace) -> None:
        one, other = place("sqlite"), place("sqlite")
        filled(one)
        with open_memory(other):
            pass
        with closing(sqlite3.connect(other)) as connection:
            connection.executescript(
                "create trigger spoil after insert on records begin update records set name = name || '!'"
                " where row_no = new.row_no; end"
            )
        with pytest.raises(StorageError) as refused:
            copy_database(one, other)
        assert refused.value.key == "copy_differs"
        assert all_of(other) == {}


class TestDryRun(Places):
    @pytest.mark.parametrize("target", SERVERS)
    def test_no_table_is_made(self, place: NewPlace, target: str) -> None:
        one, other = place("sqlite"), place(target)
        filled(one)
        done = copy_database(one, other, dry_run=True)
        assert (outcomes(done), done.rows("records") > 80, done.dry_run) == ({"copied"}, True, True)
        assert "@" not in done.target
        found = "select count(*) from information_schema.tables where table_name = 'records'"
        assert asked(other, found + (" and table_schema = database()" if target == "mysql" else "")) == [(0,)]

    def test_no_file_is_made(self, place: NewPlace) -> None:
        one, other = place("sqlite"), place("sqlite")
        filled(one)
        assert copy_database(one, other, dry_run=True).target == other
        assert not Path(other).exists()

    @pytest.mark.parametrize("target", ENGINES)
    def test_nothing_is_written_where_something_is(self, place: NewPlace, opened: Opened, target: str) -> None:
        one, other = place("sqlite"), place(target)
        filled(one)
        opened(other).within(user="neighbour").notes.save("was here before")
        before = all_of(other)
        tried = copy_database(one, other, dry_run=True)
        assert all_of(other) == before
        done = copy_database(one, other)
        assert [owner.tables for owner in done.owners] == [owner.tables for owner in tried.owners]


class TestOneAgent(Places):
    @pytest.mark.parametrize(("source", "target"), [("sqlite", "postgres"), ("postgres", "mysql"), ("mysql", "sqlite")])
    def test_only_what_it_wrote_comes(self, place: NewPlace, opened: Opened, source: str, target: str) -> None:
        one, other = place(source), place(target)
        filled(one)
        done = copy_database(one, other, agent="coach")
        assert outcomes(done) == {"copied"}
        before, after = (opened(at).within(user="用户 0", agent="*") for at in (one, other))
        mine = [note for note in before.notes.list(limit=100).items if note.agent == "coach"]
        assert [*after.notes.list(limit=100).items] == mine
        for note in mine:
            assert after.notes.history(note.id) == before.notes.history(note.id)
        assert after.upkeep.check().sound
        assert after.within(agent="coach").recall("回答要简短").hits
        assert outcomes(copy_database(one, other, agent="coach")) == {"there"}
        opened(one).within(user="用户 0", agent="coach").notes.save("later")
        done = copy_database(one, other, agent="coach")
        assert {owner.user: owner.outcome for owner in done.owners} == {"用户 0": "updated", "用户 1": "there"}
        with pytest.raises(Conflict):
            copy_database(one, other, agent="writer")

"""Undoing: a change or a run is taken back, unless something later built upon it."""

from typing import Any

import pytest

from recollect.domain.errors import Conflict, Forgotten, Invalid, NotFound
from recollect.domain.record import Record
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, everything, ids


def _kept(record: Record | None) -> dict[str, object]:
    """Return what an undo brings back; who changed it last and when is told anew."""
    assert record is not None
    return {name: value for name, value in record.public().items() if name not in ("updated_at", "version")}


class UndoingChecks(DoorChecks):
    """Checks of `undo`."""

    def test_a_change_is_taken_back(self, mine: Memory) -> None:
        record = mine.notes.save("one", name="n", labels=["x"], metadata={"a": [1]}).record
        changed = mine.notes.update(
            record.id, content="two zebra", labels=["y"], metadata={}, type="project", expires_at="2126-01-01T00:00Z"
        )
        [back] = mine.undo(revision=changed.revision)
        assert (back.action, back.undoes, back.record_id) == ("update", changed.revision, record.id)
        assert _kept(mine.notes.get(record.id)) == _kept(record)
        assert mine.notes.search("zebra") == ()
        assert ids(mine.notes.search("one")) == [record.id]
        history = mine.notes.history(record.id)
        assert [one.version for one in history] == [3, 2, 1]
        assert history[1].undone_by == history[0].id == back.id

    def test_each_action_is_taken_back(self, mine: Memory) -> None:
        saved = mine.notes.save("zebra")
        number = saved.record.id
        mine.undo(revision=saved.revision)
        assert mine.notes.get(number) is None and ids(everything(mine, "trashed")) == [number]
        mine.notes.restore(number)
        mine.undo(revision=mine.notes.history(number)[0].id)
        assert ids(everything(mine, "trashed")) == [number]
        mine.notes.restore(number)
        mine.undo(revision=mine.notes.delete(number))
        assert ids(mine.notes.search("zebra")) == ids(everything(mine)) == [number]
        assert mine.upkeep.check().sound

    def test_an_undo_is_undone(self, mine: Memory) -> None:
        record = mine.notes.save("one").record
        changed = mine.notes.update(record.id, content="two").record
        for wanted in (record, changed, record, changed):
            [back] = mine.undo(revision=mine.notes.history(record.id)[0].id)
            assert _kept(mine.notes.get(record.id)) == _kept(wanted)
            assert back.undoes == back.id - 1

    def test_changes_are_taken_back_one_after_the_other(self, mine: Memory) -> None:
        saved = mine.notes.save("one")
        number = saved.record.id
        changes = [mine.notes.update(number, content=content).revision for content in ("two", "three", "four")]
        assert all(changes)
        told: list[int | None] = []
        for content in ("three", "two", "one", None):
            newest = mine.undoable()
            assert newest is not None
            told.append(newest.id)
            mine.undo(revision=newest.id)
            record = mine.notes.get(number)
            assert (record and record.content) == content
        assert told == [*reversed(changes), saved.revision]
        assert mine.undoable() is None

    def test_what_was_undone_is_done_again_step_by_step(self, mine: Memory) -> None:
        number = mine.notes.save("one").record.id
        second = mine.notes.update(number, content="two").revision
        third = mine.notes.update(number, content="three").revision
        undos = [mine.undo(revision=revision)[0].id for revision in (third, second)]
        with pytest.raises(Conflict) as caught:
            mine.undo(revision=undos[0])
        assert (caught.value.key, caught.value.facts["later"]) == ("changed_later", undos[1])
        for undone, content, newest in ((undos[1], "two", second), (undos[0], "three", third)):
            mine.undo(revision=undone)
            record, told = mine.notes.get(number), mine.undoable()
            assert record is not None and record.content == content
            assert told is not None and told.id == newest
        mine.undo(revision=third)
        changed = mine.notes.update(number, content="four").revision
        with pytest.raises(Conflict) as caught:
            mine.undo(revision=second)
        assert caught.value.facts["later"] == changed

    def test_only_what_a_scope_sees_is_its_newest_change(self, memory: Memory, mine: Memory) -> None:
        assert mine.undoable() is None
        saved = mine.notes.save("one")
        others = (mine.within(agent="x"), mine.within(session="s"), memory.within(user="u2", agent="coach"))
        for other in others:
            other.notes.save("other")
        mine.notes.delete(mine.notes.save("forgotten").record.id, forget=True)
        newest = mine.undoable()
        assert newest is not None and (newest.id, newest.action) == (saved.revision, "create")

    def test_approving_is_taken_back(self, mine: Memory) -> None:
        number = mine.notes.save("zebra", external=True).record.id
        approved = mine.notes.restore(number)
        mine.undo(revision=approved.revision)
        assert ids(everything(mine, "pending")) == [number]
        assert mine.notes.search("zebra") == ()
        assert mine.upkeep.check().sound

    def test_a_later_change_stands_in_the_way_and_is_named(self, mine: Memory) -> None:
        saved = mine.notes.save("one")
        second = mine.notes.update(saved.record.id, content="two").revision
        third = mine.notes.update(saved.record.id, content="three").revision
        for revision in (saved.revision, second):
            with pytest.raises(Conflict) as caught:
                mine.undo(revision=revision)
            assert (caught.value.key, caught.value.facts["later"]) == ("changed_later", third)
            assert str(third) in caught.value.text("zh") and str(third) in caught.value.text("en")
        kept = mine.notes.get(saved.record.id)
        assert kept is not None and (kept.content, kept.version) == ("three", 3)

    def test_nothing_is_undone_twice(self, mine: Memory) -> None:
        number = mine.notes.save("one").record.id
        changed = mine.notes.update(number, content="two")
        mine.undo(revision=changed.revision)
        with pytest.raises(Conflict) as caught:
            mine.undo(revision=changed.revision)
        assert caught.value.key == "undone_already"
        assert len(mine.notes.history(number)) == 3

    def test_a_run_is_taken_back_whole(self, mine: Memory) -> None:
        before = mine.notes.save("there before", name="n").record
        saved = mine.notes.save_many(
            [{"content": "zebra one"}, {"content": "there before", "name": "n"}, {"content": "zebra two"}]
        )
        run = mine.notes.history(saved[0].record.id)[0].run_id
        assert run is not None and mine.notes.history(saved[2].record.id)[0].run_id == run
        back = mine.undo(run=run)
        assert sorted(one.record_id for one in back) == sorted((saved[0].record.id, saved[2].record.id))
        assert everything(mine) == [before]
        assert mine.notes.search("zebra") == ()
        with pytest.raises(Conflict) as caught:
            mine.undo(run=run)
        assert caught.value.key == "undone_already"
        again = mine.undo(run=back[0].run_id)
        assert len(again) == 2
        assert len(mine.notes.search("zebra")) == 2
        newest = mine.undoable()
        assert newest is not None and newest.run_id == run
        mine.undo(revision=mine.notes.history(saved[0].record.id)[2].id)
        assert [one.record_id for one in mine.undo(run=run)] == [saved[2].record.id]
        assert everything(mine) == [before]
        assert mine.upkeep.check().sound

    def test_a_run_is_taken_back_all_or_not_at_all(self, mine: Memory) -> None:
        saved = mine.notes.save_many([{"content": "zebra one"}, {"content": "zebra two"}])
        later = mine.notes.update(saved[0].record.id, content="zebra changed").revision
        with pytest.raises(Conflict) as caught:
            mine.undo(run=mine.notes.history(saved[1].record.id)[0].run_id)
        assert (caught.value.key, caught.value.facts["later"]) == ("changed_later", later)
        assert len(mine.notes.search("zebra")) == 2
        assert [one.action for one in mine.notes.history(saved[1].record.id)] == ["create"]

    def test_what_was_said_anew_stands_in_the_way(self, mine: Memory) -> None:
        number = mine.notes.save("zebra").record.id
        deleted = mine.notes.delete(number)
        again = mine.notes.save("zebra").record.id
        with pytest.raises(Conflict) as caught:
            mine.undo(revision=deleted)
        assert (caught.value.key, caught.value.facts["id"]) == ("same_text", again)
        assert ids(everything(mine)) == [again]

    def test_what_was_forgotten_is_not_brought_back(self, mine: Memory) -> None:
        saved = mine.notes.save("zebra")
        forgot = mine.notes.delete(saved.record.id, forget=True)
        for revision in (saved.revision, forgot):
            with pytest.raises(Forgotten):
                mine.undo(revision=revision)
        runs = mine.notes.save_many([{"content": "quagga one"}, {"content": "quagga two"}])
        run = mine.notes.history(runs[0].record.id)[0].run_id
        mine.notes.delete(runs[0].record.id, forget=True)
        with pytest.raises(Forgotten):
            mine.undo(run=run)
        assert ids(everything(mine)) == [runs[1].record.id]

    def test_what_was_forgotten_since_is_not_brought_back_by_an_older_wording(self, mine: Memory) -> None:
        record = mine.notes.save("the old zebra", name="a").record
        changed = mine.notes.update(record.id, content="harmless")
        twin = mine.notes.save("the old zebra", name="b").record
        mine.notes.delete(twin.id, forget=True)
        with pytest.raises(Forgotten):
            mine.undo(revision=changed.revision)
        assert mine.notes.search("zebra") == ()

    def test_nobody_undoes_what_another_did(self, memory: Memory, mine: Memory) -> None:
        saved = mine.notes.save("one")
        run = mine.notes.save_many([{"content": "two"}, {"content": "three"}])
        number = mine.notes.history(run[0].record.id)[0].run_id
        for stranger in (memory.within(user="u2", agent="coach"), mine.within(agent="x"), memory.within(user="")):
            with pytest.raises(NotFound):
                stranger.undo(revision=saved.revision)
            with pytest.raises(NotFound):
                stranger.undo(run=number)
        assert len(everything(mine)) == 3

    @pytest.mark.parametrize("number", [0, -1, 99, 2**32 + 1, 2**53, "99"])
    def test_a_revision_or_run_that_is_not_there_is_not_found(self, mine: Memory, number: Any) -> None:
        mine.notes.save_many([{"content": "one"}])
        with pytest.raises(NotFound):
            mine.undo(revision=number)
        with pytest.raises(NotFound):
            mine.undo(run=number)
        assert len(everything(mine)) == 1

    @pytest.mark.parametrize("asked", [{}, {"revision": 1, "run": 1}])
    def test_one_of_both_is_to_be_named(self, mine: Memory, asked: dict[str, Any]) -> None:
        mine.notes.save_many([{"content": "one"}])
        with pytest.raises(Invalid):
            mine.undo(**asked)
        assert len(everything(mine)) == 1

"""Removing: into the trash and back, out of it for good, forgetting one note, erasing a user."""

from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.domain.errors import Conflict, Forgotten
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, OpenMemory, call, everything, ids, later

_SECRETS = ("xylophone-quartet", "龘靐齉爩", "Zwölfboxkämpfer", "🦓🎷")


class RemovingChecks(DoorChecks):
    """Checks of `delete`, `restore` and `erase`, and of what is left afterwards: nothing."""

    def assert_no_trace(self, memory: Memory, folder: Path, *texts: str) -> None:
        """Fail when a text, or a word of it as the index keeps it, is anywhere in what the place holds."""
        stored = self.stored_bytes(memory, folder)
        for text in texts:
            for written in (text, text.lower(), text.casefold()):
                assert written.encode() not in stored

    def test_the_trash_gives_back(self, mine: Memory) -> None:
        record = mine.notes.save("zebra", pinned=True, labels=["x"]).record
        mine.notes.delete(record.id)
        assert mine.notes.get(record.id) is None
        assert everything(mine) == [] and mine.notes.search("zebra") == ()
        assert mine.recall("zebra", min_score=0).hits == () and "zebra" not in mine.compose([]).system
        [trashed] = everything(mine, "trashed")
        assert (trashed.id, trashed.status, trashed.content) == (record.id, "trashed", "zebra")
        back = mine.notes.restore(record.id)
        assert (back.outcome, back.record.status, back.record.labels) == ("updated", "active", ("x",))
        assert everything(mine) == list(mine.notes.search("zebra")) == [back.record]
        assert everything(mine, "trashed") == []
        assert [one.action for one in mine.notes.history(record.id)] == ["restore", "delete", "create"]
        assert mine.upkeep.check().sound

    def test_steps_that_cannot_be_taken_are_refused(self, mine: Memory) -> None:
        number = mine.notes.save("zebra").record.id
        with pytest.raises(Conflict) as caught:
            mine.notes.restore(number)
        assert caught.value.key == "already_active"
        mine.notes.delete(number)
        with pytest.raises(Conflict) as caught:
            mine.notes.delete(number)
        assert caught.value.key == "not_active"
        again = mine.notes.save("zebra").record.id
        with pytest.raises(Conflict) as caught:
            mine.notes.restore(number)
        assert (caught.value.key, caught.value.facts["id"]) == ("same_text", again)
        assert (ids(everything(mine)), ids(everything(mine, "trashed"))) == ([again], [number])
        assert len(mine.notes.history(number)) == 2

    def test_the_trash_is_emptied_after_thirty_days(self, memory: Memory, mine: Memory, tmp_path: Path) -> None:
        old, kept = (mine.notes.save(f"{text} in a note", name=text).record.id for text in _SECRETS[:2])
        mine.notes.delete(old)
        with later(days=20):
            mine.notes.delete(kept)
        with later(days=29, hours=23):
            memory.upkeep.drain()
            assert ids(everything(mine, "trashed")) == [kept, old]
        with later(days=31, hours=1):
            assert memory.upkeep.drain() >= 1
            assert ids(everything(mine, "trashed")) == [kept]
            health = memory.upkeep.check()
            assert (health.jobs_waiting, health.jobs_failed) == (1, 0)
            verbs: list[Callable[[], object]] = [
                lambda: mine.notes.restore(old),
                lambda: mine.notes.delete(old),
                lambda: mine.notes.update(old, content="x"),
            ]
            for verb in verbs:
                with pytest.raises(Forgotten) as caught:
                    verb()
                assert caught.value.key == "forgotten_record"
        self.assert_no_trace(memory, tmp_path, _SECRETS[0])
        with later(days=52):
            memory.upkeep.drain()
            assert everything(mine, "trashed") == []
            assert mine.notes.save(f"{_SECRETS[1]} in a note", name="again").outcome == "created"
        assert memory.upkeep.check().sound

    def test_the_days_of_the_trash_are_a_setting(self, open_memory: OpenMemory) -> None:
        with open_memory(writing={"trash_days": 2}) as memory:
            mine = memory.within(user="u1")
            mine.notes.delete(mine.notes.save("zebra").record.id)
            for days, left in ((1.9, 1), (3, 0)):
                with later(days=days):
                    memory.upkeep.drain()
                    assert len(everything(mine, "trashed")) == left

    # forgetting

    @pytest.mark.parametrize("text", _SECRETS)
    def test_what_is_forgotten_leaves_no_trace(self, memory: Memory, mine: Memory, tmp_path: Path, text: str) -> None:
        mine.notes.save_many({"content": f"filler number {at} stays", "name": f"filler {at}"} for at in range(60))
        saved = mine.notes.save("short", name="n", description="d", metadata={"k": "v"}, idempotency_key="key")
        number = saved.record.id
        mine.notes.update(number, content=f"long {text} long", name=f"named {text}", description=f"said {text}")
        mine.notes.update(number, metadata={"k": text}, labels=[text[:64]])
        mine.undo(revision=mine.notes.history(number)[0].id)
        mine.notes.update(number, content=f"other {text}x words")
        assert text.encode() in self.stored_bytes(memory, tmp_path)
        mine.notes.delete(number, forget=True)
        self.assert_no_trace(memory, tmp_path, text)
        assert mine.notes.get(number) is None
        assert number not in ids(everything(mine)) and everything(mine, "trashed") == []
        assert number not in ids(mine.notes.search(f"long {text} named other"))
        assert len(everything(mine)) == 60
        assert memory.upkeep.check().sound

    def test_many_forgotten_among_many_leave_no_trace(self, memory: Memory, mine: Memory, tmp_path: Path) -> None:
        gone: dict[int, str] = {}
        for at in range(240):
            text = f"marker{at * 7919 % 1000:04}q{at:04}z {'word ' * (at % 40)}tail{at}"
            number = mine.notes.save(text, name=f"name{at}").record.id
            if at % 3 == 0:
                gone[number] = f"q{at:04}z"
            if at % 3 == 1:
                mine.notes.update(number, content=f"{text} changed")
        for number in gone:
            mine.notes.delete(number, forget=True)
        self.assert_no_trace(memory, tmp_path, *gone.values())
        assert len(everything(mine)) == 160

    def test_what_lies_in_the_trash_can_be_forgotten(self, memory: Memory, mine: Memory, tmp_path: Path) -> None:
        number = mine.notes.save(_SECRETS[0]).record.id
        mine.notes.delete(number)
        mine.notes.delete(number, forget=True)
        self.assert_no_trace(memory, tmp_path, _SECRETS[0])
        assert everything(mine, "trashed") == []

    def test_what_is_forgotten_does_not_come_back(self, mine: Memory) -> None:
        saved = mine.notes.save("zebra", name="n")
        revision = mine.notes.delete(saved.record.id, forget=True)
        for verb in (mine.notes.restore, mine.notes.delete, mine.notes.history):
            with pytest.raises(Forgotten) as caught:
                verb(saved.record.id)
            assert (caught.value.code, caught.value.key) == ("forgotten", "forgotten_record")
        with pytest.raises(Forgotten):
            mine.notes.update(saved.record.id, content="x")
        for undone in (saved.revision, revision):
            with pytest.raises(Forgotten):
                mine.undo(revision=undone)

    def test_no_earlier_wording_of_what_is_forgotten_comes_back(self, mine: Memory, tmp_path: Path) -> None:
        number = mine.notes.save("zebra lives in Elm Street 5", name="n").record.id
        mine.export(tmp_path / "before.jsonl")
        for content in ("zebra lives in Oak Street 9", "zebra lives in Ash Street 7"):
            mine.notes.update(number, content=content)
        mine.undo(revision=mine.notes.history(number)[0].id)
        mine.notes.delete(number, forget=True)
        done = mine.import_from(tmp_path / "before.jsonl")
        assert (done.created, done.forgotten) == (0, 1)
        for street in ("Elm Street 5", "Oak Street 9", "Ash Street 7"):
            told = call(mine, "memory_save", type="user", name="m", content=f"zebra lives in {street}")
            assert told["error"]["code"] == "forgotten"
        assert mine.notes.search("zebra Elm Oak Ash") == ()
        assert mine.notes.save("zebra lives in Elm Street 5").outcome == "created"

    def test_only_a_person_says_again_what_was_forgotten(self, mine: Memory) -> None:
        asked = {"type": "user", "name": "other name", "content": "ZEBRA  in the room"}
        mine.notes.delete(mine.notes.save("zebra in the room", name="n").record.id, forget=True)
        told = call(mine, "memory_save", **asked)
        assert told["error"]["code"] == "forgotten"
        other = call(mine, "memory_save", type="user", name="m", content="harmless")
        assert call(mine, "memory_update", id=other["id"], content="zebra in the room")["error"]["code"] == "forgotten"
        assert mine.notes.search("zebra") == ()
        assert call(mine.within(agent="x"), "memory_save", **asked)["outcome"] == "created"
        assert mine.notes.save("zebra in the room", name="n").outcome == "created"
        assert call(mine, "memory_save", **asked)["outcome"] == "created"

    def test_what_is_forgotten_for_all_agents_is_forgotten_for_each(self, memory: Memory) -> None:
        everybody = memory.within(user="u1", agent="")
        everybody.notes.delete(everybody.notes.save("zebra in the room").record.id, forget=True)
        told = call(
            memory.within(user="u1", agent="coach"), "memory_save", type="user", name="n", content="zebra in the room"
        )
        assert told["error"]["code"] == "forgotten"

    # erasing

    def test_an_erased_user_leaves_no_trace(self, memory: Memory, mine: Memory, tmp_path: Path) -> None:
        other = memory.within(user="u2", agent="coach")
        kept = other.notes.save("stays here").record
        for at, text in enumerate(_SECRETS):
            mine.within(agent=f"a{at}").notes.save(f"{text} {at}", name=f"n {text}", metadata={"k": text})
        mine.notes.delete(mine.notes.save(f"{_SECRETS[0]} trashed").record.id)
        mine.notes.delete(mine.notes.save(f"{_SECRETS[1]} forgotten").record.id, forget=True)
        mine.notes.save_many([{"content": f"{_SECRETS[2]} many"}])
        receipt = memory.erase(user="u1")
        assert receipt.owner_id == mine.scope.owner_id
        assert (receipt.removed["records"], receipt.removed["owners"]) == (6, 1)
        assert min(receipt.removed[place] for place in ("postings", "revisions", "runs", "tombstones", "jobs")) >= 1
        assert set(receipt.left.values()) == {0} and set(receipt.left) == set(receipt.removed)
        everybody = memory.within(user="u1", agent="*")
        assert [everything(everybody, status) for status in ("active", "pending", "trashed")] == [[], [], []]
        assert everybody.notes.search("stays here trashed many") == () and everybody.notes.get(1) is None
        assert everything(other) == [kept]
        self.assert_no_trace(memory, tmp_path, *_SECRETS)
        assert memory.upkeep.check().sound

    def test_only_a_person_comes_back_after_an_erasure(self, memory: Memory, mine: Memory) -> None:
        asked = {"type": "user", "name": "n", "content": "zebra"}
        assert call(mine, "memory_save", **asked)["outcome"] == "created"
        memory.erase(user="u1")
        for agent in ("coach", "", "other"):
            told = call(memory.within(user="u1", agent=agent), "memory_save", **asked)
            assert told["error"]["code"] == "forgotten"
        assert everything(mine) == []
        assert call(memory.within(user="u2"), "memory_save", **asked)["outcome"] == "created"
        assert mine.notes.save("quagga").record.id == 1
        assert call(mine, "memory_save", **asked)["outcome"] == "created"
        assert len(everything(mine)) == 2

    def test_erasing_nobody_removes_nothing(self, memory: Memory, mine: Memory) -> None:
        mine.notes.save("one")
        receipts = [memory.erase(user="nobody"), memory.erase(user="u1", tenant="other")]
        assert all(set(receipt.removed.values()) == set(receipt.left.values()) == {0} for receipt in receipts)
        assert len(everything(mine)) == 1

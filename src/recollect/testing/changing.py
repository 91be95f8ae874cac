"""Changing: what is named changes, what is not named stays, and the history says what was before."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from recollect.domain import clock
from recollect.domain.errors import Conflict, Invalid, NotFound
from recollect.domain.record import Record
from recollect.memory import Memory
from recollect.testing.opening import THREADS, DoorChecks, call, everything, ids, in_threads, later

_ENDS = datetime(2126, 1, 1, tzinfo=UTC)
_CHANGES: dict[str, tuple[Any, Any]] = {
    "content": ("before", "zebra 斑马"),
    "name": ("name", "新名字"),
    "description": ("", "one line"),
    "type": ("user", "project"),
    "metadata": ({"a": 1}, {"b": [2]}),
    "labels": (("x",), ("y", "z")),
    "importance": (50, 99),
    "pinned": (False, True),
    "expires_at": (None, _ENDS),
}


class ChangingChecks(DoorChecks):
    """Checks of `update` and `history`."""

    @pytest.fixture
    def record(self, mine: Memory) -> Record:
        """Return a saved note that was never changed."""
        return mine.notes.save("before", name="name", metadata={"a": 1}, labels=["x"]).record

    @pytest.mark.parametrize("field", _CHANGES)
    def test_one_field_changes_and_the_others_stay(self, mine: Memory, record: Record, field: str) -> None:
        before, after = _CHANGES[field]
        assert getattr(record, field) == before
        with later(seconds=5) as moment:
            saved = mine.notes.update(record.id, **{field: after})
        changed = mine.notes.get(record.id)
        assert saved.outcome == "updated" and saved.record == changed
        assert changed is not None
        assert getattr(changed, field) == after
        assert (changed.version, changed.updated_at, changed.created_at) == (2, moment, record.created_at)
        assert changed.source == "user_edited"
        others = set(_CHANGES) - {field}
        assert {name: getattr(changed, name) for name in others} == {name: getattr(record, name) for name in others}

    def test_a_change_is_found_and_what_was_is_not(self, mine: Memory, record: Record) -> None:
        mine.notes.update(record.id, content="zebra 斑马", name="new", description="striped")
        assert mine.notes.search("before") == mine.notes.search("name") == ()
        for word in ("zebra", "斑马", "new", "striped"):
            assert ids(mine.notes.search(word)) == [record.id]
        assert mine.upkeep.check().sound

    def test_saving_with_an_id_changes_that_note(self, mine: Memory, record: Record) -> None:
        saved = mine.notes.save("after", id=record.id, type="project", importance=80)
        assert (saved.outcome, saved.record.id, saved.record.version) == ("updated", record.id, 2)
        assert (saved.record.content, saved.record.type, saved.record.importance) == ("after", "project", 80)
        assert (saved.record.name, saved.record.labels) == ("name", ("x",))
        with pytest.raises(NotFound):
            mine.notes.save("after", id=record.id + 1)
        assert ids(everything(mine)) == [record.id]

    @pytest.mark.parametrize("field", _CHANGES)
    def test_saving_with_an_id_obeys_what_is_named_though_it_is_the_default(self, mine: Memory, field: str) -> None:
        if field == "content":
            return
        made = {name: after for name, (_, after) in _CHANGES.items() if name != "content"}
        record = mine.notes.save("before", **made).record
        defaults: dict[str, Any] = {"name": None, "metadata": None, "labels": ()}
        plain = defaults.get(field, _CHANGES[field][0])
        saved = mine.notes.save("after", id=record.id, **{field: plain}).record
        kept = {name: getattr(saved, name) for name in made}
        filled: dict[str, Any] = {"name": "after", "metadata": {}}
        wanted = filled.get(field, plain)
        assert kept == {**{name: getattr(record, name) for name in made}, field: wanted}

    def test_a_change_that_changes_nothing_writes_nothing(self, mine: Memory, record: Record) -> None:
        saved = mine.notes.update(record.id, content="before", labels=["x"], metadata={"a": 1})
        assert (saved.outcome, saved.record, saved.revision) == ("duplicate", record, None)
        assert len(mine.notes.history(record.id)) == 1

    def test_a_change_of_an_old_version_is_refused(self, mine: Memory, record: Record) -> None:
        mine.notes.update(record.id, content="after", if_version=1)
        with pytest.raises(Conflict) as caught:
            mine.notes.update(record.id, content="late", if_version=1)
        assert (caught.value.key, caught.value.path) == ("version_moved", "if_version")
        assert (caught.value.facts["version"], caught.value.facts["expected"]) == (2, 1)
        kept = mine.notes.get(record.id)
        assert kept is not None and (kept.content, kept.version) == ("after", 2)
        assert mine.notes.update(record.id, content="late").record.version == 3

    def test_two_notes_do_not_come_to_say_the_same(self, mine: Memory, record: Record) -> None:
        other = mine.notes.save("other", name="name").record
        with pytest.raises(Conflict) as caught:
            mine.notes.update(record.id, content="other")
        assert (caught.value.key, caught.value.facts["id"]) == ("same_text", other.id)
        assert mine.notes.get(record.id) == record

    def test_what_lies_in_the_trash_is_not_changed(self, mine: Memory, record: Record) -> None:
        mine.notes.delete(record.id)
        with pytest.raises(Conflict) as caught:
            mine.notes.update(record.id, content="after")
        assert caught.value.key == "not_active"

    def test_a_missing_note_and_anothers_are_answered_alike(self, memory: Memory, mine: Memory) -> None:
        strangers = [memory.within(user="u2", agent="coach"), mine.within(agent="x"), mine.within(session="x")]
        for stranger in strangers:
            stranger.notes.save("filler one")
            number = stranger.notes.save("secret").record.id
            for reader in (mine, memory.within(user="u1", agent="nobody"), memory.within(tenant="t", user="u1")):
                verbs: list[Callable[[int], object]] = [
                    lambda id, notes=reader.notes: notes.update(id, content="changed"),
                    reader.notes.delete,
                    reader.notes.restore,
                    reader.notes.history,
                ]
                for verb in verbs:
                    answers: list[str] = []
                    for asked in (number, 999):
                        with pytest.raises(NotFound) as caught:
                            verb(asked)
                        answers.append(f"{caught.value!r} {caught.value}".replace(str(asked), "N"))
                    assert answers[0] == answers[1]
                assert reader.notes.get(number) is reader.notes.get(999) is None
            kept = stranger.notes.get(number)
            assert kept is not None and kept.content == "secret" and kept.version == 1

    # history

    def test_history_says_what_was_before_and_after(self, mine: Memory) -> None:
        with later(minutes=1) as created:
            record = mine.notes.save("one", name="n", labels=["x"], importance=70).record
        with later(minutes=2) as changed:
            mine.notes.update(record.id, content="two", labels=[], expires_at=_ENDS)
        call(mine, "memory_update", id=record.id, content="three")
        history = mine.notes.history(record.id)
        assert [one.action for one in history] == ["update", "update", "create"]
        assert [one.version for one in history] == [3, 2, 1]
        assert [(one.actor, one.agent) for one in history] == [("agent", "coach"), *[("person", "coach")] * 2]
        assert [one.at for one in history[1:]] == [changed, created]
        assert all(one.record_id == record.id and one.run_id is None and not one.scrubbed for one in history)
        assert history[2].changes["content"] == (None, "one")
        assert history[2].changes["importance"] == (None, 70)
        told = {name: history[1].changes[name] for name in ("content", "labels", "expires_at")}
        assert told == {"content": ("one", "two"), "labels": (["x"], []), "expires_at": (None, clock.to_text(_ENDS))}
        assert "name" not in history[1].changes
        assert history[0].changes["content"] == ("two", "three")
        assert history[0].changes["source"] == ("user_edited", "agent_inferred")
        shown = history[1].public()
        assert isinstance(shown["changes"], dict) and shown["changes"]["content"] == {"before": "one", "after": "two"}

    def test_history_is_newest_first_and_limited(self, mine: Memory, record: Record) -> None:
        revisions = [mine.notes.update(record.id, content=f"version {at}").revision for at in range(2, 8)]
        history = mine.notes.history(record.id, limit=3)
        assert [one.id for one in history] == revisions[:-4:-1]
        assert len(mine.notes.history(record.id)) == 7

    def test_eight_threads_change_one_note_and_all_is_in_its_history(self, mine: Memory, record: Record) -> None:
        def change(number: int) -> None:
            for at in range(3):
                mine.notes.update(record.id, content=f"zebra {number} {at}")

        in_threads(change)
        kept = mine.notes.get(record.id)
        assert kept is not None and kept.version == 1 + 3 * THREADS
        history = mine.notes.history(record.id)
        assert [one.version for one in history] == list(range(kept.version, 0, -1))
        contents = [one.changes["content"] for one in history]
        assert all(newer[0] == older[1] for newer, older in pairwise(contents))
        assert contents[0][1] == kept.content

    def test_of_eight_that_read_one_version_one_wins(self, mine: Memory, record: Record) -> None:
        def change(number: int) -> bool:
            try:
                mine.notes.update(record.id, content=f"zebra {number}", if_version=1)
            except Conflict:
                return False
            return True

        assert sum(in_threads(change)) == 1
        kept = mine.notes.get(record.id)
        assert kept is not None and kept.version == 2

    # pinning and expiry

    def test_a_person_pins_and_lets_go(self, mine: Memory, record: Record) -> None:
        assert mine.notes.update(record.id, pinned=True).record.pinned
        assert "before" in mine.compose([], system_prompt="Be kind.").system
        assert not mine.notes.update(record.id, pinned=False).record.pinned
        assert "before" not in mine.compose([], system_prompt="Be kind.").system

    def test_what_has_ended_is_kept_but_not_given(self, mine: Memory) -> None:
        ends = clock.now() + timedelta(hours=1)
        record = mine.notes.save("zebra until noon", expires_at=ends, pinned=True).record
        with later(minutes=59):
            assert mine.notes.list().items == mine.notes.search("zebra") == (record,)
        with later(hours=2):
            assert mine.notes.list().items == mine.notes.search("zebra") == ()
            assert mine.prefetch("zebra until noon") == ""
            assert "zebra" not in mine.compose([]).system
            assert mine.notes.get(record.id) == record
            renewed = mine.notes.update(record.id, expires_at=None).record
            assert mine.notes.list().items == mine.notes.search("zebra") == (renewed,)

    def test_an_end_may_be_given_as_text(self, mine: Memory) -> None:
        record = mine.notes.save("one", expires_at="2126-04-15T09:00:00+08:00").record  # pyright: ignore[reportArgumentType]
        assert record.expires_at == datetime(2126, 4, 15, 1, tzinfo=UTC)

    @pytest.mark.parametrize("field", ["kind", "agent", "status", "source", "version", "colour"])
    def test_no_other_field_can_be_changed(self, mine: Memory, record: Record, field: str) -> None:
        fields: dict[str, Any] = {"importance": 70, field: "note"}
        with pytest.raises(Invalid) as caught:
            mine.notes.update(record.id, **fields)
        assert (caught.value.key, caught.value.path) == ("unknown_field", field)
        assert mine.notes.get(record.id) == record

"""Listing: pages newest first, each note on one of them, narrowed by what is asked."""

from datetime import timedelta

import pytest

from recollect.domain.errors import Invalid
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, everything, ids, in_threads, later


class ListingChecks(DoorChecks):
    """Checks of `get` and `list`."""

    def test_an_empty_memory_lists_nothing(self, mine: Memory) -> None:
        page = mine.notes.list()
        assert (page.items, page.next_cursor) == ((), None)
        assert mine.notes.get(1) is None
        assert mine.notes.search("anything") == ()

    def test_notes_come_newest_first_ten_at_a_time(self, mine: Memory) -> None:
        mine.notes.save_many({"content": f"note {at}"} for at in range(12))
        page = mine.notes.list()
        assert ids(page.items) == list(range(12, 2, -1))
        rest = mine.notes.list(cursor=page.next_cursor)
        assert (ids(rest.items), rest.next_cursor) == ([2, 1], None)

    @pytest.mark.parametrize(("limit", "given"), [(-5, 1), (0, 1), (1, 1), (7.0, 7), (100, 100), (10**9, 100)])
    def test_a_limit_is_brought_between_1_and_100(self, mine: Memory, limit: int, given: int) -> None:
        mine.notes.save_many({"content": f"zebra {at}"} for at in range(105))
        assert len(mine.notes.list(limit=limit).items) == given
        assert len(mine.notes.search("zebra", limit=limit)) == given
        assert len(mine.recall("zebra", limit=limit, min_score=0).hits) == given
        assert mine.prefetch("zebra", limit=limit).count("[user] zebra") in (given, 0)

    @pytest.mark.parametrize("size", [1, 3, 7, 100])
    def test_pages_give_every_note_once(self, mine: Memory, size: int) -> None:
        mine.notes.save_many({"content": f"note {at}"} for at in range(21))
        mine.within(agent="other").notes.save_many({"content": f"note {at}"} for at in range(5))
        seen: list[int] = []
        cursor = None
        while True:
            page = mine.notes.list(limit=size, cursor=cursor)
            assert 0 < len(page.items) <= size
            seen += ids(page.items)
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == list(range(21, 0, -1))

    def test_pages_stay_whole_while_others_write(self, mine: Memory) -> None:
        mine.notes.save_many({"content": f"note {at}"} for at in range(30))
        page = mine.notes.list(limit=10)
        seen = ids(page.items)
        mine.notes.delete(25)
        mine.notes.delete(15)
        mine.notes.update(5, content="changed")
        mine.notes.save_many({"content": f"later {at}"} for at in range(15))
        while page.next_cursor is not None:
            page = mine.notes.list(limit=10, cursor=page.next_cursor)
            seen += ids(page.items)
        assert seen == [number for number in range(30, 0, -1) if number != 15]

    def test_pages_stay_whole_while_threads_write(self, mine: Memory) -> None:
        mine.notes.save_many({"content": f"note {at}"} for at in range(40))

        def write_or_page(number: int) -> None:
            if number < 2:
                for at in range(15):
                    mine.notes.save(f"thread {number} note {at}")
            else:
                seen = ids(everything(mine))
                assert len(seen) == len(set(seen))
                assert set(range(1, 41)) <= set(seen)

        in_threads(write_or_page, 4)
        assert len(everything(mine)) == 70

    def test_a_cursor_serves_every_narrowing(self, mine: Memory) -> None:
        for at in range(12):
            mine.notes.save(f"note {at}", type="project" if at % 2 else "user", labels=["even"] if at % 2 == 0 else [])
        page = mine.notes.list(type="project", limit=4)
        assert ids(page.items) == [12, 10, 8, 6]
        assert ids(mine.notes.list(type="project", limit=4, cursor=page.next_cursor).items) == [4, 2]
        assert ids(mine.notes.list(labels=["even"], limit=4, cursor=page.next_cursor).items) == [5, 3, 1]

    @pytest.mark.parametrize(
        "cursor", ["", "x", "aWQ6", "aWQ6LTE", "aWQ6MS41", "aWQ6MA", "🧠", "aWQ6Nzc3Nzc3Nzc3Nzc3Nzc3Nzc3"]
    )
    def test_what_is_no_cursor_is_refused(self, mine: Memory, cursor: str) -> None:
        mine.notes.save("one")
        with pytest.raises(Invalid) as caught:
            mine.notes.list(cursor=cursor)
        assert (caught.value.key, caught.value.path) == ("bad_cursor", "cursor")

    @pytest.mark.parametrize("type", ["user", "project", "feedback", "reference"])
    def test_a_type_narrows_everything(self, mine: Memory, type: str) -> None:
        wanted = mine.notes.save("zebra of this type", type=type).record
        for other in {"user", "project", "feedback", "reference"} - {type}:
            mine.notes.save(f"zebra of type {other}", type=other)
        assert mine.notes.list(type=type).items == mine.notes.search("zebra", type=type) == (wanted,)
        assert [hit.record for hit in mine.recall("zebra", type=type, min_score=0).hits] == [wanted]

    def test_labels_narrow_and_all_of_them_must_be_there(self, mine: Memory) -> None:
        kept = [("a", "b"), ("a",), ("b", "标签"), ()]
        numbers = [mine.notes.save(f"zebra {at}", labels=labels).record.id for at, labels in enumerate(kept)]
        expected = {("a",): [1, 0], ("a", "b"): [0], ("标签",): [2], (): [3, 2, 1, 0], ("A",): [], ("a'",): []}
        for labels, places in expected.items():
            wanted = [numbers[at] for at in places]
            assert ids(mine.notes.list(labels=labels).items) == wanted
            found = mine.recall("zebra", labels=labels, min_score=0, limit=10).hits
            assert sorted(hit.record.id for hit in found) == sorted(wanted)

    def test_stale_notes_are_those_older_than_a_day(self, mine: Memory) -> None:
        old = mine.notes.save("old").record
        border = timedelta(days=2)
        with later(hours=30):
            fresh = mine.notes.save("fresh").record
        with later(days=2, seconds=-30):
            assert ids(mine.notes.list(stale=True).items) == []
            assert ids(mine.notes.list(stale=False).items) == [fresh.id, old.id]
        with later(days=2, seconds=30) as now:
            assert now - old.updated_at > border and old.is_stale(now) and not fresh.is_stale(now)
            assert ids(mine.notes.list(stale=True).items) == [old.id]
            assert ids(mine.notes.list(stale=False).items) == [fresh.id]
            mine.notes.update(old.id, content="new again")
            assert ids(mine.notes.list(stale=True).items) == []
            assert ids(mine.notes.list().items) == [fresh.id, old.id]

    def test_each_state_has_its_list(self, mine: Memory) -> None:
        active = mine.notes.save("active").record.id
        pending = mine.notes.save("pending", external=True).record.id
        trashed = mine.notes.save("trashed").record.id
        mine.notes.delete(trashed)
        lists = {status: ids(everything(mine, status)) for status in ("active", "pending", "trashed")}
        assert lists == {"active": [active], "pending": [pending], "trashed": [trashed]}
        with pytest.raises(Invalid) as caught:
            mine.notes.list(status="gone")
        assert caught.value.path == "status"
        assert mine.notes.get(trashed) is None
        waiting = mine.notes.get(pending)
        assert waiting is not None and waiting.status == "pending"

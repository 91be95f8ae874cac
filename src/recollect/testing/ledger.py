"""The ledger: what was asked, what was given for it, for how long that is kept, and what takes it away."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain import clock
from recollect.domain.errors import Invalid
from recollect.domain.ledger import QUESTION_LENGTH, Recalled
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, OpenMemory, call, in_threads, later, searching

_QUESTION = "zebra stripes"


def _asked(mine: Memory) -> list[str | None]:
    return [row.question for row in mine.recalls.list(limit=100).items]


class LedgerChecks(DoorChecks):
    """Checks of `recalls`."""

    @pytest.fixture
    def striped(self, mine: Memory) -> int:
        """Return the id of a note that the question gives; two others are left out."""
        mine.notes.save_many({"content": f"zebra crossing {at}", "name": "n"} for at in range(2))
        return mine.notes.save("zebra stripes are black", name="n").record.id

    def test_a_recall_is_kept_with_what_it_gave_and_why(self, mine: Memory, striped: int) -> None:
        before = clock.now()
        found = mine.recall(_QUESTION, limit=1)
        [row] = mine.recalls.list().items
        assert isinstance(row, Recalled)
        assert (row.question, row.asked_by, row.agent, row.session) == (_QUESTION, "recall", "coach", "")
        assert before <= row.at <= clock.now() and 0 < row.milliseconds < 60_000
        assert [(hit.id, hit.score, dict(hit.parts)) for hit in row.hits] == [
            (hit.record.id, hit.score, dict(hit.parts)) for hit in found.hits
        ]
        assert [hit.id for hit in row.hits] == [striped]
        assert [(out.id, out.reason) for out in row.left_out] == [(out.id, out.reason) for out in found.left_out] != []
        assert dict(row.sources) == found.sources and 0 < row.floor < 1
        shown = row.public()
        assert shown["hits"] == [{"id": striped, "score": row.hits[0].score, "parts": dict(row.hits[0].parts)}]
        mine.recall(_QUESTION, min_score=0.7)
        assert mine.recalls.list(limit=1).items[0].floor == 0.7

    def test_the_newest_come_first_page_by_page(self, mine: Memory, striped: int) -> None:
        for at in range(7):
            mine.recall(f"question {at}")
        assert _asked(mine) == [f"question {at}" for at in range(6, -1, -1)]
        seen: list[str | None] = []
        cursor: str | None = None
        for _ in range(3):
            page = mine.recalls.list(limit=3, cursor=cursor)
            seen += [row.question for row in page.items]
            cursor = page.next_cursor
        assert (seen, cursor) == (_asked(mine), None)
        numbers = [row.id for row in mine.recalls.list(limit=100).items]
        assert numbers == sorted(set(numbers), reverse=True) and max(numbers) < 2**53
        with pytest.raises(Invalid) as caught:
            mine.recalls.list(cursor="what")
        assert caught.value.path == "cursor"

    def test_who_asked_is_kept(self, mine: Memory, striped: int) -> None:
        mine.prefetch(_QUESTION)
        mine.compose([{"role": "user", "content": _QUESTION}])
        call(mine, "memory_recall", query=_QUESTION)
        mine.recall(_QUESTION)
        assert [row.asked_by for row in mine.recalls.list().items] == ["recall", "tool", "prefetch", "prefetch"]

    def test_what_only_looks_is_not_kept(self, mine: Memory, striped: int) -> None:
        mine.notes.search(_QUESTION)
        mine.why(_QUESTION, striped)
        mine.within(enabled=False).recall(_QUESTION)
        mine.prefetch("")
        assert mine.recalls.list().items == ()

    def test_each_scope_sees_its_own(self, memory: Memory, mine: Memory, striped: int) -> None:
        mine.recall("of the coach")
        mine.within(agent="other").recall("of another agent")
        mine.within(agent="", session="s").recall("of a session")
        mine.within(agent="").recall("of the user")
        memory.within(user="u2").notes.save("zebra")
        memory.within(user="u2").recall("of another user")
        assert _asked(mine) == ["of the user", "of the coach"]
        assert _asked(mine.within(session="s")) == ["of the user", "of a session", "of the coach"]
        assert len(_asked(mine.within(agent="*"))) == 3
        assert _asked(memory.within(user="u2", agent="coach")) == ["of another user"]

    def test_reading_enters_nobody(self, memory: Memory) -> None:
        nobody = memory.within(user="nobody")
        nobody.recall(_QUESTION)
        assert nobody.recalls.list().items == ()
        assert memory.upkeep.check().owners == 0

    def test_it_outlives_the_memory_that_kept_it(self, open_memory: OpenMemory) -> None:
        for at in range(2):
            with open_memory() as memory:
                mine = memory.within(user="u1")
                mine.notes.save(f"zebra {at}")
                mine.recall(f"zebra {at}?")
        with open_memory() as memory:
            assert _asked(memory.within(user="u1")) == ["zebra 1?", "zebra 0?"]

    def test_eight_threads_ask_and_none_is_lost(self, mine: Memory, striped: int) -> None:
        in_threads(lambda thread: [mine.recall(f"zebra {thread} {at}") for at in range(10)])
        seen: list[str | None] = []
        cursor: str | None = None
        while True:
            page = mine.recalls.list(limit=100, cursor=cursor)
            seen += [row.question for row in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert sorted(map(str, seen)) == sorted(f"zebra {thread} {at}" for thread in range(8) for at in range(10))

    def test_it_can_be_switched_off(self, open_memory: OpenMemory) -> None:
        with open_memory(recall={"ledger": False}) as memory:
            mine = memory.within(user="u1")
            mine.notes.save("zebra")
            assert mine.recall("zebra").hits != ()
            assert mine.recalls.list().items == ()

    def test_any_question_can_be_kept(self, mine: Memory, striped: int) -> None:
        questions = st.text(st.characters() | st.sampled_from("\x00\ud800\udfff🦓'%_!"), max_size=300)

        @searching(30)
        @given(questions)
        def ask(question: str) -> None:
            mine.recall(question + "?")
            [row] = mine.recalls.list(limit=1).items
            if question.isprintable() and row.question is not None and "[" not in row.question:
                assert row.question == question + "?"

        ask()
        assert mine.upkeep.check().lost_recalls == 0

    def test_of_a_long_text_what_was_asked_is_kept(self, mine: Memory, striped: int) -> None:
        mine.recall("zebra " * 20_000 + "\n\nwhich stripes are black?")
        mine.recall("zebra " * 20_000)
        whole, asked = mine.recalls.list().items
        assert asked.question == "which stripes are black?"
        assert whole.question is not None and len(whole.question) <= QUESTION_LENGTH

    def test_no_secret_is_kept(self, mine: Memory, striped: int) -> None:
        key = "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4"
        mine.recall(f"what is {key} for?")
        mine.recall("word " * 50 + key + " word" * 50)
        for row in mine.recalls.list().items:
            assert row.question is not None and "a1B2c3" not in row.question

    # what takes it away

    def test_forgetting_a_note_takes_the_questions_along(
        self, memory: Memory, mine: Memory, striped: int, tmp_path: Path
    ) -> None:
        mine.recall("zebra quagga stripes")
        mine.recall("are they quagga black?", min_score=0.9)
        mine.recall("elephants")
        mine.recalls.list()
        mine.recall("stripes quagga are black")
        mine.notes.delete(striped, forget=True)
        mine.recall("nothing of the kind")
        rows = mine.recalls.list().items
        assert [row.question for row in rows] == ["nothing of the kind", None, "elephants", None, None]
        assert [hit.id for hit in rows[1].hits] == [striped]
        assert b"quagga" not in self.stored_bytes(memory, tmp_path)

    def test_forgetting_takes_questions_that_say_the_same(self, mine: Memory) -> None:
        other = mine.notes.save("something else").record.id
        mine.recall("Note to self: my 100% secret_word! is quagga, keep it")
        mine.recall("my 100 secret-word! is quagga")
        number = mine.notes.save("my 100% secret_word! is quagga").record.id
        mine.notes.delete(number, forget=True)
        assert _asked(mine) == ["my 100 secret-word! is quagga", None]
        mine.notes.delete(other, forget=True)

    def test_no_text_of_a_note_is_ever_in_it(self, memory: Memory, mine: Memory, striped: int, tmp_path: Path) -> None:
        mine.notes.update(striped, content="zebra stripes quagga", name="quagga", description="quagga")
        mine.recall(_QUESTION)
        assert "quagga" not in repr(mine.recalls.list())

    def test_erasing_a_user_takes_all(self, memory: Memory, mine: Memory, striped: int) -> None:
        for at in range(3):
            mine.recall(f"zebra {at}")
        mine.recalls.list()
        mine.recall("on its way")
        receipt = memory.erase(user="u1")
        assert receipt.removed["recalls"] == 4 and set(receipt.left.values()) == {0}
        assert mine.recalls.list().items == ()
        mine.notes.save("back again")
        assert mine.recalls.list().items == ()

    def test_days_are_a_setting(self, open_memory: OpenMemory) -> None:
        with open_memory(recall={"ledger_days": 3}) as memory:
            mine = memory.within(user="u1")
            mine.notes.save("zebra")
            mine.recall("old")
            mine.recalls.list()
            with later(days=2):
                mine.recall("new")
                mine.recalls.list()
                memory.upkeep.drain()
                assert _asked(mine) == ["new", "old"]
            with later(days=4):
                memory.upkeep.drain()
                assert _asked(mine) == ["new"]
            with later(days=9):
                memory.upkeep.drain()
                assert _asked(mine) == []
                assert memory.upkeep.check().jobs_waiting == 0
                mine.recall("and on")
                mine.recalls.list()
                assert memory.upkeep.check().jobs_waiting == 1

    def test_their_number_is_a_setting(self, open_memory: OpenMemory) -> None:
        with open_memory(recall={"ledger_rows": 3}) as memory:
            mine = memory.within(user="u1")
            mine.notes.save("zebra")
            for at in range(5):
                mine.recall(f"zebra {at}")
            mine.recalls.list()
            with later(days=1, hours=1):
                memory.upkeep.drain()
                assert _asked(mine) == ["zebra 4", "zebra 3", "zebra 2"]
                health = memory.upkeep.check()
            assert (health.jobs_waiting, health.jobs_failed) == (1, 0)

    def test_a_clock_that_goes_back_mixes_nothing_up(self, mine: Memory, striped: int) -> None:
        with later(days=1):
            mine.recall("tomorrow")
            mine.recalls.list()
        mine.recall("today")
        with clock.running(lambda: clock.from_micros(0) + timedelta(days=9)):
            mine.recall("long ago")
            assert _asked(mine) == ["long ago", "today", "tomorrow"]

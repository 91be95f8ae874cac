"""Explaining: every hit carries its parts, everything left out carries the first rule that kept it out."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain import clock
from recollect.domain.errors import NotFound
from recollect.domain.query import Hit, LeftOut
from recollect.domain.text import estimate_tokens
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, OpenMemory, call, later, searching

_QUESTION = "zebra stripes"


def _reasons(found: Any) -> dict[int, str]:
    return {out.id: out.reason for out in found.left_out}


class ExplainingChecks(DoorChecks):
    """Checks of `left_out`, `why`, `block` and the budget."""

    @pytest.fixture
    def given(self, mine: Memory) -> int:
        """Return the id of a note that the question gives."""
        return mine.notes.save("zebra stripes are black", name="n").record.id

    def test_a_hit_is_why(self, mine: Memory, given: int) -> None:
        with later(seconds=1):
            [hit] = mine.recall(_QUESTION).hits
            assert mine.why(_QUESTION, given) == hit
        assert isinstance(hit, Hit) and hit.record.id == given
        assert set(hit.parts) >= {"lexical", "recency", "importance", "pinned"}
        shown = hit.public()
        assert {"id", "type", "name", "content", "score", "parts"} <= set(shown)

    @pytest.mark.parametrize("reason", ["not_active", "expired", "no_common_term", "below_floor", "out_ranked"])
    def test_the_first_rule_that_keeps_a_note_out_is_named(self, mine: Memory, given: int, reason: str) -> None:
        number = given
        if reason == "not_active":
            mine.notes.delete(number)
        elif reason == "expired":
            mine.notes.update(number, expires_at=clock.now() - timedelta(hours=1))
        elif reason == "no_common_term":
            number = mine.notes.save("about something else entirely").record.id
        elif reason == "below_floor":
            long = "a zebra, and then " + "many more words that matter little here " * 40
            number = mine.notes.save(long, name="n").record.id
        else:
            for at in range(5):
                mine.notes.save(f"zebra stripes {at}", name="zebra stripes")
        out = mine.why(_QUESTION, number)
        assert isinstance(out, LeftOut)
        assert (out.id, out.reason) == (number, reason)
        if reason == "out_ranked":
            assert out.rank == 6 and out.score is not None and out.parts is not None
            assert _reasons(mine.recall(_QUESTION))[number] == reason
        if reason == "below_floor":
            assert out.parts is not None and 0 < out.parts["lexical"] < 0.30
            assert isinstance(mine.why(_QUESTION, number, min_score=0), Hit)
            assert _reasons(mine.recall(_QUESTION))[number] == reason

    @pytest.mark.parametrize(
        ("asked", "reason"),
        [
            ({"type": "project"}, "other_type"),
            ({"labels": ["missing"]}, "other_label"),
            ({"kinds": ["fact"]}, "other_kind"),
            ({"spaces": ["room"]}, "other_space"),
            ({"since": clock.now() + timedelta(days=9)}, "outside_time"),
            ({"until": clock.now() - timedelta(days=9)}, "outside_time"),
            ({"max_tokens": 1}, "over_budget"),
            ({"min_score": 1}, "below_floor"),
        ],
    )
    def test_a_condition_that_is_not_met_is_named(
        self, mine: Memory, given: int, asked: dict[str, Any], reason: str
    ) -> None:
        found = mine.recall(_QUESTION, **asked)
        assert (found.hits, found.block) == ((), "")
        assert _reasons(found) == {given: reason}

    def test_the_first_of_several_rules_is_named(self, mine: Memory, given: int) -> None:
        mine.notes.update(given, expires_at=clock.now() - timedelta(hours=1))
        assert _reasons(mine.recall(_QUESTION, type="project", labels=["x"])) == {given: "other_type"}
        assert _reasons(mine.recall(_QUESTION, labels=["x"])) == {given: "other_label"}
        assert _reasons(mine.recall(_QUESTION)) == {given: "expired"}
        mine.notes.delete(given)
        out = mine.why(_QUESTION, given)
        assert isinstance(out, LeftOut) and out.reason == "not_active"

    def test_a_person_is_told_where_a_note_of_theirs_is(self, memory: Memory, mine: Memory) -> None:
        other = mine.within(agent="other").notes.save("zebra stripes").record.id
        session = mine.within(session="s").notes.save("zebra stripes").record.id
        outs = [mine.why(_QUESTION, number) for number in (other, session)]
        assert [out.reason for out in outs if isinstance(out, LeftOut)] == ["other_agent", "other_session"]
        assert _reasons(mine.recall(_QUESTION)) == {}
        for reader, number in ((memory.within(user="u2"), other), (mine, 99)):
            with pytest.raises(NotFound):
                reader.why(_QUESTION, number)

    def test_the_nearest_misses_are_named(self, mine: Memory, given: int) -> None:
        filler = "many more words that matter little here and there " * 8
        for at in range(6):
            mine.notes.save(f"a zebra and {filler} {at}", name="n")
        found = mine.recall(_QUESTION)
        assert [hit.record.id for hit in found.hits] == [given]
        assert set(_reasons(found).values()) == {"below_floor"} and len(found.left_out) == 3

    def test_sources_say_how_many_were_looked_at(self, mine: Memory, given: int) -> None:
        mine.notes.save("else")
        assert mine.recall(_QUESTION).sources == {"lexical": "1 of 2"}
        assert mine.within(user="nobody").recall(_QUESTION).sources == {"lexical": "0 of 0"}

    # the block and its budget

    def test_the_block_is_what_prefetch_gives(self, mine: Memory, given: int) -> None:
        found = mine.recall(_QUESTION)
        assert mine.prefetch(_QUESTION) == found.block
        assert found.block.startswith("<memory-context>\n") and found.block.endswith("\n</memory-context>")
        assert f"[user] n (#{given})\nzebra stripes are black" in found.block
        assert found.tokens == estimate_tokens(found.block) > 0

    def test_age_is_told_of_what_is_stale_only(self, mine: Memory, given: int) -> None:
        with later(days=1, hours=12):
            assert f"(#{given})" in mine.prefetch(_QUESTION)
        with later(days=12, hours=1):
            assert f"(#{given}, 12 天前)" in mine.prefetch(_QUESTION)

    def test_a_budget_is_kept_and_what_is_over_it_is_counted(self, mine: Memory) -> None:
        numbers = [mine.notes.save(f"zebra stripes {at} " + "word " * 20, name="n").record.id for at in range(12)]
        whole = mine.recall(_QUESTION, limit=12)
        assert len(whole.hits) == 12 and "未显示" not in whole.block
        half = mine.recall(_QUESTION, limit=12, max_tokens=whole.tokens // 2)
        assert 0 < len(half.hits) < 12
        assert half.tokens <= whole.tokens // 2
        over = [number for number, reason in _reasons(half).items() if reason == "over_budget"]
        assert len(over) + len(half.hits) == 12 and set(over) < set(numbers)
        assert f"另有 {len(over)} 条未显示" in half.block

    def test_no_budget_is_ever_exceeded(self, mine: Memory) -> None:
        for at in range(100):
            mine.notes.save(f"zebra {at} " + "条纹" * (at % 7), name=f"n{at}")
        budgets = st.integers(min_value=0, max_value=4_000)

        @searching(30)
        @given(budgets, st.integers(min_value=1, max_value=100))
        def ask(budget: int, limit: int) -> None:
            found = mine.recall("zebra", max_tokens=budget, limit=limit, min_score=0)
            assert found.tokens == estimate_tokens(found.block) <= budget
            assert len(found.hits) <= limit
            over = sum(out.reason == "over_budget" for out in found.left_out)
            assert ("未显示" in found.block) == (over > 0 and bool(found.hits))

        ask()

    def test_a_settings_budget_bounds_what_is_put_into_a_prompt(self, open_memory: OpenMemory) -> None:
        with open_memory(prompts={"token_budget": 80, "prefetch_limit": 10}) as memory:
            mine = memory.within(user="u1", agent="coach")
            mine.notes.save_many({"content": f"zebra stripes {at} " + "word " * 10, "name": "n"} for at in range(10))
            block = mine.prefetch(_QUESTION)
            assert 0 < estimate_tokens(block) <= 80
            assert mine.compose([{"role": "user", "content": _QUESTION}]).volatile == block

    def test_a_model_gets_ids_and_scores(self, mine: Memory, given: int) -> None:
        [told] = call(mine, "memory_recall", query=_QUESTION)["memories"]
        assert (told["id"], told["type"], told["content"]) == (given, "user", "zebra stripes are black")
        assert 0 < told["score"] <= 1
        assert call(mine, "memory_recall", query="nothing of the kind")["memories"] == []

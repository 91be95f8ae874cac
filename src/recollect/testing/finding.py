"""Finding: what is asked in the words of a note finds it, in Chinese and English; any text may be asked."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain import clock
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, call, ids, later, searching
from recollect.testing.texts import HOSTILE_QUERIES

_NOTES = (
    "支付模块重构,截止日期 2026-04-15。",
    "用户喜欢在早上喝咖啡,不加糖",
    "The deploy script needs the staging key first; ask Wei",
    "Prefers short answers in C++ and Rust, no JavaScript",
    "联系邮箱 a.b@c.org,工号 getUserName",
    "老闆喜歡繁體中文的報告",
    "ＡＰＩ　ｋｅｙｓ rotate every ９０ days",
    "在线会议用 Zoom,每周一 9 点",
    "My cat is called Mimi and she is 7 years old",
    "猫",
)
_FOUND = (
    ("支付模块什么时候截止", 0),
    ("支付", 0),
    ("重构", 0),
    ("2026年4月15日", 0),
    ("2026-04-15", 0),
    ("April 15, 2026", 0),
    ("what is on 2026/4/15?", 0),
    ("咖啡", 1),
    ("糖", 1),
    ("早上喝什么", 1),
    ("deploying scripts", 2),
    ("what does the deploy script need?", 2),
    ("Wei", 2),
    ("C++", 3),
    ("c++ answers", 3),
    ("JAVASCRIPT", 3),
    ("a.b@c.org", 4),
    ("邮箱", 4),
    ("getUserName", 4),
    ("user name 工号", 4),
    ("老板喜欢繁体中文吗", 5),
    ("繁體", 5),
    ("报告", 5),
    ("API keys", 6),
    ("ａｐｉ", 6),
    ("90 days", 6),
    ("在线会议", 7),
    ("zoom会议", 7),
    ("周一", 7),
    ("what's my cat's name?", 8),
    ("猫", 9),
)


class FindingChecks(DoorChecks):
    """Checks of `recall` and `search`."""

    @pytest.fixture
    def noted(self, mine: Memory) -> Memory:
        """Return a memory with ten notes about different things, of the ids 1 to 10."""
        mine.notes.save_many({"content": content, "name": f"n{at}"} for at, content in enumerate(_NOTES))
        return mine

    @pytest.mark.parametrize(("query", "place"), _FOUND)
    def test_a_note_is_found_by_its_words(self, noted: Memory, query: str, place: int) -> None:
        assert ids(noted.notes.search(query))[:1] == [place + 1]
        found = noted.recall(query)
        assert [hit.record.id for hit in found.hits][:1] == [place + 1]
        assert f"(#{place + 1})" in found.block

    @pytest.mark.parametrize(
        "query",
        [
            "",
            "今天天气怎么样",
            "什么时候",
            "what is the capital of France?",
            "quantum entanglement",
            "？",
            "who are you",
        ],
    )
    def test_nothing_relevant_is_an_answer(self, noted: Memory, query: str) -> None:
        found = noted.recall(query)
        assert (found.hits, found.block, found.tokens) == ((), "", 0)
        assert noted.prefetch(query) == ""

    def test_a_name_and_a_description_are_found_too(self, mine: Memory) -> None:
        named = mine.notes.save("one", name="zebra crossing").record
        described = mine.notes.save("two", name="two", description="about the quagga").record
        assert ids(mine.notes.search("zebra")) == [named.id]
        assert ids(mine.notes.search("quagga")) == [described.id]

    def test_the_better_match_comes_first(self, mine: Memory) -> None:
        weak = mine.notes.save("zebra and many other things " + "of no interest at all " * 5).record.id
        named = mine.notes.save("nothing much", name="zebra stripes").record.id
        full = mine.notes.save("zebra stripes").record.id
        assert ids(mine.notes.search("zebra stripes")) == [full, named, weak]

    def test_importance_pins_and_age_weigh_a_little(self, mine: Memory) -> None:
        with later(days=-90):
            old = mine.notes.save("zebra one two", name="n").record.id
        plain = mine.notes.save("zebra one three", name="n").record.id
        important = mine.notes.save("zebra one four", name="n", importance=100).record.id
        pinned = mine.notes.save("zebra one five", name="n", pinned=True, importance=100).record.id
        assert ids(mine.notes.search("zebra")) == [pinned, important, plain, old]
        hits = mine.recall("zebra", min_score=0).hits
        assert all(0 <= hit.score <= 1 for hit in hits)
        assert all(abs(sum(hit.parts.values()) - hit.score) < 1e-8 or hit.score == 1 for hit in hits)

    def test_equal_matches_come_newest_first(self, mine: Memory) -> None:
        with later(seconds=0):
            saved = [mine.notes.save(f"zebra {word}", name="n").record.id for word in ("ab", "cd", "ef")]
        assert ids(mine.notes.search("zebra")) == saved[::-1]

    def test_the_same_question_has_the_same_answer_twice(self, noted: Memory) -> None:
        noted.notes.save_many({"content": f"支付 payment zebra {at}", "name": "n"} for at in range(40))
        with later(seconds=1):
            for query in ("支付 payment", "zebra", "n", "the 支付模块 deploy"):
                first, second = noted.recall(query, limit=20, min_score=0), noted.recall(query, limit=20, min_score=0)
                assert first == second
                assert ids(noted.notes.search(query, limit=20)) == [hit.record.id for hit in first.hits]

    def test_a_longer_answer_begins_with_the_shorter_one(self, noted: Memory) -> None:
        noted.notes.save_many(
            {"content": f"zebra {'stripes ' * (at % 5)}{at}", "name": "n", "importance": at % 101} for at in range(150)
        )
        with later(seconds=1):
            longest = ids(noted.notes.search("zebra stripes", limit=100))
            assert len(longest) == 100
            for limit in (1, 2, 5, 30, 64, 99):
                assert ids(noted.notes.search("zebra stripes", limit=limit)) == longest[:limit]

    def test_search_never_abstains_and_recall_does(self, noted: Memory) -> None:
        query = "does the deploy have anything to do with football, gardening or the weather in Spain?"
        assert ids(noted.notes.search(query))[:1] == [3]
        assert noted.recall(query).hits == ()
        assert [hit.record.id for hit in noted.recall(query, min_score=0).hits][:1] == [3]
        assert noted.recall("deploy script", min_score=1).hits == ()

    def test_times_bound_when_a_note_was_changed(self, mine: Memory) -> None:
        start = clock.now()
        numbers: list[int] = []
        for days in range(3):
            with later(days=days):
                numbers.append(mine.notes.save(f"zebra {days}", name="n").record.id)
        day = timedelta(days=1)
        with later(days=3):
            cases: list[tuple[dict[str, Any], list[int]]] = [
                ({}, numbers),
                ({"since": start + day / 2}, numbers[1:]),
                ({"until": start + day / 2}, numbers[:1]),
                ({"since": start + day / 2, "until": start + day * 1.5}, numbers[1:2]),
                ({"since": start + day * 5}, []),
            ]
            for bounds, wanted in cases:
                found = mine.recall("zebra", min_score=0, **bounds)
                assert sorted(hit.record.id for hit in found.hits) == wanted

    def test_other_kinds_and_spaces_hold_nothing_of_notes(self, noted: Memory) -> None:
        assert noted.recall("支付模块", kinds=["fact"]).hits == noted.recall("支付模块", spaces=["room"]).hits == ()
        assert noted.recall("支付模块", kinds=["note"], spaces=["", "room"]).hits != ()

    # any text

    @pytest.mark.parametrize("query", HOSTILE_QUERIES, ids=range(len(HOSTILE_QUERIES)))
    def test_any_text_may_be_asked(self, noted: Memory, query: str) -> None:
        with later(seconds=1):
            before = noted.recall("支付模块重构 deploy", min_score=0)
            noted.recall(query)
            noted.recall(query, min_score=0, max_tokens=50)
            noted.notes.search(query)
            noted.prefetch(query)
            noted.prefetch(messages=[{"role": "user", "content": query}])
            noted.compose([{"role": "user", "content": query}])
            noted.why(query, 1)
            call(noted, "memory_recall", query=query)
            assert noted.recall("支付模块重构 deploy", min_score=0) == before
        assert len(before.hits) == 2

    def test_any_generated_text_may_be_asked_and_changes_nothing(self, noted: Memory) -> None:
        anything = st.text(st.characters(exclude_categories=()), max_size=200)
        words = st.sampled_from([*HOSTILE_QUERIES[:60], *_NOTES])
        with later(seconds=1):
            before = noted.recall("支付模块重构 deploy", min_score=0)

            @searching(50)
            @given(st.one_of(anything, st.lists(st.one_of(anything, words), max_size=5).map(" ".join)))
            def ask(query: str) -> None:
                found = noted.recall(query, min_score=0, limit=100)
                assert ids(noted.notes.search(query, limit=100)) == [hit.record.id for hit in found.hits]
                strict = noted.recall(query)
                assert {hit.record.id for hit in strict.hits} <= {hit.record.id for hit in found.hits}
                assert noted.prefetch(query) == strict.block
                assert noted.recall("支付模块重构 deploy", min_score=0) == before

            ask()

    def test_what_is_pasted_to_a_question_does_not_hide_it(self, noted: Memory) -> None:
        question = "支付模块什么时候截止?"
        expected = [hit.record.id for hit in noted.recall(question).hits]
        rules = "\n".join(f"- rule {at}: say what was decided, by whom and until when" for at in range(40))
        log = "\n".join(f"2026-03-01T10:00:00 INFO [worker] row {at * 7919} deploy written" for at in range(900))
        assert expected and len(rules) > 2_000 and len(log) > 50_000
        texts = [f"{pasted}{gap}{question}" for pasted in (rules, log) for gap in ("\n\n", "\n")]
        texts += [f"{question}\n\n{pasted}" for pasted in (rules, log)]
        with later(seconds=1):
            for text in texts:
                assert [hit.record.id for hit in noted.recall(text).hits] == expected
                assert noted.prefetch(text) == noted.prefetch(messages=[{"role": "user", "content": text}]) != ""
                assert noted.why(text, expected[0]) == noted.why(question, expected[0])

    def test_any_generated_note_is_found_by_its_own_text(self, mine: Memory) -> None:
        letters = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)
        texts = st.lists(letters, min_size=1, max_size=8).map(" ".join)

        @searching(40)
        @given(texts)
        def save_and_ask(text: str) -> None:
            number = mine.notes.save(text, name="n").record.id
            assert number in ids(mine.notes.search(text, limit=100))
            mine.notes.delete(number)
            assert number not in ids(mine.notes.search(text, limit=100))

        save_and_ask()
        assert mine.upkeep.check().sound

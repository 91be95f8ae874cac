"""Prompting: what enters a prompt, where, and when memory stays out of it."""

import json
import logging
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import Conflict, Invalid, StorageError
from recollect.domain.text import estimate_tokens
from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, OpenMemory, call, everything, later, searching

_QUESTION = "支付模块什么时候截止?"
_CHAT: list[dict[str, Any]] = [
    {"role": "user", "content": "你好"},
    {"role": "assistant", "content": "你好,有什么可以帮你?"},
    {"role": "user", "content": _QUESTION},
]
_PARTS: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": _QUESTION}, {"type": "image", "source": {}}]}
]


def _pinned(mine: Memory) -> list[tuple[int, str, str, str]]:
    """Return what the stable block is made of besides its language: the pinned notes."""
    records = sorted(everything(mine), key=lambda record: record.id)
    return [(one.id, one.type, one.name, one.content) for one in records if one.pinned]


def _live(mine: Memory, numbers: dict[bool, list[int]], verb: str, what: Any, pinned: bool) -> None:
    """Take one step; `pinned` chooses the note among those that are pinned or among the others."""
    note = numbers[pinned][-1] if numbers[pinned] else None
    if verb == "recall":
        mine.recall(what)
        mine.prefetch(what)
    elif verb == "save" and what.strip():
        saved = mine.notes.save(what, pinned=pinned)
        if saved.outcome == "created":
            numbers[pinned].append(saved.record.id)
    elif verb == "change" and note is not None and what.strip():
        with suppress(Conflict):
            mine.notes.update(note, content=what)
    elif verb == "pin" and note is not None:
        numbers[pinned].remove(note)
        numbers[not pinned].append(note)
        mine.notes.update(note, pinned=not pinned)
    elif verb == "delete" and note is not None:
        numbers[pinned].remove(note)
        mine.notes.delete(note)


class PromptingChecks(DoorChecks):
    """Checks of `prefetch`, `compose` and of memory that is switched off."""

    @pytest.fixture
    def sprint(self, mine: Memory) -> Memory:
        """Return a memory with a note that answers the question, one that is pinned and one beside the point."""
        mine.notes.save("支付模块重构,截止日期 2026-04-15", type="project", name="冲刺")
        mine.notes.save("总是用中文回答", type="feedback", name="语言", pinned=True)
        mine.notes.save("喜欢在早上喝咖啡", name="习惯")
        return mine

    # prefetch

    def test_prefetch_gives_what_is_relevant_in_its_frame(self, sprint: Memory) -> None:
        block = sprint.prefetch(_QUESTION)
        assert block.splitlines()[0] == "<memory-context>" and block.splitlines()[-1] == "</memory-context>"
        assert "[project] 冲刺 (#1)\n支付模块重构" in block and "咖啡" not in block
        assert sprint.prefetch("qualche altra cosa") == sprint.prefetch("") == sprint.prefetch(messages=[]) == ""

    @pytest.mark.parametrize("messages", [_CHAT, _PARTS, [*_CHAT[:2], *_PARTS]])
    def test_the_question_is_the_last_words_of_the_user(self, sprint: Memory, messages: list[dict[str, Any]]) -> None:
        given = deepcopy(messages)
        assert "支付模块重构" in sprint.prefetch(messages=messages)
        assert messages == given

    def test_a_referring_question_takes_earlier_ones_along(self, sprint: Memory) -> None:
        earlier = {"role": "user", "content": "支付模块重构怎么样了?"}
        answer = {"role": "assistant", "content": "进展顺利"}
        assert "支付模块" in sprint.prefetch(
            messages=[earlier, answer, {"role": "user", "content": "那它什么时候截止?"}]
        )
        assert "咖啡" not in sprint.prefetch(messages=[{"role": "assistant", "content": "早上喝咖啡"}, earlier])
        unrelated = {"role": "user", "content": "Tell me a long story about the sailors of the northern sea, please"}
        assert sprint.prefetch(messages=[earlier, answer, unrelated]) == ""

    def test_prefetch_is_fresh_every_time(self, sprint: Memory) -> None:
        sprint.notes.update(1, content="支付模块重构推迟了,截止日期未定")
        assert "推迟" in sprint.prefetch(_QUESTION)
        sprint.notes.delete(1)
        assert sprint.prefetch(_QUESTION) == ""

    def test_the_number_of_notes_is_a_setting(self, open_memory: OpenMemory) -> None:
        with open_memory(prompts={"prefetch_limit": 2, "prompt_language": "en"}) as memory:
            mine = memory.within(user="u1")
            mine.notes.save_many({"content": f"zebra stripes {at}", "name": f"n{at}"} for at in range(9))
            blocks = [mine.prefetch("zebra stripes", limit=limit) for limit in (None, 0, 1, 4, 100)]
            assert [block.count("[user] n") for block in blocks] == [2, 1, 1, 4, 9]
            assert "Long-term memories" in blocks[0]

    def test_a_failure_leaves_a_chat_alone_and_is_counted(
        self, sprint: Memory, caplog: pytest.LogCaptureFixture
    ) -> None:
        sprint.close()
        with caplog.at_level(logging.WARNING):
            assert sprint.prefetch(_QUESTION) == sprint.prefetch(messages=_CHAT) == ""
            composed = sprint.compose(_CHAT, system_prompt="Be kind.")
        assert list(composed.messages) == _CHAT and composed.system.startswith("Be kind.")
        failed = [record for record in caplog.records if getattr(record, "action", "") == "prefetch_failed"]
        assert len(failed) >= 3
        with pytest.raises(StorageError):
            sprint.recall(_QUESTION)

    @pytest.mark.parametrize("unit", ["zebra stripes and more words ", "斑马条纹很漂亮 "])
    def test_long_notes_do_not_fill_a_prompt_or_an_answer(self, mine: Memory, unit: str) -> None:
        for at in range(30):
            mine.notes.save(unit * (50_000 // len(unit)) + f"tail{at}", name=f"n{at}", description="d" * 500)
        question = unit.strip()
        block = mine.prefetch(question)
        assert 1_000 < estimate_tokens(block) <= 2_000 and "此条未完" in block
        composed = mine.compose([{"role": "user", "content": question}])
        assert composed.volatile == block and composed.tokens < 3_000
        told = call(mine, "memory_recall", query=question, limit=100)
        assert estimate_tokens(json.dumps(told, ensure_ascii=False)) <= 2_100
        assert all("memory_recall" in one["cut"] for one in told["memories"]) and "30" not in told["note"]
        assert len(call(mine, "memory_recall", query=question, limit=1)["memories"][0]["content"]) > 49_000
        pages = call(mine, "memory_list", limit=100)
        assert estimate_tokens(json.dumps(pages, ensure_ascii=False)) <= 2_100
        rest = call(mine, "memory_list", limit=100, cursor=pages["next_cursor"])
        assert rest["items"][0]["id"] == pages["items"][-1]["id"] - 1
        assert all(len(hit.record.content) > 49_000 for hit in mine.recall(question, limit=100).hits)

    # compose

    def test_memory_ends_the_system_prompt(self, sprint: Memory) -> None:
        composed = sprint.compose(_CHAT, system_prompt="Be kind.")
        assert list(composed.messages) == _CHAT
        assert composed.system == f"Be kind.\n\n{composed.stable}\n\n{composed.volatile}"
        assert composed.volatile == sprint.prefetch(_QUESTION)
        assert "memory_save" in composed.stable and "memory_recall" in composed.stable
        assert "总是用中文回答" in composed.stable and "总是用中文回答" not in composed.volatile
        assert composed.tokens == estimate_tokens(composed.stable) + estimate_tokens(composed.volatile)

    @pytest.mark.parametrize("role", ["system", "developer"])
    def test_without_a_prompt_of_its_own_the_first_message_grows(self, sprint: Memory, role: str) -> None:
        messages = [{"role": role, "content": "Be kind."}, *_CHAT]
        given = deepcopy(messages)
        composed = sprint.compose(messages)
        assert messages == given
        assert list(composed.messages[1:]) == _CHAT
        assert composed.messages[0] == {"role": role, "content": composed.system}
        assert composed.system.startswith("Be kind.\n\n") and composed.system.endswith(composed.volatile)

    def test_memory_may_stand_before_the_question(self, sprint: Memory) -> None:
        composed = sprint.compose(_CHAT, system_prompt="Be kind.", placement="message")
        assert composed.system == f"Be kind.\n\n{composed.stable}"
        assert list(composed.messages[:2]) == _CHAT[:2] and composed.messages[-1] == _CHAT[-1]
        assert composed.messages[2] == {"role": "user", "content": composed.volatile}
        assert len(composed.messages) == 4

    def test_memory_never_parts_a_tool_call_from_its_result(self, sprint: Memory) -> None:
        called: dict[str, Any] = {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t", "name": "x", "input": {}}],
        }
        result: dict[str, Any] = {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": "y"}],
        }
        composed = sprint.compose([*_CHAT, called, result], placement="message")
        assert list(composed.messages[-3:]) == [_CHAT[-1], called, result]
        assert composed.messages[-4] == {"role": "user", "content": composed.volatile}

    def test_placement_and_language_are_settings(self, open_memory: OpenMemory) -> None:
        own = {"writer": {"placement": "message", "prompt_language": "en"}}
        with open_memory(agents=own) as memory:
            for agent, count in (("writer", 4), ("coach", 3)):
                mine = memory.within(user="u1", agent=agent)
                mine.notes.save("支付模块重构,截止日期 2026-04-15")
                composed = mine.compose(_CHAT)
                assert len(composed.messages) == count
                assert ("Long-term memories" in composed.volatile) == (agent == "writer")
                assert len(mine.compose(_CHAT, placement="system").messages) == 3
            with pytest.raises(Invalid) as caught:
                memory.compose(_CHAT, placement="footer")
            assert caught.value.path == "placement"

    def test_what_is_stable_keeps_its_bytes_between_turns(self, sprint: Memory) -> None:
        first = sprint.compose(_CHAT)
        sprint.notes.save("another note about 支付模块")
        sprint.notes.update(3, content="喜欢在晚上喝茶")
        second = sprint.compose([{"role": "user", "content": "完全不同的话题"}])
        assert first.stable == second.stable and second.volatile == ""
        sprint.notes.update(2, content="总是用英文回答")
        assert "总是用英文回答" in sprint.compose(_CHAT).stable

    def test_what_is_stable_changes_with_what_it_is_made_of_and_with_nothing_else(self, mine: Memory) -> None:
        words = st.text(st.sampled_from("支付 pay 条纹zebra<>\n#7"), min_size=1, max_size=30)
        talk = st.lists(st.tuples(st.sampled_from(["user", "assistant"]), words), max_size=4)
        steps = st.lists(
            st.one_of(
                st.tuples(st.just("save"), words, st.booleans()),
                st.tuples(st.just("change"), words, st.booleans()),
                st.tuples(st.sampled_from(["pin", "delete", "recall"]), words, st.booleans()),
                st.tuples(st.just("talk"), talk, st.booleans()),
            ),
            min_size=3,
            max_size=12,
        )
        numbers: dict[bool, list[int]] = {True: [], False: []}

        @searching(15)
        @given(steps)
        def live(steps: list[tuple[str, Any, bool]]) -> None:
            for record in everything(mine):
                mine.notes.delete(record.id)  # each life begins empty, so that no pinned note is over the tokens
            numbers.update({True: [], False: []})
            before, made_of = mine.compose([]).stable, _pinned(mine)
            for verb, what, pinned in steps:
                _live(mine, numbers, verb, what, pinned)
                messages = [{"role": role, "content": text} for role, text in what] if verb == "talk" else []
                with later(days=len(messages) * 40):
                    now = mine.compose(messages, system_prompt=str(what), placement="message")
                after = _pinned(mine)
                assert (now.stable == before) == (after == made_of)
                before, made_of = now.stable, after

        live()

    def test_what_is_stable_is_equal_in_every_memory_of_the_same_settings(self, open_memory: OpenMemory) -> None:
        seen: list[str] = []
        for language in ("zh", "en", "zh"):
            with open_memory(prompts={"prompt_language": language}) as memory:
                mine = memory.within(user="u1")
                mine.notes.save("总是用中文回答", pinned=True)
                seen.append(mine.compose(_CHAT).stable)
        assert seen[0] == seen[2] != seen[1]

    def test_composing_writes_nothing(self, sprint: Memory) -> None:
        before = [(record, len(sprint.notes.history(record.id))) for record in everything(sprint)]
        for placement in ("system", "message"):
            sprint.compose(_CHAT, placement=placement)
            sprint.prefetch(messages=_CHAT)
        assert [(record, len(sprint.notes.history(record.id))) for record in everything(sprint)] == before

    def test_an_empty_memory_adds_its_section_only(self, mine: Memory) -> None:
        composed = mine.compose(_CHAT, system_prompt="Be kind.")
        assert composed.volatile == "" and "<" + "memory-context>" not in composed.system.replace(composed.stable, "")
        assert composed.system == f"Be kind.\n\n{composed.stable}"
        assert mine.compose([]).messages == ()

    # switched off

    def test_memory_is_off_for_one_request(self, sprint: Memory) -> None:
        silent = sprint.within(enabled=False)
        assert silent.prefetch(_QUESTION) == silent.prefetch(messages=_CHAT) == ""
        assert (silent.recall(_QUESTION).hits, silent.recall(_QUESTION).sources) == ((), {})
        composed = silent.compose(_CHAT, system_prompt="Be kind.")
        assert (composed.system, list(composed.messages), composed.stable, composed.volatile) == (
            "Be kind.",
            _CHAT,
            "",
            "",
        )
        assert silent.tools().specs == silent.tools(split=True).specs == ()
        assert call(silent, "memory_recall", query=_QUESTION)["error"]["code"] == "refused"
        assert sprint.prefetch(_QUESTION) != ""

    def test_memory_is_off_for_an_agent_and_what_is_stored_stays(self, open_memory: OpenMemory) -> None:
        with open_memory(agents={"mute": {"enabled": False}}) as memory:
            mute = memory.within(user="u1", agent="mute")
            record = mute.notes.save("支付模块重构,截止日期 2026-04-15").record
            assert mute.prefetch(_QUESTION) == "" and mute.tools().specs == ()
            assert mute.within(enabled=True).prefetch(_QUESTION) == ""
            assert everything(mute) == [record]
            assert mute.within(agent="coach").compose(_CHAT, system_prompt="x").stable != ""
        with open_memory() as memory:
            assert "支付模块重构" in memory.within(user="u1", agent="mute").prefetch(_QUESTION)

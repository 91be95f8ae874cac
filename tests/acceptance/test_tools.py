"""The tools as a model uses them, through the door: what they are called, what they answer, what they never do."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import recollect
from recollect.domain import clock
from recollect.domain.errors import STATUS
from recollect.tools.toolbox import Toolbox
from tests.breakouts import BREAKOUTS

GOLDEN = Path(__file__).parent / "golden" / "zh"
STYLE = {"action": "create", "name": "回答风格", "type": "user", "content": "用户喜欢简短直接的回答。"}
GOAL = {"action": "create", "name": "冲刺目标", "type": "project", "content": "支付模块重构,截止日期 2026-04-15。"}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[recollect.Memory]:
    with recollect.open_memory(tmp_path / "memory.db") as opened:
        yield opened.within(user="u1", agent="coach")


@pytest.fixture
def box(memory: recollect.Memory) -> Toolbox:
    return memory.tools()


@pytest.fixture
def english(tmp_path: Path) -> Iterator[Toolbox]:
    chosen = recollect.Settings.model_validate(
        {"database": str(tmp_path / "english.db"), "prompts": {"prompt_language": "en"}}
    )
    with recollect.open_memory(chosen) as opened:
        yield opened.tools()


def told(box: Toolbox, name: str, arguments: object) -> Any:
    """Return what a call that must work answers."""
    result = box.call(name, arguments)
    assert not result.is_error, result.content
    return json.loads(result.content)


def refused(box: Toolbox, name: str, arguments: object) -> Any:
    """Return the error of a call that must not work."""
    result = box.call(name, arguments)
    assert result.is_error, result.content
    answer = json.loads(result.content)
    assert list(answer) == ["error"] and list(answer["error"]) == ["code", "message", "path"]
    assert answer["error"]["code"] in STATUS and answer["error"]["message"]
    return answer["error"]


def is_storable(text: str) -> bool:
    """Tell whether a text can be saved: no NUL, and no half of a character."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


class TestTheSets:
    @pytest.mark.parametrize(("split", "golden"), [(False, "toolset.json"), (True, "toolset_split.json")])
    def test_names_texts_and_schemas(self, memory: recollect.Memory, split: bool, golden: str) -> None:
        shown = [
            {"name": spec.name, "label": spec.label, "description": spec.description, "parameters": spec.parameters}
            for spec in memory.tools(split=split).specs
        ]
        assert shown == json.loads((GOLDEN / golden).read_text(encoding="utf-8"))

    def test_what_was_promised_of_each_tool_is_kept(self, box: Toolbox) -> None:
        save, recall, _ = (spec.parameters["properties"] for spec in box.specs)
        assert list(save) == ["action", "name", "type", "content", "description", "id"]
        assert save["action"]["enum"] == ["create", "update", "delete"]
        assert list(recall) == ["query", "type", "limit"]
        assert recall["limit"]["default"] == 5

    def test_memory_switched_off_offers_nothing(self, memory: recollect.Memory) -> None:
        off = memory.within(enabled=False).tools()
        assert off.specs == () and off.openai() == [] and off.anthropic() == []
        assert refused(off, "memory_save", STYLE)["code"] == "refused"
        assert len(off.run(chat(("memory_list", {})))) == 2
        assert memory.notes.list().items == ()

    def test_only_two_forms_are_openais(self, box: Toolbox) -> None:
        with pytest.raises(recollect.Invalid):
            box.openai("anthropic")  # pyright: ignore[reportArgumentType]


def chat(*calls: tuple[str, object]) -> Any:
    asked = [
        {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for at, (name, given) in enumerate(calls)
    ]
    return {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": asked}}]}


class TestSaving:
    def test_create_update_delete(self, memory: recollect.Memory, box: Toolbox) -> None:
        assert told(box, "memory_save", STYLE) == {"id": 1, "outcome": "created", "name": "回答风格", "similar": []}
        changed = told(box, "memory_save", {"action": "update", "id": 1, "content": "用户喜欢详细的回答。"})
        assert changed == {"id": 1, "outcome": "updated", "name": "回答风格", "similar": []}
        note = memory.notes.get(1)
        assert note and (note.content, note.type, note.source) == ("用户喜欢详细的回答。", "user", "agent_inferred")
        gone = told(box, "memory_save", {"action": "delete", "id": 1})
        assert (gone["id"], gone["outcome"]) == (1, "deleted")
        assert "30 天" in gone["note"] and "回收站" in gone["note"]
        assert [note.id for note in memory.notes.list(status="trashed").items] == [1]

    def test_the_same_with_a_tool_for_each(self, memory: recollect.Memory) -> None:
        box = memory.tools(split=True)
        new = {key: value for key, value in GOAL.items() if key != "action"}
        assert told(box, "memory_save", new)["outcome"] == "created"
        assert told(box, "memory_update", {"id": "1", "type": "reference"})["outcome"] == "updated"
        note = memory.notes.get(1)
        assert note and (note.type, note.name) == ("reference", "冲刺目标")
        assert told(box, "memory_delete", {"id": 1})["outcome"] == "deleted"
        assert refused(box, "memory_save", GOAL)["path"] == "action"

    def test_null_is_absent(self, memory: recollect.Memory, box: Toolbox) -> None:
        nulls = dict.fromkeys(("name", "type", "content", "description", "id"))
        told(box, "memory_save", {**nulls, **STYLE})
        told(box, "memory_save", {**nulls, "action": "update", "id": 1, "description": "一行"})
        note = memory.notes.get(1)
        assert note and (note.description, note.name) == ("一行", "回答风格")
        told(box, "memory_save", {**nulls, "action": "delete", "id": 1})
        assert memory.notes.get(1) is None

    @pytest.mark.parametrize("number", [1, "1", 1.0])
    def test_an_id_is_a_number_however_it_is_written(self, box: Toolbox, number: object) -> None:
        told(box, "memory_save", STYLE)
        assert told(box, "memory_save", {"action": "delete", "id": number})["id"] == 1

    def test_a_duplicate_names_the_one_to_update(self, memory: recollect.Memory, box: Toolbox) -> None:
        told(box, "memory_save", GOAL)
        told(box, "memory_save", STYLE)
        again = told(box, "memory_save", GOAL)
        assert (again["id"], again["outcome"]) == (1, "duplicate")
        assert "1" in again["note"] and "更新" in again["note"]
        assert len(memory.notes.list().items) == 2
        same = told(box, "memory_save", {"action": "update", "id": 2, "name": "回答风格"})
        assert (same["id"], same["outcome"]) == (2, "duplicate")

    def test_a_near_one_is_named(self, box: Toolbox) -> None:
        told(box, "memory_save", GOAL)
        near = {**GOAL, "content": "支付模块重构,截止日期 2026-04-15。负责人小王"}
        assert told(box, "memory_save", near)["similar"] == [{"id": 1, "name": "冲刺目标"}]

    def test_what_waits_for_a_person_says_so(self, tmp_path: Path) -> None:
        chosen = {"database": str(tmp_path / "review.db"), "writing": {"review": "inferred"}}
        with recollect.open_memory(recollect.Settings.model_validate(chosen)) as opened:
            saved = told(opened.tools(), "memory_save", STYLE)
            assert saved["outcome"] == "created" and "批准" in saved["note"]
            assert told(opened.tools(), "memory_recall", {"query": "回答风格"})["memories"] == []


class TestFinding:
    def test_recall_gives_ids_types_texts_and_scores(self, box: Toolbox) -> None:
        told(box, "memory_save", STYLE)
        told(box, "memory_save", GOAL)
        [hit] = told(box, "memory_recall", {"query": "支付模块什么时候截止?"})["memories"]
        assert 0 < hit.pop("score") <= 1
        assert hit == {"id": 2, "type": "project", "name": "冲刺目标", "content": GOAL["content"]}

    def test_nothing_relevant_is_said(self, box: Toolbox) -> None:
        told(box, "memory_save", GOAL)
        answer = told(box, "memory_recall", {"query": "天气"})
        assert answer["memories"] == [] and answer["note"]

    def test_five_are_enough_unless_more_are_wanted(self, memory: recollect.Memory, box: Toolbox) -> None:
        for number in range(12):
            memory.notes.save(f"支付渠道第 {number} 号", type="project", name=f"渠道 {number}")
        asked = {"query": "支付渠道"}
        assert len(told(box, "memory_recall", asked)["memories"]) == 5
        assert len(told(box, "memory_recall", {**asked, "limit": 7})["memories"]) == 7
        assert len(told(box, "memory_recall", {**asked, "limit": 1e9})["memories"]) == 12
        assert len(told(box, "memory_recall", {**asked, "limit": -3})["memories"]) == 1
        for wrong in (2.5, "7", True, [5]):
            assert refused(box, "memory_recall", {**asked, "limit": wrong})["path"] == "limit"
        assert refused(box, "memory_recall", '{"query": "支付渠道", "limit": NaN}')["path"] == "limit"

    def test_the_type_is_obeyed(self, box: Toolbox) -> None:
        told(box, "memory_save", {**STYLE, "content": "支付时要简短"})
        told(box, "memory_save", GOAL)
        for name, asked, key in (("memory_recall", {"query": "支付"}, "memories"), ("memory_list", {}, "items")):
            assert [one["id"] for one in told(box, name, {**asked, "type": "user"})[key]] == [1]

    def test_listing_goes_page_by_page(self, memory: recollect.Memory, box: Toolbox) -> None:
        assert told(box, "memory_list", "")["note"]
        for number in range(12):
            memory.notes.save(f"内容 {number}", name=f"标题 {number}", description="一行")
        first = told(box, "memory_list", None)
        second = told(box, "memory_list", {"cursor": first["next_cursor"], "limit": 3})
        assert [item["id"] for item in first["items"]] == list(range(12, 2, -1))
        assert [item["id"] for item in second["items"]] == [2, 1]
        assert second["next_cursor"] is None
        assert second["items"][0] == {"id": 2, "type": "user", "name": "标题 1", "description": "一行"}

    def test_age_and_origin_are_marked(self, memory: recollect.Memory, box: Toolbox) -> None:
        memory.notes.save("构建命令是 make release", type="project", external=True)
        later = datetime.now(UTC) + timedelta(days=9)
        with clock.running(lambda: later):
            [hit] = told(box, "memory_recall", {"query": "构建命令"})["memories"]
        assert (hit["age"], hit["source"]) == ("9 天前", "来源未核实")

    @pytest.mark.parametrize("text", [text for texts in BREAKOUTS.values() for text in texts if is_storable(text)])
    def test_a_memory_stays_inside_its_json_string(self, memory: recollect.Memory, box: Toolbox, text: str) -> None:
        memory.notes.save(f"构建命令 {text}", type="project", name="构建命令")
        content = box.call("memory_recall", {"query": "构建命令"}).content
        assert len(json.loads(content)["memories"]) == 1
        for markup in ("<", "[INST]", "[/INST]", "\u202e", "\u200b", "\x1b"):
            assert markup not in content
        if text.isprintable() and text.isascii() and "\\u{" not in text:
            assert json.loads(content)["memories"][0]["content"] == f"构建命令 {text}"

    def test_nothing_hides_in_titles_and_descriptions(self, memory: recollect.Memory, box: Toolbox) -> None:
        memory.notes.save("构建命令是 make", name="构建\u202e\n命令", description="一\u200b行")
        shown = {"name": "构建\\u{202e}\\u{a}命令", "description": "一\\u{200b}行"}
        [item] = told(box, "memory_list", {})["items"]
        [hit] = told(box, "memory_recall", {"query": "构建命令是什么"})["memories"]
        near = told(box, "memory_save", {**STYLE, "name": "构建命令", "content": "构建命令是 make"})["similar"]
        assert item.items() >= shown.items()
        assert hit["name"] == shown["name"] and near == [{"id": 1, "name": shown["name"]}]


class TestWhatAToolMayNotDo:
    def test_memories_of_others_do_not_exist(self, memory: recollect.Memory, box: Toolbox) -> None:
        others = [memory.within(user="u2"), memory.within(agent="other"), memory.within(tenant="t2")]
        for other in others:
            for number in range(3):
                other.notes.save(f"支付密语 {number}")
        before = [[note.public() for note in other.notes.list().items] for other in others]
        answers = [
            [
                refused(box, "memory_save", {"action": "update", "id": number, "content": "x"}),
                refused(box, "memory_save", {"action": "delete", "id": number}),
            ]
            for number in (1, 2, 5, 99)
        ]
        assert {(answer["code"], answer["path"]) for pair in answers for answer in pair} == {("not_found", "id")}
        assert told(box, "memory_recall", {"query": "支付密语"})["memories"] == []
        assert told(box, "memory_list", {})["items"] == []
        assert [[note.public() for note in other.notes.list().items] for other in others] == before

    @pytest.mark.parametrize("name", ["userId", "user_id", "agentName", "agent", "tenant", "pinned", "metadata"])
    def test_nobody_is_named_in_arguments(self, memory: recollect.Memory, box: Toolbox, name: str) -> None:
        error = refused(box, "memory_save", {**STYLE, name: "u2"})
        assert (error["code"], error["path"]) == ("invalid", name)
        assert memory.notes.list().items == ()

    def test_what_a_person_pinned_stays(self, memory: recollect.Memory, box: Toolbox) -> None:
        memory.notes.save("总是用中文回答", pinned=True)
        assert refused(box, "memory_save", {"action": "update", "id": 1, "content": "x"})["code"] == "refused"
        assert refused(box, "memory_save", {"action": "delete", "id": 1})["code"] == "refused"

    def test_a_secret_is_refused_by_the_name_of_its_rule(self, memory: recollect.Memory, box: Toolbox) -> None:
        error = refused(box, "memory_save", {**STYLE, "content": "password = hunter2hunter2"})
        assert (error["code"], error["path"]) == ("refused", "content")
        assert "hunter2" not in error["message"]
        assert memory.notes.list().items == ()

    def test_a_failing_database_is_not_an_empty_one(self, memory: recollect.Memory, box: Toolbox) -> None:
        told(box, "memory_save", GOAL)
        memory.close()
        for name, arguments in (("memory_recall", {"query": "支付"}), ("memory_list", {}), ("memory_save", GOAL)):
            assert refused(box, name, arguments)["code"] == "storage"
        assert len(box.run(chat(("memory_list", {}), ("memory_list", {})))) == 3


MISTAKES = [
    ("memory_save", "{'action': 'create'}", "invalid", "arguments"),
    ("memory_save", '{"action": "create", "name": "x", "content": "half', "invalid", "arguments"),
    ("memory_save", "[]", "invalid", "arguments"),
    ("memory_save", 7, "invalid", "arguments"),
    ("memory_save", "[" * 100_000, "invalid", "arguments"),
    ("memory_save", {}, "invalid", "action"),
    ("memory_save", {**STYLE, "action": "forget"}, "invalid", "action"),
    ("memory_save", {"action": "create", "name": "x", "type": "user"}, "invalid", "content"),
    ("memory_save", {"action": "create", "content": "x"}, "invalid", "name"),
    ("memory_save", {**STYLE, "id": 3}, "invalid", "id"),
    ("memory_save", {**STYLE, "type": "secret"}, "invalid", "type"),
    ("memory_save", {**STYLE, "name": " "}, "invalid", "name"),
    ("memory_save", {**STYLE, "name": "x" * 256}, "invalid", "name"),
    ("memory_save", {**STYLE, "content": 5}, "invalid", "content"),
    ("memory_save", {**STYLE, "content": "a\x00b"}, "invalid", "content"),
    ("memory_save", '{"action":"create","name":"x","type":"user","content":"\\ud800"}', "invalid", "content"),
    ("memory_save", {**STYLE, "description": ["x"]}, "invalid", "description"),
    ("memory_save", {"action": "update", "content": "x"}, "invalid", "id"),
    ("memory_save", {"action": "update", "id": 1}, "invalid", ""),
    ("memory_save", {"action": "delete"}, "invalid", "id"),
    ("memory_save", {"action": "delete", "id": "first"}, "invalid", "id"),
    ("memory_save", {"action": "delete", "id": 1.5}, "invalid", "id"),
    ("memory_save", {"action": "delete", "id": 10**30}, "not_found", "id"),
    ("memory_recall", {}, "invalid", "query"),
    ("memory_recall", {"query": 5}, "invalid", "query"),
    ("memory_recall", {"query": "x", "type": "all"}, "invalid", "type"),
    ("memory_list", {"cursor": "next"}, "invalid", "cursor"),
    ("memory_list", {"cursor": 3}, "invalid", "cursor"),
    ("memory_update", {"id": 1}, "invalid", ""),
    ("bash", {"command": "ls"}, "invalid", ""),
]


class TestMistakes:
    @pytest.mark.parametrize(("name", "arguments", "code", "path"), MISTAKES)
    def test_a_mistake_is_told_in_the_language_of_the_prompt(
        self, memory: recollect.Memory, english: Toolbox, name: str, arguments: object, code: str, path: str
    ) -> None:
        for box, is_chinese in ((memory.tools(), True), (english, False)):
            error = refused(box, name, arguments)
            assert (error["code"], error["path"]) == (code, path)
            assert any("\u4e00" <= letter <= "\u9fff" for letter in error["message"]) is is_chinese
            assert len(error["message"]) <= 500
        assert memory.notes.list().items == ()

    def test_an_error_is_short_and_hides_nothing(self, box: Toolbox) -> None:
        key = "\u202e" + "k" * 5_000
        for error in (
            refused(box, "memory_save", {**STYLE, key: 1}),
            refused(box, "memory_save", {**STYLE, "type": key}),
            refused(box, key, {}),
        ):
            assert len(error["message"]) <= 500 and len(error["path"]) <= 500
            assert "\u202e" not in error["message"] + error["path"]

    def test_what_is_missing_is_named_at_once(self, box: Toolbox) -> None:
        error = refused(box, "memory_save", {"action": "create"})
        assert all(name in error["message"] for name in ("create", "name", "type", "content"))

    def test_an_unknown_tool_hears_which_there_are(self, box: Toolbox) -> None:
        error = refused(box, "memory_update", {"id": 1})
        assert all(spec.name in error["message"] for spec in box.specs)


class TestParallelCalls:
    def test_every_call_is_answered_in_its_order(self, memory: recollect.Memory, box: Toolbox) -> None:
        calls = (("memory_save", STYLE), ("memory_save", "no object"), ("nothing", {}), ("memory_save", GOAL))
        said, *results = box.run(chat(*calls))
        assert [call["id"] for call in said["tool_calls"]] == [result["tool_call_id"] for result in results]
        answers = [json.loads(result["content"]) for result in results]
        assert [answer.get("outcome", "error") for answer in answers] == ["created", "error", "error", "created"]
        assert [note.name for note in memory.notes.list().items] == ["冲刺目标", "回答风格"]

    def test_a_later_call_sees_an_earlier_one(self, box: Toolbox) -> None:
        *_, found = box.run(chat(("memory_save", GOAL), ("memory_recall", {"query": "支付模块"})))
        assert json.loads(found["content"])["memories"][0]["id"] == 1

    def test_the_loop_ends(self, box: Toolbox) -> None:
        assert box.run({"choices": [{"message": {"role": "assistant", "content": "好"}}]}) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(["action", "name", "type", "content", "description", "id", "query", "limit", "cursor", "user"])
VALUES = JSON | st.sampled_from(["create", "update", "delete", "user", "project", "feedback", "1", 1, 2])
GIVEN = JSON | st.text() | st.dictionaries(KEYS, VALUES) | st.dictionaries(KEYS, VALUES).map(json.dumps)
NAMES = st.sampled_from(["memory_save", "memory_update", "memory_delete", "memory_recall", "memory_list"]) | st.text()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=NAMES, arguments=GIVEN, split=st.booleans())
def test_no_call_raises_and_none_leaves_its_scope(
    memory: recollect.Memory, name: str, arguments: object, split: bool
) -> None:
    other = memory.within(user="u2")
    theirs = other.notes.save("别人的记忆", name="1").record
    result = memory.tools(split=split).call(name, arguments)
    answer = json.loads(result.content)
    assert result.is_error is ("error" in answer)
    assert other.notes.get(theirs.id) == theirs
    assert [note.id for note in other.notes.list().items] == [theirs.id]
    assert "别人的记忆" not in result.content
    assert all(note.source == "agent_inferred" for note in memory.notes.list(limit=100).items)

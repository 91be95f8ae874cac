"""Acting: what an agent may do by its tools, and what only a person may."""

import pytest

from recollect.memory import Memory
from recollect.testing.opening import DoorChecks, OpenMemory, call, everything, ids


class ActingChecks(DoorChecks):
    """Checks of memory in the hands of a model."""

    def test_an_agent_saves_changes_and_deletes(self, mine: Memory) -> None:
        told = call(mine, "memory_save", name="style", type="user", content="prefers short answers")
        record = mine.notes.get(told["id"])
        assert record is not None
        assert (record.agent, record.source, record.trust) == ("coach", "agent_inferred", 2)
        told = call(mine, "memory_update", id=record.id, content="prefers long answers")
        assert told["outcome"] == "updated" and ids(mine.notes.search("long")) == [record.id]
        assert call(mine, "memory_delete", id=record.id)["outcome"] == "deleted"
        assert ids(everything(mine, "trashed")) == [record.id]
        assert [one.actor for one in mine.notes.history(record.id)] == ["agent"] * 3
        assert mine.notes.restore(record.id).outcome == "updated"

    def test_an_agent_is_told_of_duplicates_and_near_ones(self, mine: Memory) -> None:
        first = call(mine, "memory_save", name="冲刺", type="project", content="支付模块重构,截止日期 2026-04-15。")
        again = call(mine, "memory_save", name="冲刺", type="project", content="支付模块重构,截止日期 2026-04-15。")
        near = call(mine, "memory_save", name="冲刺", type="project", content="支付模块重构,截止日期 2026-04-16。")
        assert (first["outcome"], again["outcome"], again["id"]) == ("created", "duplicate", first["id"])
        assert near["outcome"] == "created" and [one["id"] for one in near["similar"]] == [first["id"]]

    def test_what_a_person_pinned_an_agent_leaves_alone(self, mine: Memory) -> None:
        record = mine.notes.save("always answer in Chinese", pinned=True).record
        for tool, fields in (("memory_update", {"content": "never"}), ("memory_delete", {})):
            assert call(mine, tool, id=record.id, **fields)["error"]["code"] == "refused"
        assert everything(mine) == [record]

    def test_no_tool_pins_undoes_approves_or_leaves_its_scope(self, mine: Memory) -> None:
        waiting = mine.notes.save("approve me", external=True).record
        for split in (False, True):
            box = mine.tools(split=split)
            parameters = {name for spec in box.specs for name in spec.parameters["properties"]}  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
            assert parameters <= {"action", "id", "name", "type", "content", "description", "query", "limit", "cursor"}
        told = call(mine, "memory_save", name="n", type="user", content="x", pinned=True)
        assert told["error"]["code"] == "invalid" and told["error"]["path"] == "pinned"
        for tool in ("memory_restore", "memory_undo", "memory_erase"):
            assert call(mine, tool, id=waiting.id)["error"]["code"] == "invalid"
        for field in ("user", "agent", "user_id", "status", "source", "external", "allow_secret"):
            told = call(mine, "memory_save", name="n", type="user", content="x", **{field: "x"})
            assert told["error"]["path"] == field
        assert everything(mine) == [] and everything(mine, "pending") == [waiting]

    def test_an_agent_does_not_raise_the_trust_in_what_came_from_outside(self, mine: Memory) -> None:
        record = mine.notes.save("zebra says a web page", type="reference", external=True).record
        call(mine, "memory_update", id=record.id, description="looked at")
        kept = mine.notes.get(record.id)
        assert kept is not None and (kept.description, kept.trust) == ("looked at", 0)
        assert "来源未核实" in mine.prefetch("zebra web page")
        assert mine.notes.update(record.id, description="looked at by a person").record.trust == 3

    def test_a_review_of_all_that_agents_infer_is_a_setting(self, open_memory: OpenMemory) -> None:
        with open_memory(writing={"review": "inferred"}) as memory:
            mine = memory.within(user="u1", agent="coach")
            told = call(mine, "memory_save", name="n", type="project", content="zebra")
            assert mine.notes.search("zebra") == () and ids(everything(mine, "pending")) == [told["id"]]
            assert mine.notes.save("quagga").record.status == "active"
            mine.notes.restore(told["id"])
            assert ids(mine.notes.search("zebra")) == [told["id"]]

    def test_tools_see_their_scope_only(self, memory: Memory, mine: Memory) -> None:
        hidden = [
            other.notes.save("zebra secret").record.id
            for other in (memory.within(user="u2", agent="coach"), mine.within(agent="x"), mine.within(session="s"))
        ]
        shared = mine.within(agent="").notes.save("zebra for all").record.id
        assert [one["id"] for one in call(mine, "memory_recall", query="zebra")["memories"]] == [shared]
        assert [one["id"] for one in call(mine, "memory_list")["items"]] == [shared]
        for number in {*hidden, 77} - {shared}:
            for tool, fields in (("memory_update", {"content": "x"}), ("memory_delete", {})):
                assert call(mine, tool, id=number, **fields)["error"]["code"] == "not_found"

    @pytest.mark.parametrize("language", ["zh", "en"])
    def test_a_model_is_told_in_its_language(self, open_memory: OpenMemory, language: str) -> None:
        with open_memory(prompts={"prompt_language": language}) as memory:
            told = call(memory, "memory_update", id=99, content="x")["error"]
            assert told["message"] == {"zh": "这里没有编号为 99 的记忆", "en": "there is no memory 99 here"}[language]

"""The examples, as a user runs them: a program of their own, the real packages, a server that speaks the three APIs."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import recollect
from tests.acceptance.scripted_api import Asked, Say, ScriptedApi

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "chat"
PROMPT = "You are a helpful assistant."
STYLE = {"action": "create", "name": "回答风格", "type": "user", "content": "用户喜欢简短直接的回答。"}
GOAL = {"action": "create", "name": "冲刺目标", "type": "project", "content": "支付模块重构,截止日期 2026-04-15。"}


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """Where one API keeps what every test asks about."""

    script: str
    system: Callable[[Asked], str]
    messages: Callable[[Asked], list[Any]]
    calls: Callable[[Asked], list[str]]
    results: Callable[[Asked], list[tuple[str, str]]]

    def tools(self, asked: Asked) -> list[str]:
        return [tool.get("function", tool)["name"] for tool in asked.body.get("tools", [])]

    def answers(self, asked: Asked) -> list[Any]:
        return [json.loads(content) for _, content in self.results(asked)]


def blocks(asked: Asked, kind: str) -> list[Any]:
    inside = [message["content"] for message in asked.body["messages"] if isinstance(message["content"], list)]
    return [block for content in inside for block in content if block["type"] == kind]


def items(asked: Asked, kind: str) -> list[Any]:
    return [item for item in asked.body["input"] if item.get("type") == kind]


CHAT = Dialect(
    script="openai_chat.py",
    system=lambda asked: asked.body["messages"][0]["content"],
    messages=lambda asked: asked.body["messages"][1:],
    calls=lambda asked: [call["id"] for said in asked.body["messages"] for call in said.get("tool_calls", [])],
    results=lambda asked: [
        (said["tool_call_id"], said["content"]) for said in asked.body["messages"] if said["role"] == "tool"
    ],
)
RESPONSES = Dialect(
    script="openai_responses.py",
    system=lambda asked: asked.body["instructions"],
    messages=lambda asked: asked.body["input"],
    calls=lambda asked: [item["call_id"] for item in items(asked, "function_call")],
    results=lambda asked: [(item["call_id"], item["output"]) for item in items(asked, "function_call_output")],
)
ANTHROPIC = Dialect(
    script="anthropic_messages.py",
    system=lambda asked: asked.body["system"],
    messages=lambda asked: asked.body["messages"],
    calls=lambda asked: [block["id"] for block in blocks(asked, "tool_use")],
    results=lambda asked: [(block["tool_use_id"], block["content"]) for block in blocks(asked, "tool_result")],
)

pytestmark = pytest.mark.parametrize("dialect", [CHAT, RESPONSES, ANTHROPIC], ids=lambda dialect: dialect.script)


@dataclass(frozen=True, kw_only=True)
class Session:
    """One run of an example: what the model was sent, what the user saw, what was stored of the conversation."""

    asked: list[Asked]
    shown: str
    stored: str


def run(dialect: Dialect, folder: Path, name: str, *, said: str, script: list[Say], **settings: str) -> Session:
    conversation = folder / f"{name}.json"
    with ScriptedApi(script=list(script)) as api:
        environment = {
            **os.environ,
            "OPENAI_BASE_URL": f"{api.url}/v1",
            "OPENAI_API_KEY": "none",
            "OPENAI_MODEL": "scripted-1",
            "ANTHROPIC_BASE_URL": api.url,
            "ANTHROPIC_API_KEY": "none",
            "ANTHROPIC_MODEL": "scripted-1",
            "RECOLLECT_DATA": str(folder),
            "NO_PROXY": "127.0.0.1",
            "PYTHONUTF8": "1",
            **settings,
        }
        done = subprocess.run(
            [sys.executable, "-W", "error", str(EXAMPLES / dialect.script), str(conversation)],
            input=said,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    assert len(api.asked) == len(script), done.stderr
    return Session(asked=api.asked, shown=done.stdout, stored=conversation.read_text(encoding="utf-8"))


def notes(folder: Path) -> list[recollect.Record]:
    with recollect.open_memory(folder / "memory" / "memory.db") as memory:
        return list(memory.within(user="u1", agent="chat").notes.list().items)


def remember(folder: Path) -> None:
    (folder / "memory").mkdir()
    with recollect.open_memory(folder / "memory" / "memory.db") as memory:
        memory.within(user="u1", agent="chat").notes.save(GOAL["content"], name=GOAL["name"], type=GOAL["type"])


def test_what_is_said_in_one_run_is_known_in_the_next(dialect: Dialect, tmp_path: Path) -> None:
    save = Say(text="好的,", calls=[("memory_save", STYLE), ("memory_save", GOAL)])
    first = run(
        dialect,
        tmp_path,
        "first",
        said="请记住:回答要简短;支付模块 4 月 15 日截止。\n",
        script=[save, Say(text="都记住了。")],
    )
    opening, closing = first.asked
    assert dialect.tools(opening) == ["memory_save", "memory_recall", "memory_list"]
    assert dialect.system(opening).startswith(f"{PROMPT}\n\n## 记忆系统")
    assert "<memory-context>" not in dialect.system(opening)
    assert dialect.messages(opening) == [{"role": "user", "content": "请记住:回答要简短;支付模块 4 月 15 日截止。"}]
    assert [call for call, _ in dialect.results(closing)] == dialect.calls(closing)
    assert [(answer["id"], answer["outcome"]) for answer in dialect.answers(closing)] == [
        (1, "created"),
        (2, "created"),
    ]
    assert first.shown == "好的,都记住了。\n"
    assert {(note.name, note.source) for note in notes(tmp_path)} == {
        ("回答风格", "agent_inferred"),
        ("冲刺目标", "agent_inferred"),
    }

    second = run(dialect, tmp_path, "second", said="支付模块什么时候截止?\n", script=[Say(text="下周三。")])
    [question] = second.asked
    told = dialect.system(question).partition("<memory-context>")[2]
    assert "[project] 冲刺目标 (#2)\n支付模块重构,截止日期 2026-04-15。" in told
    assert told.endswith("</memory-context>")
    assert dialect.messages(question) == [{"role": "user", "content": "支付模块什么时候截止?"}]
    assert json.loads(second.stored) == [
        {"role": "user", "content": "支付模块什么时候截止?"},
        {"role": "assistant", "content": "下周三。"},
    ]


def test_a_memory_changed_a_moment_ago_is_seen_and_none_is_stored(dialect: Dialect, tmp_path: Path) -> None:
    later = {"action": "update", "id": 1, "content": "支付模块重构,截止日期 2026-05-01。"}
    script = [
        Say(calls=[("memory_save", GOAL)]),
        Say(text="好。"),
        Say(calls=[("memory_save", later), ("memory_recall", {"query": "支付模块"})]),
        Say(text="改好了。"),
        Say(text="五月。"),
    ]
    lines = "支付模块四月截止。\n支付模块什么时候截止?\n支付模块什么时候截止?\n"
    session = run(dialect, tmp_path, "one", said=lines, script=script)
    second, results, third = session.asked[2:]
    assert "截止日期 2026-04-15" in dialect.system(second)
    assert dialect.answers(results)[0] == {"id": 1, "outcome": "updated", "name": "冲刺目标", "similar": []}
    assert dialect.answers(results)[1]["memories"][0]["content"] == "支付模块重构,截止日期 2026-05-01。"
    assert "截止日期 2026-05-01" in dialect.system(third) and "2026-04-15" not in dialect.system(third)
    for session_text in ("memory-context", "2026-05-01", "2026-04-15", "## 记忆系统", "tool"):
        assert session_text not in session.stored
    assert [message["role"] for message in json.loads(session.stored)] == ["user", "assistant"] * 3


def test_memory_switched_off_leaves_the_chat_alone(dialect: Dialect, tmp_path: Path) -> None:
    remember(tmp_path)
    off = {"RECOLLECT_PROMPTS__ENABLED": "false"}
    session = run(dialect, tmp_path, "off", said="支付模块什么时候截止?\n", script=[Say(text="不知道。")], **off)
    [question] = session.asked
    assert "tools" not in question.body
    assert dialect.system(question) == PROMPT
    assert dialect.messages(question) == [{"role": "user", "content": "支付模块什么时候截止?"}]
    assert len(notes(tmp_path)) == 1


def test_memories_can_stand_before_the_question_instead(dialect: Dialect, tmp_path: Path) -> None:
    remember(tmp_path)
    placed = {"RECOLLECT_PROMPTS__PLACEMENT": "message"}
    session = run(dialect, tmp_path, "new", said="支付模块什么时候截止?\n", script=[Say(text="四月。")], **placed)
    [question] = session.asked
    memory, asked = dialect.messages(question)
    assert "memory-context>" not in dialect.system(question).replace("memory-context、", "")
    assert memory["role"] == "user" and memory["content"].startswith("<memory-context>")
    assert asked == {"role": "user", "content": "支付模块什么时候截止?"}
    assert "memory-context" not in session.stored


def test_a_call_that_fails_is_told_to_the_model(dialect: Dialect, tmp_path: Path) -> None:
    failing = Say(calls=[("memory_save", {"action": "delete", "id": 99}), ("memory_forget", {"id": 1})])
    session = run(dialect, tmp_path, "one", said="忘掉它。\n", script=[failing, Say(text="没有这条记忆。")])
    missing, unknown = (answer["error"] for answer in dialect.answers(session.asked[1]))
    assert (missing["code"], missing["path"]) == ("not_found", "id")
    assert unknown["code"] == "invalid" and "memory_recall" in unknown["message"]
    if dialect is ANTHROPIC:
        assert [block["is_error"] for block in blocks(session.asked[1], "tool_result")] == [True, True]


def test_the_example_is_short(dialect: Dialect, tmp_path: Path) -> None:
    lines = (EXAMPLES / dialect.script).read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 30

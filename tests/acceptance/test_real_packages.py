"""The loop of the documentation with the vendors' own clients, without streaming."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from anthropic import Anthropic
from openai import OpenAI
from openai.types.chat import ChatCompletionMessage

import recollect
from tests.acceptance.scripted_api import MODEL, Say, ScriptedApi

NEW = {"name": "回答风格", "type": "user", "content": "用户喜欢简短直接的回答。"}
SCRIPT = [
    Say(text="好的,", calls=[("memory_save", NEW), ("memory_list", {"limit": None})]),
    Say(calls=[("memory_update", {"id": "1", "type": "feedback"})]),
    Say(text="记住了。"),
]
ASKED_AGAIN = {"role": "user", "content": "支付模块什么时候截止?"}
ASKED = [{"role": "user", "content": "回答要简短。"}]


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[recollect.Memory]:
    with recollect.open_memory(tmp_path / "memory.db") as memory:
        yield memory.within(user="u1")


@pytest.fixture
def api() -> Iterator[ScriptedApi]:
    with ScriptedApi(script=list(SCRIPT)) as running:
        yield running


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def outcomes(contents: list[str]) -> list[Any]:
    answers = [json.loads(content) for content in contents]
    return [answer.get("outcome") or [item["name"] for item in answer["items"]] for answer in answers]


def saved(mine: recollect.Memory) -> list[tuple[str, str]]:
    return [(note.name, note.type) for note in mine.notes.list().items]


def test_chat_completions(mine: recollect.Memory, api: ScriptedApi) -> None:
    box, messages = mine.tools(split=True), list(ASKED)
    with OpenAI(base_url=f"{api.url}/v1", api_key="none") as client:
        create = client.chat.completions.create
        response = create(model=MODEL, messages=messages, tools=box.openai(strict=True))
        while results := box.run(response):
            messages += results
            response = create(model=MODEL, messages=messages, tools=box.openai(strict=True))
    assert response.choices[0].message.content == "记住了。"
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "assistant", "tool"]
    told = [message["content"] for message in messages if message["role"] == "tool"]
    assert outcomes(told) == ["created", ["回答风格"], "updated"]
    assert saved(mine) == [("回答风格", "feedback")]


def test_responses(mine: recollect.Memory, api: ScriptedApi) -> None:
    box, items = mine.tools(split=True), list(ASKED)
    with OpenAI(base_url=f"{api.url}/v1", api_key="none") as client:
        response = client.responses.create(model=MODEL, input=items, tools=box.openai("responses"))
        while results := box.run(response):
            items += results
            response = client.responses.create(model=MODEL, input=items, tools=box.openai("responses"))
    assert response.output_text == "记住了。"
    assert [item.get("type") for item in items] == [
        *(None, "reasoning", "message", "function_call", "function_call", "function_call_output"),
        *("function_call_output", "reasoning", "function_call", "function_call_output"),
    ]
    told = [item["output"] for item in items if item.get("type") == "function_call_output"]
    assert outcomes(told) == ["created", ["回答风格"], "updated"]
    assert saved(mine) == [("回答风格", "feedback")]


def test_messages(mine: recollect.Memory, api: ScriptedApi) -> None:
    box, messages = mine.tools(split=True), list(ASKED)
    with Anthropic(base_url=api.url, api_key="none") as client:
        options: Any = {"model": MODEL, "max_tokens": 100, "tools": box.anthropic()}
        response = client.messages.create(messages=messages, **options)
        while results := box.run(response):
            messages += results
            response = client.messages.create(messages=messages, **options)
    assert response.content[0].text == "记住了。"
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant", "user"]
    told = [block["content"] for message in messages[2::2] for block in message["content"]]
    assert outcomes(told) == ["created", ["回答风格"], "updated"]
    assert saved(mine) == [("回答风格", "feedback")]


def test_messages_of_the_packages_are_read_as_they_are(mine: recollect.Memory) -> None:
    mine.notes.save("支付模块重构,截止日期 2026-04-15", name="冲刺")
    said = ChatCompletionMessage(role="assistant", content="你好,有什么可以帮你?")
    for asked in (ASKED_AGAIN, ChatCompletionMessage.model_construct(**ASKED_AGAIN)):
        composed = mine.compose([said, asked], placement="message")
        assert composed.messages[0] is said and composed.messages[-1] is asked
        assert "支付模块重构" in composed.volatile and composed.volatile == mine.prefetch(messages=[said, asked])
    system = ChatCompletionMessage.model_construct(role="system", content="Be kind.")
    assert mine.compose([system, ASKED_AGAIN]).system.startswith("Be kind.")

"""Schemas, and the three APIs in which tools are called: pure parts of the toolbox."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from anthropic.types import Message
from openai.lib.streaming.chat import ChatCompletionStreamState
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import ParsedResponse, Response

from recollect.domain.errors import Invalid
from recollect.tools.exchange import answered, offered, read
from recollect.tools.schemas import strict, tool_specs
from recollect.tools.spec import ToolResult, ToolSpec

SETS = [(language, split) for language in ("zh", "en") for split in (False, True)]
SPECS = [spec for language, split in SETS for spec in tool_specs(language, split=split)]
RESULTS = [ToolResult(content='{"id":1}', is_error=False), ToolResult(content='{"error":{}}', is_error=True)]

ARGUMENTS = ['{"action":"create"}', '{"query":"x"}']
CHAT: dict[str, Any] = {
    "id": "c1",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "refusal": None,
                "annotations": [],
                "reasoning_content": "two things",
                "tool_calls": [
                    {
                        "id": "a",
                        "type": "function",
                        "function": {"name": "memory_save", "arguments": ARGUMENTS[0]},
                        "extra_content": {"signature": "s"},
                    },
                    {"id": "b", "type": "function", "function": {"name": "memory_recall", "arguments": ARGUMENTS[1]}},
                ],
            },
        }
    ],
}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "…"}
RESPONSE: dict[str, Any] = {
    "id": "r1",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "output": [
        {**REASONING, "status": None},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "phase": "commentary",
            "content": [{"type": "output_text", "text": "Saving.", "annotations": []}],
        },
        {"type": "function_call", "id": "f1", "call_id": "a", "name": "memory_save", "arguments": ARGUMENTS[0]},
        {"type": "function_call", "id": "f2", "call_id": "b", "name": "memory_recall", "arguments": ARGUMENTS[1]},
    ],
}
THINKING = {"type": "thinking", "thinking": "two things", "signature": "s"}
MESSAGE: dict[str, Any] = {
    "id": "m1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
    "content": [
        THINKING,
        {"type": "text", "text": "Saving.", "citations": None},
        {"type": "tool_use", "id": "a", "name": "memory_save", "input": {"action": "create", "type": None}},
        {"type": "tool_use", "id": "b", "name": "memory_recall", "input": {"query": "x"}},
    ],
}


def streamed() -> ChatCompletion:
    """Return what the package makes of the chunks of CHAT."""
    message = CHAT["choices"][0]["message"]
    deltas: list[Any] = [{key: value for key, value in message.items() if key != "tool_calls"}]
    for at, call in enumerate(message["tool_calls"]):
        text = call["function"]["arguments"]
        deltas.append({"tool_calls": [{**call, "index": at, "function": {**call["function"], "arguments": ""}}]})
        deltas += [{"tool_calls": [{"index": at, "function": {"arguments": part}}]} for part in (text[:5], text[5:])]
    state: Any = ChatCompletionStreamState(input_tools=[offered(spec, "chat", is_strict=True) for spec in SPECS[:3]])
    for at, delta in enumerate(deltas):
        reason = "tool_calls" if at == len(deltas) - 1 else None
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        state.handle_chunk(ChatCompletionChunk.model_validate(chunk))
    return state.get_final_completion()


def said_in_chat() -> dict[str, Any]:
    message = CHAT["choices"][0]["message"]
    return {key: value for key, value in message.items() if key not in ("refusal", "annotations")}


class TestSchemas:
    @pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
    def test_a_schema_is_flat(self, spec: ToolSpec) -> None:
        assert spec.parameters["type"] == "object"
        for shown in properties(spec.parameters).values():
            assert set(shown) <= {"type", "enum", "description", "default"}

    @pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
    def test_exactly_what_may_be_left_out_may_be_null(self, spec: ToolSpec) -> None:
        for schema in (spec.parameters, strict(spec.parameters)):
            for name, shown in properties(schema).items():
                optional = name not in spec.parameters["required"]
                assert ("null" in shown["type"]) is optional
                assert "enum" not in shown or (None in shown["enum"]) is optional

    @pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
    def test_the_strict_form_is_what_strict_modes_demand(self, spec: ToolSpec) -> None:
        schema = strict(spec.parameters)
        assert schema["required"] == list(properties(schema)) == list(properties(spec.parameters))
        assert schema["additionalProperties"] is False
        assert not [name for name, shown in properties(schema).items() if "default" in shown]

    @pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
    def test_no_schema_asks_whose_memory_it_is(self, spec: ToolSpec) -> None:
        forbidden = ("user", "agent", "tenant", "owner", "session", "provider", "pinned", "source")
        assert not [name for name in properties(spec.parameters) if name.lower().startswith(forbidden)]

    def test_a_name_is_one_that_every_api_takes(self) -> None:
        assert all(spec.name.isascii() and spec.name.isidentifier() and len(spec.name) <= 64 for spec in SPECS)

    def test_each_api_is_told_in_its_own_form(self) -> None:
        spec = SPECS[0]
        described = {"name": spec.name, "description": spec.description}
        loose, tight = spec.parameters, strict(spec.parameters)
        assert offered(spec, "chat") == {"type": "function", "function": {**described, "parameters": loose}}
        assert offered(spec, "chat", is_strict=True) == {
            "type": "function",
            "function": {**described, "parameters": tight, "strict": True},
        }
        plain = {"type": "function", **described}
        assert offered(spec, "responses") == {**plain, "parameters": loose, "strict": False}
        assert offered(spec, "responses", is_strict=True) == {**plain, "parameters": tight, "strict": True}
        assert offered(spec, "anthropic") == {**described, "input_schema": loose}

    def test_what_was_offered_can_be_changed_by_its_owner(self) -> None:
        first: Any = offered(SPECS[0], "anthropic")
        first["input_schema"]["properties"].clear()
        assert properties(SPECS[0].parameters)


def properties(schema: Mapping[str, object]) -> dict[str, Any]:
    return schema["properties"]


def responses_of(api: str) -> Iterator[Any]:
    """Everything that one API's package, or a host without it, may hold in its hand."""
    if api == "chat":
        whole = ChatCompletion.model_validate(CHAT)
        yield from (CHAT, whole, streamed(), whole.choices[0].message, said_in_chat())
    elif api == "responses":
        yield from (RESPONSE, Response.model_validate(RESPONSE), ParsedResponse.model_validate(RESPONSE))
    else:
        yield from (MESSAGE, Message.model_validate(MESSAGE), {"role": "assistant", "content": MESSAGE["content"]})


class TestReading:
    @pytest.mark.parametrize("response", list(responses_of("chat")))
    def test_chat(self, response: Any) -> None:
        turn = read(response)
        assert [(call.id, call.name, call.arguments) for call in turn.calls] == [
            ("a", "memory_save", ARGUMENTS[0]),
            ("b", "memory_recall", ARGUMENTS[1]),
        ]
        said, *results = answered(turn, RESULTS)
        assert said == said_in_chat()
        assert results == [
            {"role": "tool", "tool_call_id": "a", "content": RESULTS[0].content},
            {"role": "tool", "tool_call_id": "b", "content": RESULTS[1].content},
        ]

    @pytest.mark.parametrize("response", list(responses_of("responses")))
    def test_responses(self, response: Any) -> None:
        turn = read(response)
        assert [(call.id, call.name, call.arguments) for call in turn.calls] == [
            ("a", "memory_save", ARGUMENTS[0]),
            ("b", "memory_recall", ARGUMENTS[1]),
        ]
        assert answered(turn, RESULTS) == [
            REASONING,
            *RESPONSE["output"][1:],
            {"type": "function_call_output", "call_id": "a", "output": RESULTS[0].content},
            {"type": "function_call_output", "call_id": "b", "output": RESULTS[1].content},
        ]

    @pytest.mark.parametrize("response", list(responses_of("anthropic")))
    def test_anthropic(self, response: Any) -> None:
        turn = read(response)
        assert [(call.id, call.name, call.arguments) for call in turn.calls] == [
            ("a", "memory_save", {"action": "create", "type": None}),
            ("b", "memory_recall", {"query": "x"}),
        ]
        said, results = answered(turn, RESULTS)
        text = {"type": "text", "text": "Saving."}
        assert said == {"role": "assistant", "content": [THINKING, text, *MESSAGE["content"][2:]]}
        assert results == {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": RESULTS[0].content, "is_error": False},
                {"type": "tool_result", "tool_use_id": "b", "content": RESULTS[1].content, "is_error": True},
            ],
        }

    @pytest.mark.parametrize("api", ["chat", "responses", "anthropic"])
    def test_what_is_appended_can_be_stored(self, api: str) -> None:
        for response in responses_of(api):
            appended = answered(read(response), RESULTS)
            assert json.loads(json.dumps(appended)) == appended

    @pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
    def test_a_call_that_was_cut_off_is_not_taken_for_whole(self, reason: str) -> None:
        whole, cut = read({**MESSAGE, "stop_reason": reason}).calls
        assert whole.arguments == {"action": "create", "type": None}
        with pytest.raises(ValueError):
            json.loads(str(cut.arguments))

    def test_text_after_the_last_call_shows_that_it_is_whole(self) -> None:
        content = [*MESSAGE["content"], {"type": "text", "text": "Then"}]
        assert read({**MESSAGE, "content": content, "stop_reason": "max_tokens"}).calls[1].arguments == {"query": "x"}

    @pytest.mark.parametrize(
        "response",
        [
            {"choices": [{"message": {"role": "assistant", "content": "Hello"}}]},
            {"choices": []},
            {"role": "assistant", "content": "Hello"},
            {"output": [{"type": "message", "id": "1", "role": "assistant", "content": []}]},
            {"role": "assistant", "content": [{"type": "text", "text": "Hello"}], "stop_reason": "max_tokens"},
            {"role": "assistant", "content": []},
        ],
    )
    def test_a_response_without_calls(self, response: Any) -> None:
        assert list(read(response).calls) == []

    @pytest.mark.parametrize(
        "response",
        [None, "text", [], {}, {"role": "user", "content": "hi"}, {"choices": [{"delta": {}}]}, iter([])],
    )
    def test_what_is_no_response_is_a_mistake_of_the_caller(self, response: Any) -> None:
        with pytest.raises(Invalid) as problem:
            read(response)
        assert problem.value.path == "response"
        assert problem.value.text("zh") and problem.value.text("en")

    def test_a_custom_tool_is_named_too(self) -> None:
        call = {"id": "z", "type": "custom", "custom": {"name": "shell", "input": "ls"}}
        turn = read({"role": "assistant", "content": None, "tool_calls": [call]})
        assert [(one.id, one.name) for one in turn.calls] == [("z", "shell")]

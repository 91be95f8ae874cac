"""How tools are offered to models, called by them and answered, in each of three APIs.

Responses are read as plain data, so that no vendor's package is needed: a mapping, or whatever has `model_dump`.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

from recollect.domain.checks import plain_object
from recollect.domain.errors import Invalid
from recollect.tools.schemas import strict
from recollect.tools.spec import ToolResult, ToolSpec

Api = Literal["chat", "responses", "anthropic"]
_Plain = Mapping[str, Any]

# What the vendors' packages add to a response, and what their APIs send but do not take back.
_ADDED = ("parsed", "parsed_arguments", "parsed_output")
_ONE_WAY = ("annotations", "audio", "index")

_CUT_OFF = ("max_tokens", "model_context_window_exceeded")
_HALF_AN_OBJECT = "{"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a tool; its arguments are as they came, JSON text or an object."""

    id: str
    name: str
    arguments: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What a model said in one response, in the form in which its API takes it back, and the calls in it."""

    api: Api
    said: Sequence[object]
    calls: Sequence[Call]


def offered(spec: ToolSpec, api: Api, *, is_strict: bool = False) -> dict[str, object]:
    """Return a tool as an API wants to be told of it."""
    described: dict[str, object] = {"name": spec.name, "description": spec.description}
    schema = strict(spec.parameters) if is_strict else deepcopy(spec.parameters)
    if api == "anthropic":
        return {**described, "input_schema": schema}
    described["parameters"] = schema
    if api == "responses":  # where a schema is strict unless told otherwise
        return {"type": "function", **described, "strict": is_strict}
    return {"type": "function", "function": {**described, "strict": True} if is_strict else described}


def read(response: object) -> Turn:
    """Return what a response says, whichever API it came from; Invalid when it is no response at all."""
    plain = _plain(response)
    if "choices" in plain:
        choices: list[_Plain] = plain["choices"]
        return _read_chat(_plain(choices[0].get("message")) if choices else {})
    if isinstance(plain.get("output"), list):
        return _read_responses(plain["output"])
    if plain.get("role") != "assistant":
        raise _not_a_response(response)
    return _read_anthropic(plain) if isinstance(plain.get("content"), list) else _read_chat(plain)


def answered(turn: Turn, results: Sequence[ToolResult]) -> list[Any]:
    """Return what to append to the conversation, so that the API accepts it: the calls, then a result for each."""
    pairs = list(zip(turn.calls, results, strict=True))
    if turn.api == "chat":
        return [*turn.said, *({"role": "tool", "tool_call_id": call.id, "content": it.content} for call, it in pairs)]
    if turn.api == "responses":
        outputs = ({"type": "function_call_output", "call_id": call.id, "output": it.content} for call, it in pairs)
        return [*turn.said, *outputs]
    blocks = [
        {"type": "tool_result", "tool_use_id": call.id, "content": it.content, "is_error": it.is_error}
        for call, it in pairs
    ]
    return [{"role": "assistant", "content": turn.said}, {"role": "user", "content": blocks}]


def _plain(value: object) -> _Plain:
    plain = plain_object(value)
    if plain is None:
        raise _not_a_response(value)
    return plain


def _not_a_response(value: object) -> Invalid:
    return Invalid("not_response", "response", given=type(value).__name__)


def _read_chat(message: _Plain) -> Turn:
    asked: list[_Plain] = message.get("tool_calls") or []
    kept = {name: value for name, value in message.items() if name not in _ONE_WAY}
    calls = [{name: value for name, value in call.items() if name not in _ONE_WAY} for call in asked]
    said = {**_sendable({**kept, "tool_calls": calls}), "content": message.get("content")}
    return Turn(api="chat", said=[said], calls=[_chat_call(call) for call in asked])


def _chat_call(call: _Plain) -> Call:
    called: _Plain = call.get("function") or call.get("custom") or {}
    return Call(id=call.get("id", ""), name=called.get("name", ""), arguments=called.get("arguments"))


def _read_responses(output: Sequence[_Plain]) -> Turn:
    calls = [
        Call(id=item["call_id"], name=item["name"], arguments=item.get("arguments"))
        for item in output
        if item.get("type") == "function_call"
    ]
    return Turn(api="responses", said=_sendable(output), calls=calls)


def _read_anthropic(message: _Plain) -> Turn:
    blocks: list[_Plain] = message["content"]
    calls = [
        Call(id=block["id"], name=block["name"], arguments=block.get("input"))
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    if calls and message.get("stop_reason") in _CUT_OFF and blocks[-1].get("type") == "tool_use":
        # The package fills in what is missing, so half of a memory would look whole.
        calls[-1] = Call(id=calls[-1].id, name=calls[-1].name, arguments=_HALF_AN_OBJECT)
    said = [{name: value for name, value in block.items() if value is not None} for block in blocks]
    return Turn(api="anthropic", said=said, calls=calls)


def _sendable(value: Any) -> Any:
    """Return a part of a response without nulls and without what the package added to it."""
    if isinstance(value, Mapping):
        parts: _Plain = value  # pyright: ignore[reportUnknownVariableType]
        return {name: _sendable(part) for name, part in parts.items() if part is not None and name not in _ADDED}
    return [_sendable(part) for part in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]

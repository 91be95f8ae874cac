"""A local server that speaks as OpenAI and Anthropic do, from a script, and keeps what it was asked.

It is as strict as they are where a client could be wrong about tools: every call answered once, in its place, by its
id; nothing in a message that only an SDK put there; no empty list of tools.
"""

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

MODEL = "scripted-1"
SDK_ONLY = {"parsed", "parsed_arguments", "parsed_output", "index"}
Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class Say:
    """One turn of the model: some text, and the tools it calls in one go, each a name and its arguments."""

    text: str = ""
    calls: Sequence[tuple[str, Json]] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """One request: where it went and what was in it."""

    path: str
    body: Json


@dataclass(kw_only=True)
class ScriptedApi:
    """Answers each request with the next turn of the script; a context manager."""

    script: list[Say]
    asked: list[Asked] = field(default_factory=list)

    def __enter__(self) -> Self:
        api = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                api.asked.append(Asked(path=self.path, body=body))
                speak, complain = DIALECTS[self.path]
                problem = complain(body)
                if problem or not api.script:
                    self.answer(400, {"error": {"message": problem or "the script is over", "type": "invalid"}})
                    return
                whole, events = speak(api.script.pop(0), len(api.asked))
                if body.get("stream"):
                    self.stream(events)
                else:
                    self.answer(200, whole)

            def answer(self, status: int, body: Json) -> None:
                self.begin(status, "application/json")
                self.wfile.write(json.dumps(body).encode())

            def stream(self, events: Iterator[tuple[str, Json] | None]) -> None:
                self.begin(200, "text/event-stream")
                for event in events:
                    kind, data = event or ("", "[DONE]")
                    text = data if isinstance(data, str) else json.dumps(data)
                    self.wfile.write(f"{f'event: {kind}' + chr(10) if kind else ''}data: {text}\n\n".encode())

            def begin(self, status: int, kind: str) -> None:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"


def fragments(text: str) -> list[str]:
    """Cut a text as a stream does, anywhere."""
    return [text[at : at + 7] for at in range(0, len(text), 7)]


def foreign_keys(value: Any) -> set[str]:
    if isinstance(value, list):
        return {key for part in value for key in foreign_keys(part)}
    if not isinstance(value, dict):
        return set()
    return (SDK_ONLY & set(value)) | {key for part in value.values() for key in foreign_keys(part)}


def complain_in_common(body: Json, said: list[Json]) -> str:
    keys = foreign_keys(said)
    if keys:
        return f"unknown parameters: {sorted(keys)}"
    return "tools: empty array" if body.get("tools") == [] else ""


def complain_chat(body: Json) -> str:
    waiting: list[str] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            if not waiting or message["tool_call_id"] != waiting.pop(0):
                return "a tool message that answers no call"
        elif waiting:
            return f"no tool message for {waiting}"
        waiting += [call["id"] for call in message.get("tool_calls", [])]
    return f"no tool message for {waiting}" if waiting else complain_in_common(body, body["messages"])


def complain_responses(body: Json) -> str:
    items = [item for item in body["input"] if "type" in item]
    calls = [item["call_id"] for item in items if item["type"] == "function_call"]
    outputs = [item["call_id"] for item in items if item["type"] == "function_call_output"]
    if calls != outputs:
        return f"calls {calls}, outputs {outputs}"
    if calls and not any(item["type"] == "reasoning" for item in items):
        return "a function_call was provided without its required reasoning item"
    return complain_in_common(body, body["input"])


def complain_anthropic(body: Json) -> str:
    waiting: list[str] = []
    for message in body["messages"]:
        blocks = message["content"] if isinstance(message["content"], list) else []
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if results != waiting:
            return f"tool_use {waiting}, tool_result {results}"
        waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
    if any(message["role"] not in ("user", "assistant") for message in body["messages"]):
        return "a role that is neither user nor assistant"
    return f"no tool_result for {waiting}" if waiting else complain_in_common(body, body["messages"])


def speak_chat(say: Say, number: int) -> tuple[Json, Iterator[tuple[str, Json] | None]]:
    calls = [
        {"id": f"call_{number}_{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
        for at, (name, given) in enumerate(say.calls)
    ]
    message: Json = {"role": "assistant", "content": say.text or None, "refusal": None, "annotations": []}
    finish = "tool_calls" if calls else "stop"
    head = {"id": f"chatcmpl-{number}", "created": 1, "model": MODEL}
    choice = {"index": 0, "message": {**message, **({"tool_calls": calls} if calls else {})}, "finish_reason": finish}

    def events() -> Iterator[tuple[str, Json] | None]:
        def chunk(delta: Json, reason: str | None = None) -> tuple[str, Json]:
            choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
            return "", {**head, "object": "chat.completion.chunk", "choices": choices}

        yield chunk({"role": "assistant", "content": None if calls else "", "refusal": None})
        for part in fragments(say.text):
            yield chunk({"content": part})
        for at, call in enumerate(calls):
            function = call["function"]
            yield chunk({"tool_calls": [{**call, "index": at, "function": {**function, "arguments": ""}}]})
            for part in fragments(function["arguments"]):
                yield chunk({"tool_calls": [{"index": at, "function": {"arguments": part}}]})
        yield chunk({}, finish)
        yield None

    return {**head, "object": "chat.completion", "choices": [choice]}, events()


def speak_responses(say: Say, number: int) -> tuple[Json, Iterator[tuple[str, Json] | None]]:
    output: list[Json] = [{"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": "…"}]
    if say.text:
        content = [{"type": "output_text", "text": say.text, "annotations": []}]
        message = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
        output.append({**message, "content": content})
    for at, (name, given) in enumerate(say.calls):
        ids = {"id": f"fc_{number}_{at}", "call_id": f"call_{number}_{at}"}
        call = {"type": "function_call", **ids, "name": name, "arguments": json.dumps(given), "status": "completed"}
        output.append(call)
    head: Json = {"id": f"resp_{number}", "object": "response", "created_at": 1, "model": MODEL, "tools": []}
    head |= {"parallel_tool_calls": True, "tool_choice": "auto", "error": None, "incomplete_details": None}
    whole = {**head, "status": "completed", "output": output}

    def events() -> Iterator[tuple[str, Json] | None]:
        yield "response.created", {"response": {**head, "status": "in_progress", "output": []}}
        for at, item in enumerate(output):
            yield from item_events(at, item)
        yield "response.completed", {"response": whole}

    return whole, numbered(events())


def item_events(at: int, item: Json) -> Iterator[tuple[str, Json]]:
    place: Json = {"output_index": at, "item_id": item["id"]}
    opened = {
        **item,
        **({"content": []} if "content" in item else {}),
        **({"arguments": ""} if "call_id" in item else {}),
    }
    yield "response.output_item.added", {"output_index": at, "item": opened}
    for part in item.get("content", []):
        inside = {**place, "content_index": 0}
        yield "response.content_part.added", {**inside, "part": {**part, "text": ""}}
        for text in fragments(part["text"]):
            yield "response.output_text.delta", {**inside, "delta": text, "logprobs": []}
        yield "response.output_text.done", {**inside, "text": part["text"], "logprobs": []}
        yield "response.content_part.done", {**inside, "part": part}
    for text in fragments(item.get("arguments", "")):
        yield "response.function_call_arguments.delta", {**place, "delta": text}
    yield "response.output_item.done", {"output_index": at, "item": item}


def numbered(events: Iterator[tuple[str, Json] | None]) -> Iterator[tuple[str, Json] | None]:
    for number, event in enumerate(events):
        if event:
            yield event[0], {"type": event[0], "sequence_number": number, **event[1]}


def speak_anthropic(say: Say, number: int) -> tuple[Json, Iterator[tuple[str, Json] | None]]:
    blocks: list[Json] = [{"type": "text", "text": say.text, "citations": None}] if say.text else []
    for at, (name, given) in enumerate(say.calls):
        blocks.append({"type": "tool_use", "id": f"toolu_{number}_{at}", "name": name, "input": given})
    usage = {"input_tokens": 1, "output_tokens": 1}
    head: Json = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": MODEL, "usage": usage}
    ending = {"stop_reason": "tool_use" if say.calls else "end_turn", "stop_sequence": None}

    def events() -> Iterator[tuple[str, Json] | None]:
        yield "message_start", {"message": {**head, "content": [], "stop_reason": None, "stop_sequence": None}}
        for at, block in enumerate(blocks):
            bare = {"text": ""} if block["type"] == "text" else {"input": {}}
            yield "content_block_start", {"index": at, "content_block": {**block, **bare}}
            text = block.get("text") or json.dumps(block["input"])
            kind, key = ("text_delta", "text") if block["type"] == "text" else ("input_json_delta", "partial_json")
            for part in fragments(text):
                yield "content_block_delta", {"index": at, "delta": {"type": kind, key: part}}
            yield "content_block_stop", {"index": at}
        yield "message_delta", {"delta": ending, "usage": {"output_tokens": 1}}
        yield "message_stop", {}

    return {**head, **ending, "content": blocks}, numbered(events())


DIALECTS = {
    "/v1/chat/completions": (speak_chat, complain_chat),
    "/v1/responses": (speak_responses, complain_responses),
    "/v1/messages": (speak_anthropic, complain_anthropic),
}

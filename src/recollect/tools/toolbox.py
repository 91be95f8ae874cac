"""The toolbox: what to offer a model, and what to answer when it calls."""

import json
import re
from collections.abc import Mapping
from typing import Any, Literal

from recollect.domain.checks import check_choice
from recollect.domain.errors import Invalid, RecollectError, Refused
from recollect.domain.visible import visible
from recollect.notes.notes import Notes
from recollect.tools.exchange import answered, offered, read
from recollect.tools.schemas import tool_specs
from recollect.tools.spec import ToolResult
from recollect.tools.verbs import Recall, Verbs

_OPENAI_APIS = ("chat", "responses")
_MESSAGE_LENGTH = 500
# In JSON text these may be written as escapes without changing what it says, so no memory in a result can end the tag
# or start the control token with which a chat template frames it.
_MARKUP = re.compile(r"<|\[(?=/?g?[A-Z_]{3,}\])")


class Toolbox:
    """The memory tools of one scope: no call can name another user or agent, pin a memory or approve one."""

    def __init__(
        self,
        notes: Notes,
        recall: Recall,
        language: str,
        *,
        split: bool,
        enabled: bool,
        trash_days: int = 30,
        token_budget: int | None = None,
    ) -> None:
        self._verbs = Verbs(notes, recall, language, split=split, trash_days=trash_days, token_budget=token_budget)
        self._language = language
        self._enabled = enabled
        self._all_specs = {spec.name: spec for spec in tool_specs(language, split=split)}
        self.specs = tuple(self._all_specs.values()) if enabled else ()

    def openai(self, api: Literal["chat", "responses"] = "chat", *, strict: bool = False) -> list[Any]:
        """Return the tools for OpenAI's Chat Completions or Responses API and everything compatible with them."""
        check_choice(api, _OPENAI_APIS, path="api")
        return [offered(spec, api, is_strict=strict) for spec in self.specs]

    def anthropic(self) -> list[Any]:
        """Return the tools for Anthropic's Messages API."""
        return [offered(spec, "anthropic") for spec in self.specs]

    def run(self, response: object) -> list[Any]:
        """Run every call in a response, in order, and return what to append to the messages; nothing without calls.

        Takes what the OpenAI and Anthropic packages return, also at the end of a stream, or the same as dicts. Ask the
        model again for as long as something is returned. What fails is told to the model as the result of its call, a
        tool of any other name too: who has other tools reads the calls and gives ours to `call`.
        """
        turn = read(response)
        if not turn.calls:
            return []
        return answered(turn, [self.call(call.name, call.arguments) for call in turn.calls])

    def call(self, name: str, arguments: object) -> ToolResult:
        """Run one call, whose arguments are JSON text or a mapping; what goes wrong is a result, too."""
        try:
            answer = self._answer(name, arguments)
        except RecollectError as problem:
            message = visible(problem.text(self._language))[:_MESSAGE_LENGTH]
            told = {"code": problem.code, "message": message, "path": visible(problem.path)[:_MESSAGE_LENGTH]}
            return ToolResult(content=_to_json({"error": told}), is_error=True)
        return ToolResult(content=_to_json(answer), is_error=False)

    def _answer(self, name: str, arguments: object) -> Mapping[str, object]:
        if not self._enabled:
            raise Refused("memory_off")
        if name not in self._all_specs:
            raise Invalid("unknown_tool", given=repr(name), names=", ".join(self._all_specs))
        given = _to_object(arguments)
        known: Mapping[str, object] = self._all_specs[name].parameters["properties"]  # pyright: ignore[reportAssignmentType]
        for key in given:
            if key not in known:
                raise Invalid("unknown_field", key, allowed=", ".join(known))
        return self._verbs.by_tool[name]({key: value for key, value in given.items() if value is not None})


def _to_object(arguments: object) -> Mapping[str, object]:
    """Return arguments as an object; a model that has none to give may leave the text empty."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError) as problem:
            raise Invalid("bad_arguments", "arguments") from problem
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise Invalid("bad_arguments", "arguments")
    return {str(key): value for key, value in arguments.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _to_json(answer: Mapping[str, object]) -> str:
    return _MARKUP.sub(_escaped, json.dumps(answer, ensure_ascii=False, separators=(",", ":")))


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"

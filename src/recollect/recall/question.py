"""What a conversation asks: its last user text, with earlier ones when that one leans on them; pure."""

import re
from collections.abc import Mapping, Sequence

from recollect.domain.checks import check_list, plain_object
from recollect.domain.errors import Invalid
from recollect.domain.text import estimate_tokens

Message = Mapping[str, object]

_SHORT_TOKENS = 8
_EARLIER_TURNS = 2
_TEXT_PARTS = ("text", "input_text")
_REFERRING = re.compile(
    r"\b(?:it|its|that|this|these|those|they|them|he|she|him|her|same|again|there|then)\b|[它他她这那]|上次|刚才|前面|继续",
    re.IGNORECASE,
)


def read_messages(given: object) -> list[Message]:
    """Return messages as plain data: objects as they are, and the messages that the model packages make."""
    messages: list[Message] = []
    for at, message in enumerate(check_list(given, path="messages")):
        plain = plain_object(message)
        if plain is None:
            raise Invalid("not_message", f"messages[{at}]", given=type(message).__name__)
        messages.append(plain)
    return messages


def question_of(messages: Sequence[Message]) -> str:
    """Return the text to search for, or "" when no user said anything."""
    said = [text for text in (said_by_user(message) for message in messages) if text]
    if not said:
        return ""
    last = said[-1]
    if estimate_tokens(last) > _SHORT_TOKENS and not _REFERRING.search(last):
        return last
    return "\n".join(said[-1 - _EARLIER_TURNS :])


def said_by_user(message: Message) -> str:
    """Return the words of a user message; a tool's result is nobody's words."""
    return text_of(message) if message.get("role") == "user" else ""


def text_of(message: Message) -> str:
    """Return the text of a message in any of the shapes that the model APIs use."""
    content = message.get("content")
    if isinstance(content, str):
        return content.strip()
    texts = [str(part.get("text", "")) for part in _parts(content) if part.get("type") in _TEXT_PARTS]
    return "\n".join(texts).strip()


def answers_tool(message: Message) -> bool:
    """Tell whether a message brings a tool's result, which must follow the call at once."""
    return any(part.get("type") == "tool_result" for part in _parts(message.get("content")))


def _parts(content: object) -> list[Mapping[str, object]]:
    if isinstance(content, str) or not isinstance(content, Sequence):
        return []
    return [part for part in content if isinstance(part, Mapping)]  # pyright: ignore[reportUnknownVariableType]

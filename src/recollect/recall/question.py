"""What is asked: of a conversation its last user text, of a long text the part that asks; pure."""

import re
from collections.abc import Mapping, Sequence

from recollect.domain.analysis import FRAME_WEIGHT, query_terms
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
_WHOLE = 600  # characters; a longer text is a question with something pasted to it
_WHOLE_TALK = 1_500  # unless it is a conversation written down: all of it asks, up to what an embedder reads at once
_TURN = re.compile(
    r"^\W{0,3}(?:user|human|assistant|ai|bot|agent|用户|用戶|助手|助理)\W{0,3}[:：]", re.IGNORECASE | re.MULTILINE
)
_SHORT = 200  # characters; a longer paragraph may be what the question was pasted to
_WINDOW = 8_000  # characters at either end that are looked at
_MARKED = re.compile(r"""[??]["'”’」)\]]*\s*$""", re.MULTILINE)
_ASKING = re.compile(
    r"\b(?:what|when|where|who|whom|whose|which|why|how)\b|什么|什麼|谁|誰|哪|几[个点号天]|多少|怎么|怎麼|怎样|吗|嗎|呢|是否|请问",
    re.IGNORECASE,
)
_MARK = 2
_BLANK = re.compile(r"\n[^\S\n]*\n")
_SENTENCE_END = re.compile(r"(?<=[。!?!?])|(?<=[.;])\s+|\n+")
_TELLING = 2  # fewer telling terms lean on what was pasted
_IDENTIFIERS = 8
_PASTED_WORD = re.compile(r"[\w.:/@-]+")
_IDENTIFIER = re.compile(r"[A-Za-z]+[a-z][A-Z][A-Za-z]*|[A-Za-z]+(?:[._][A-Za-z]+)+")  # getUserName a_b a.b
_IDENTIFIER_LENGTH = 64


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
    said = [focus(text) for text in said[-1 - _EARLIER_TURNS :]]
    last = said[-1]
    if estimate_tokens(last) > _SHORT_TOKENS and not _REFERRING.search(last):
        return last
    return "\n".join(said)


def focus(text: str) -> str:
    """Return the part of a long text that asks: its last paragraph, or the first when only that one is a question.

    A question that says little by itself ("why does this fail?") takes along the identifiers next to it.
    """
    if not isinstance(text, str) or len(text) <= _WHOLE:  # pyright: ignore[reportUnnecessaryIsInstance]
        return text
    if len(text) <= _WHOLE_TALK and _TURN.search(text):
        return text
    head, tail = text[:_WINDOW].lstrip(), text[-_WINDOW:].rstrip()
    asked = last = _end(tail)
    first = _beginning(head)
    in_front = _strength(first) > _strength(last) and (_strength(first) == _MARK or _stands_alone(first, last, text))
    if in_front:
        asked = first
    if sum(term.weight > FRAME_WEIGHT for term in query_terms(asked)) >= _TELLING:
        return asked
    around = _identifiers(head if in_front else tail)
    nearest = dict.fromkeys(around if in_front else reversed(around))
    return "\n".join([asked, *list(nearest)[:_IDENTIFIERS]])


def _identifiers(text: str) -> list[str]:
    """Return the names of code in a text: no numbers, moments, addresses or hashes, which say nothing."""
    words = (word.strip(".:") for word in _PASTED_WORD.findall(text))
    return [word for word in words if len(word) <= _IDENTIFIER_LENGTH and _IDENTIFIER.fullmatch(word)]


def _stands_alone(first: str, last: str, text: str) -> bool:
    """Tell whether the beginning is a paragraph of its own, and the end is not."""
    pieces = _BLANK.split(text[:_WINDOW].lstrip(), 1)[0], _BLANK.split(text[-_WINDOW:].rstrip())[-1]
    return pieces[0] == first and pieces[1] != last


def _strength(text: str) -> int:
    """Return `_MARK` for what ends a line with a question mark, 1 for what has a question word, else 0."""
    return _MARK if _MARKED.search(text) else int(_ASKING.search(text) is not None)


def _beginning(text: str) -> str:
    """Return what asks in the first paragraph, or in its first line or sentence where it is long."""
    for piece in (_BLANK.split(text, 1)[0], text.split("\n", 1)[0]):
        if len(piece) <= _WHOLE:
            return _asking_line(piece.split("\n")) or piece
    return _few(_SENTENCE_END.split(text[:_WHOLE])) or text[:_WHOLE]


def _end(text: str) -> str:
    """Return what asks in the last paragraph, or in its last line or sentence where it is long."""
    for piece in (_BLANK.split(text)[-1], text.rsplit("\n", 1)[-1]):
        if len(piece) <= _WHOLE:
            return _asking_line(piece.split("\n")[::-1]) or piece
    return _few(_SENTENCE_END.split(text[-_WHOLE:])[::-1]) or text[-_WHOLE:]


def _asking_line(lines: Sequence[str]) -> str:
    """Return the line that asks most, of several the first; "" for a short paragraph or one in which none asks."""
    strongest = max(lines, key=_strength)
    return strongest if sum(map(len, lines)) > _SHORT and _strength(strongest) else ""


def _few(sentences: Sequence[str]) -> str:
    """Return the first sentence that says something, unless the cut went through it."""
    return next((sentence.strip() for sentence in sentences[:-1] if len(sentence.strip()) > 1), "")


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

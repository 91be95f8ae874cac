"""Putting memory into a prompt: one block that stays the same between turns, one that belongs to this message."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from recollect.domain.checks import check_choice
from recollect.domain.text import estimate_tokens
from recollect.recall.question import Message, answers_tool, said_by_user, text_of

Placement = Literal["system", "message"]
PLACEMENTS = ("system", "message")
_SYSTEM_ROLES = ("system", "developer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """A prompt with memory in it. `stable` and `volatile` are what was added; `tokens` estimates both together."""

    system: str
    messages: tuple[Any, ...]
    stable: str
    volatile: str
    tokens: int


def compose(
    given: Iterable[object],
    messages: Sequence[Message],
    system_prompt: str | None,
    placement: str,
    *,
    stable: str,
    volatile: str,
) -> Composed:
    """Place both blocks: the stable one ends the system prompt, the volatile one follows it or precedes the question.

    Without `system_prompt` the first system message is the one that grows. `messages` are the given ones as plain data.
    """
    check_choice(placement, PLACEMENTS, path="placement")
    turns = list(given)
    inside = system_prompt is None and bool(messages) and messages[0].get("role") in _SYSTEM_ROLES
    base = text_of(messages[0]) if inside else (system_prompt or "")
    question_at = _last_question(messages)
    if question_at is None:
        placement = "system"
    added = (stable, volatile) if placement == "system" else (stable,)
    system = "\n\n".join(part for part in (base, *added) if part)
    if inside:
        turns[0] = {**messages[0], "content": system}
    if question_at is not None and placement == "message" and volatile:
        turns.insert(question_at, {"role": "user", "content": volatile})
    tokens = estimate_tokens(stable) + estimate_tokens(volatile)
    return Composed(system=system, messages=tuple(turns), stable=stable, volatile=volatile, tokens=tokens)


def _last_question(turns: Sequence[Message]) -> int | None:
    """Where the last words of the user are: never between a tool's call and its result."""
    places = [at for at, turn in enumerate(turns) if said_by_user(turn) and not answers_tool(turn)]
    return places[-1] if places else None

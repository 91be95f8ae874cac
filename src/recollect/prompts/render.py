"""The one renderer of memories, for every prompt.

A block is a fence around a lead sentence and the entries, a blank line between them; equal input gives equal bytes.
An entry is a head line `[type] title (#id)` with the content below it. After the id, each behind a comma, stand the age
of what is stale and a mark on what an import, a tool or a file brought. What is longer than its share of the tokens is
cut, and a line says how much is missing. A last line of its own counts what was left out. `escape` says what keeps
titles and contents from being anything else, and how to read them back.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from recollect.domain.budget import allot, cut_to
from recollect.domain.record import Record
from recollect.domain.text import weigh, weight_of
from recollect.prompts.escape import escaped_content, escaped_title
from recollect.prompts.texts import Texts, texts

PINNED_TOKENS = 2_000  # of every prompt of an agent
_GAP = "\n\n"


class Block(NamedTuple):
    """Framed text, and for each record given whether it is in it."""

    text: str
    shown: Sequence[bool]


def memory_block(records: Sequence[Record], *, language: str, now: datetime, max_tokens: int | None = None) -> Block:
    """Return what was recalled, in the order given and framed, or nothing where no record fits."""
    words = texts(language)
    entries = [(record, _age(record, words, now)) for record in records]
    return _framed("memory-context", words.lead, entries, words, max_tokens)


def pinned_block(records: Sequence[Record], *, language: str, max_tokens: int = PINNED_TOKENS) -> str:
    """Return the pinned records within the tokens, framed, or nothing; the bytes change only when they do."""
    words = texts(language)
    return _framed("pinned-memory", words.pinned_lead, [(record, "") for record in records], words, max_tokens).text


def section(language: str) -> str:
    """Return what the system prompt says about memory, always the same."""
    words = texts(language)
    return f"{words.section}\n\n{words.guidance}"


def _framed(fence: str, lead: str, given: Sequence[tuple[Record, str]], words: Texts, max_tokens: int | None) -> Block:
    entries = [_entry(record, words, age) for record, age in given]
    if max_tokens is not None:
        more = _GAP + words.more.format(count=len(entries))
        budget = weight_of(max_tokens) - weigh(_in_frame(fence, [lead])) - weigh(more)
        weights = [weigh(_GAP + entry) for entry in entries]
        shares = allot(weights, budget)
        entries = [
            entry if share >= weight else _cut_entry(record, words, age, share)
            for (record, age), entry, weight, share in zip(given, entries, weights, shares, strict=True)
        ]
    shown = [bool(entry) for entry in entries]
    if not any(shown):
        return Block("", shown)
    left_out = shown.count(False)
    parts = [lead, *filter(None, entries), *([words.more.format(count=left_out)] if left_out else ())]
    return Block(_in_frame(fence, parts), shown)


def _in_frame(fence: str, parts: Sequence[str]) -> str:
    return f"<{fence}>\n{_GAP.join(parts)}\n</{fence}>"


def _cut_entry(record: Record, words: Texts, age: str, share: int) -> str:
    """Return the beginning of an entry with a line that says how much is missing, or "" when nothing of it fits."""
    size = len(record.content)
    frame = _entry(replace(record, content=""), words, age) + "\n" + words.cut.format(count=size)
    content = cut_to(record.content, share - weigh(_GAP + frame), escaped_content)
    if not content:
        return ""
    missing = words.cut.format(count=size - len(content.removesuffix("…")))
    return f"{_entry(replace(record, content=content), words, age)}\n{missing}"


def _entry(record: Record, words: Texts, age: str) -> str:
    mark = words.unverified if record.is_unverified else ""
    notes = ", ".join(filter(None, (f"#{record.id}", age, mark)))
    return f"[{record.type}] {escaped_title(record.name)} ({notes})\n{escaped_content(record.content)}"


def _age(record: Record, words: Texts, now: datetime) -> str:
    return words.age.format(days=record.age_days(now)) if record.is_stale(now) else ""

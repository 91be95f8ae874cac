"""The one renderer of memories, for every prompt.

A block is a fence around a lead sentence and the entries, a blank line between them; equal input gives equal bytes.
An entry is a head line `[type] title (#id)` with the content below it. After the id, each behind a comma, stand the age
of what is stale and a mark on what an import, a tool or a file brought. A last line of its own counts what was left
out. `escape` says what keeps titles and contents from being anything else, and how to read them back.
"""

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.record import Record
from recollect.domain.text import estimate_tokens
from recollect.prompts.escape import escaped_content, escaped_title
from recollect.prompts.texts import Texts, texts

PINNED_TOKENS = 2_000  # of every prompt of an agent


def memory_block(records: Sequence[Record], *, language: str, now: datetime, more: int = 0) -> str:
    """Return what was recalled, in the order given and framed, or nothing; `more` records were found but left out."""
    words = texts(language)
    entries = [_entry(record, words, _age(record, words, now)) for record in records]
    if entries and more > 0:
        entries.append(words.more.format(count=more))
    return _framed("memory-context", words.lead, entries)


def pinned_block(records: Sequence[Record], *, language: str, max_tokens: int = PINNED_TOKENS) -> str:
    """Return the first pinned records within the tokens, framed, or nothing; the bytes change only when they do."""
    words = texts(language)
    entries: list[str] = []
    for record in records:
        entry = _entry(record, words, "")
        max_tokens -= estimate_tokens(entry)
        if max_tokens < 0:
            entries.append(words.more.format(count=len(records) - len(entries)))
            break
        entries.append(entry)
    return _framed("pinned-memory", words.pinned_lead, entries)


def section(language: str) -> str:
    """Return what the system prompt says about memory, always the same."""
    words = texts(language)
    return f"{words.section}\n\n{words.guidance}"


def _framed(fence: str, lead: str, entries: list[str]) -> str:
    if not entries:
        return ""
    body = "\n\n".join([lead, *entries])
    return f"<{fence}>\n{body}\n</{fence}>"


def _entry(record: Record, words: Texts, age: str) -> str:
    mark = words.unverified if record.is_unverified else ""
    notes = ", ".join(filter(None, (f"#{record.id}", age, mark)))
    return f"[{record.type}] {escaped_title(record.name)} ({notes})\n{escaped_content(record.content)}"


def _age(record: Record, words: Texts, now: datetime) -> str:
    return words.age.format(days=record.age_days(now)) if record.is_stale(now) else ""

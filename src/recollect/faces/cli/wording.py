"""Values as a person reads them."""

from collections.abc import Mapping
from datetime import datetime

from recollect.domain.record import Record
from recollect.domain.text import age_text, cut
from recollect.domain.visible import visible
from recollect.faces.cli.texts import say

_TITLE = 60
_INDENT = "    "


def head(record: Record) -> dict[str, object]:
    """Return what names a record in a sentence."""
    return {"id": record.id, "type": record.type, "name": cut(record.name, _TITLE)}


def moment(at: datetime) -> str:
    """Return a moment in the time zone of this machine."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M")


def age(record: Record, now: datetime, language: str) -> str:
    """Return how long ago a record was changed."""
    return age_text(record.age_days(now), language)


def block(text: str) -> str:
    """Return a text of several lines, none of which can be taken for one of ours."""
    return "\n".join(_INDENT + line for line in visible(text).split("\n"))


def snippet(record: Record, limit: int) -> str:
    """Return the beginning of the text when it says more than the title does."""
    text = " ".join(record.content.split())
    return "" if text == record.name else cut(text, limit)


def sum_of(parts: Mapping[str, float] | None, language: str) -> str:
    """Return what a score is made of."""
    return " + ".join(f"{say(f'column_{name}', language)} {value:.2f}" for name, value in (parts or {}).items())

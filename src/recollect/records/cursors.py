"""Cursors of pages: the number that the next page begins below, as a word that callers hand back unread."""

import base64
import binascii

from recollect.domain.errors import Invalid


def write_cursor(number: int) -> str:
    """Return the cursor of a page that ended with `number`."""
    return base64.urlsafe_b64encode(f"id:{number}".encode()).decode().rstrip("=")


def read_cursor(cursor: str | None, *, newest: int) -> int:
    """Return the number in a cursor, or `newest` where there is none."""
    if cursor is None:
        return newest
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().removeprefix("id:")
    except (binascii.Error, UnicodeError, ValueError, TypeError) as problem:
        raise Invalid("bad_cursor", "cursor") from problem
    if not (text.isascii() and text.isdigit() and len(text) < 20 and 0 < int(text) <= newest):
        raise Invalid("bad_cursor", "cursor")
    return int(text)

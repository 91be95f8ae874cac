"""Rules for what may enter, each naming the field that breaks it; pure."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from recollect.domain.errors import Invalid, NotFound
from recollect.domain.visible import is_blank

LIMIT_RANGE = (1, 100)
ID_MAX = 2**53 - 1
METADATA_LIMIT = 16_384
METADATA_DEPTH = 16
LABEL_COUNT = 32
LABEL_LIMIT = 64


def check_text(value: object, *, path: str, limit: int) -> str:
    """Return `value` when it is text of at most `limit` characters that every database can keep."""
    if not isinstance(value, str):
        raise Invalid("not_text", path)
    if len(value) > limit:
        raise Invalid("too_long", path, length=len(value), limit=limit)
    if "\x00" in value:
        raise Invalid("bad_character", path, name="NUL, U+0000")
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as problem:
            raise Invalid("bad_character", path, name=f"U+{ord(value[problem.start]):04X}") from problem
    return value


def check_choice(value: object, allowed: Iterable[str], *, path: str) -> str:
    """Return `value` when it is one of `allowed`."""
    if not isinstance(value, str) or value not in allowed:
        raise Invalid("not_one_of", path, given=repr(value), allowed=", ".join(allowed))
    return value


def check_whole(value: object, *, path: str) -> int:
    """Return `value` as an integer when it is a whole number; true is not a number here."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Invalid("not_whole", path, given=repr(value))
    if isinstance(value, float) and not value.is_integer():
        raise Invalid("not_whole", path, given=repr(value))
    return int(value)


def check_list(value: object, *, path: str) -> Iterable[object]:
    """Return `value` when it gives one thing after the other; a text and a single object do not."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise Invalid("not_list", path, given=type(cast("object", value)).__name__)
    return cast("Iterable[object]", value)


def plain_object(value: object) -> Mapping[str, Any] | None:
    """Return an object as plain data, also one of a model vendor's package; None when it is none."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value)
    dump = getattr(value, "model_dump", None)
    # Unset fields are the package's, not the API's; its warnings are about types that streaming leaves half filled in.
    return None if dump is None else dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)


def check_limit(value: object, *, path: str = "limit") -> int:
    """Return a whole number clamped to what one answer may hold."""
    low, high = LIMIT_RANGE
    return min(high, max(low, check_whole(value, path=path)))


def check_range(value: object, low: int, high: int, *, path: str) -> int:
    """Return a whole number between `low` and `high`."""
    whole = check_whole(value, path=path)
    if not low <= whole <= high:
        raise Invalid("out_of_range", path, given=whole, low=low, high=high)
    return whole


def check_budget(value: object, *, path: str) -> int:
    """Return a whole number that is not below zero."""
    whole = check_whole(value, path=path)
    if whole < 0:
        raise Invalid("bound_ge", path, given=whole, limit=0)
    return whole


def check_score(value: object, *, path: str) -> float:
    """Return a number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise Invalid("bad_score", path)
    return float(value)


def check_flag(value: object, *, path: str) -> bool:
    """Return a boolean, nothing that merely looks like one."""
    if not isinstance(value, bool):
        raise Invalid("not_boolean", path)
    return value


def check_moment(value: object, *, path: str) -> datetime | None:
    """Return an aware moment in UTC from a datetime or ISO 8601 text; None stays None."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError as problem:
            raise Invalid("not_moment", path) from problem
    if not isinstance(value, datetime):
        raise Invalid("not_moment", path)
    if value.tzinfo is None:
        raise Invalid("naive_moment", path)
    try:
        return value.astimezone(UTC)
    except OverflowError as problem:
        raise Invalid("not_moment", path) from problem


def check_id(value: object, *, path: str = "id") -> int:
    """Return a record's number from an integer or its text; one that cannot exist is simply not found."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 40:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Invalid("not_id", path, given=repr(value)[:60])
    if not 0 < value <= ID_MAX:
        raise NotFound("record_missing", path, id=value)
    return value


def check_labels(value: object, *, path: str = "labels") -> tuple[str, ...]:
    """Return distinct labels in the order given."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise Invalid("not_text", path)
    labels: dict[str, None] = {}
    for at, label in enumerate(cast("Iterable[object]", value)):
        text = check_text(label, path=f"{path}[{at}]", limit=LABEL_LIMIT).strip()
        if is_blank(text):
            raise Invalid("blank", f"{path}[{at}]")
        labels[text] = None
        if len(labels) > LABEL_COUNT:
            raise Invalid("too_many", path, count=len(labels), limit=LABEL_COUNT)
    return tuple(labels)


def check_metadata(value: object, *, path: str = "metadata") -> Mapping[str, Any]:
    """Return a JSON object of at most 16 KiB, read back from its own JSON so that nobody shares it."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise Invalid("not_object", path)
    _check_json(cast("object", value), path, METADATA_DEPTH)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    check_text(text, path=path, limit=METADATA_LIMIT)
    return json.loads(text)


def _check_json(value: object, path: str, depth: int) -> None:
    if depth == 0:
        raise Invalid("not_json", path, problem=f"more than {METADATA_DEPTH} levels")
    if isinstance(value, Mapping):
        for key, item in cast("Mapping[object, object]", value).items():
            if not isinstance(key, str):
                raise Invalid("not_object", path)
            check_text(key, path=path, limit=METADATA_LIMIT)
            _check_json(item, f"{path}.{key}", depth - 1)
    elif isinstance(value, list | tuple):
        for at, item in enumerate(cast("Sequence[object]", value)):
            _check_json(item, f"{path}[{at}]", depth - 1)
    else:
        _check_json_leaf(value, path)


def _check_json_leaf(value: object, path: str) -> None:
    if isinstance(value, str):
        check_text(value, path=path, limit=METADATA_LIMIT)
    elif isinstance(value, float) and not math.isfinite(value):
        raise Invalid("not_json", path, problem=repr(value))
    elif value is not None and not isinstance(value, bool | int | float):
        raise Invalid("not_json", path, problem=type(value).__name__)

"""What may be bound to a query: values of the kinds and sizes that every server can keep."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from recollect.domain.errors import StorageError

_LARGEST = 2**63
NAMED = re.compile(r"%\((\w+)\)s")  # a parameter as the drivers of servers write it


def bound(query: str, params: Mapping[str, object]) -> Mapping[str, object]:
    """Return the parameters when each is there and of a kind that every server can keep."""
    for name, value in params.items():
        _check_value(name, value)
    missing = _parameters(query).difference(params)
    if missing:
        raise StorageError("database_failed", problem=f"no value for {', '.join(sorted(missing))}")
    return params


@cache
def _parameters(query: str) -> frozenset[str]:
    return frozenset(NAMED.findall(query))


def check_column(name: str, values: list[Any]) -> None:
    """Check many values at once where they are of one kind."""
    kinds = set(map(type, values))
    if kinds == {int}:
        values = [min(values), max(values)]
    elif kinds == {str}:
        values = ["".join(values)]
    for value in values:
        _check_value(name, value)


def _check_value(name: str, value: object) -> None:
    if value is None or isinstance(value, bytes):
        return
    if isinstance(value, str):
        if value.isascii():
            return
        try:
            value.encode()
        except UnicodeEncodeError as problem:
            raise StorageError("database_failed", problem=str(problem)) from problem
    elif isinstance(value, list):
        check_column(name, cast("list[Any]", value))
    elif not isinstance(value, int) or not -_LARGEST <= value < _LARGEST:
        raise StorageError("database_failed", problem=f"{name} cannot be {type(value).__name__} of this size")

"""Named queries and numbered migrations, read from the files beside this module."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

PARAMETER = re.compile(r"(?<!:):(\w+)")  # not the cast ::text
LIST = re.compile(r"\bin :(\w+)")  # a parameter that is a list stands behind `in`

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)
_COMMENT = re.compile(r"^--.*$", re.MULTILINE)
_MIGRATION = re.compile(r"^(\d{4})_(\w+)\.sql$")


class Migration(NamedTuple):
    """One step of a schema."""

    number: int
    name: str
    script: str


@cache
def load_queries(dialect: str) -> Mapping[str, str]:
    """Return the queries of `dialect` by name: the common ones, then its own in their place."""
    queries: dict[str, str] = {}
    for file in ("common.sql", f"{dialect}.sql"):
        text = files("recollect.storage").joinpath("queries", file).read_text(encoding="utf-8")
        pieces = _NAME.split(text)[1:]
        for name, body in zip(pieces[::2], pieces[1::2], strict=True):
            queries[name] = _COMMENT.sub("", body).strip()
    return queries


@cache
def load_migrations(dialect: str) -> tuple[Migration, ...]:
    """Return the migrations of `dialect` in the order of their numbers, which start at 1 and leave no gap."""
    found: list[Migration] = []
    for file in files("recollect.storage").joinpath("migrations", dialect).iterdir():
        match = _MIGRATION.match(file.name)
        if match:
            found.append(Migration(int(match[1]), match[2], file.read_text(encoding="utf-8")))
    found.sort()
    return tuple(found)

"""Postings: which term stands how often in which record of an owner."""

import json
import sys
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from recollect.storage.backend import Database, Row


class Indexed(NamedTuple):
    """The terms of one record, by field, and how many there are in all."""

    name: Mapping[str, int]
    description: Mapping[str, int]
    content: Mapping[str, int]

    @property
    def length(self) -> int:
        """Return the number of terms, repeated ones counted."""
        return sum(self.name.values()) + sum(self.description.values()) + sum(self.content.values())

    def to_json(self) -> str:
        """Return an object of all terms: how often one stands in the content, or a list of that for each field."""
        headed = {**self.name, **self.description}
        lists = {term: [field.get(term, 0) for field in self] for term in headed}
        return json.dumps({**self.content, **lists}, ensure_ascii=False)


class Probe(NamedTuple):
    """How many of the newest rows of a term were seen, at most the cap, and the id of the oldest of them."""

    seen: int
    oldest_id: int | None


class PostingTable:
    """The postings of all owners; ranking them is not its business."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner_no: int, entries: Iterable[tuple[int, Indexed]]) -> None:
        """Insert the terms of records."""
        rows = ((owner_no, record_id, indexed.length, indexed.to_json()) for record_id, indexed in entries)
        self._database.many("posting_add", rows)

    def remove(self, owner_no: int, record_id: int, indexed: Indexed) -> None:
        """Take the terms of one record away."""
        terms = _listed({*indexed.name, *indexed.description, *indexed.content})
        self._database.run("posting_remove", owner_no=owner_no, terms=terms, id=record_id)

    def meet(self, owner_no: int, terms: Iterable[str], cap: int, limit: int) -> list[int]:
        """Return the records that hold half of `terms` or more, best first; a term of `cap` records does not count."""
        rows = self._database.all("posting_meet", owner_no=owner_no, terms=_listed(terms), cap=cap, limit=limit)
        return [row[0] for row in rows]

    def probe(self, owner_no: int, terms: Iterable[str], cap: int) -> dict[str, Probe]:
        """Return for each term how many rows it has, counted up to `cap`."""
        rows = self._database.all("posting_probe", owner_no=owner_no, terms=_listed(terms), cap=cap)
        return {row[0]: Probe(row[1], row[2]) for row in rows}

    def find(self, owner_no: int, terms: Iterable[str]) -> list[Row]:
        """Return every row of `terms` as (term, id, tf_name, tf_description, tf_content, length)."""
        return self._database.all("posting_find", owner_no=owner_no, terms=_listed(terms))

    def beginning(self, owner_no: int, term: str, limit: int) -> list[Row]:
        """Return what the first `limit` rows of terms that begin with one say together, as rows of that one."""
        rows = self._database.all(
            "posting_beginning", owner_no=owner_no, term=term, end=term + chr(sys.maxunicode), limit=limit
        )
        return [(term, *row) for row in rows]

    def newest(self, owner_no: int, term: str, limit: int) -> list[Row]:
        """Return the newest rows of one term, in the form of `find`."""
        return self._database.all("posting_newest", owner_no=owner_no, term=term, limit=limit)


def _listed(terms: Iterable[str]) -> str:
    return json.dumps(list(terms), ensure_ascii=False)

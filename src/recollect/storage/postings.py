"""Postings: which term stands how often in which record of an owner."""

import sys
from collections.abc import Iterable, Mapping
from itertools import islice, repeat
from operator import itemgetter
from typing import NamedTuple

from recollect.storage.backend import Database, Row

_SLICE = 1_000  # records whose rows are held at a time
_TERM = itemgetter(1)


class Indexed(NamedTuple):
    """The terms of one record, by field, and how many there are in all."""

    name: Mapping[str, int]
    description: Mapping[str, int]
    content: Mapping[str, int]

    @property
    def length(self) -> int:
        """Return the number of terms, repeated ones counted."""
        return sum(self.name.values()) + sum(self.description.values()) + sum(self.content.values())


class Probe(NamedTuple):
    """How many of the newest rows of a term were seen, at most the cap, and the id of the oldest of them."""

    seen: int
    oldest_id: int | None


class PostingTable:
    """The postings of all owners; ranking them is not its business."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner_no: int, entries: Iterable[tuple[int, Indexed]]) -> None:
        """Insert the terms of records, a slice at a time in the order in which the table keeps them."""
        left = iter(entries)
        while batch := list(islice(left, _SLICE)):
            self._database.many("posting_add", _rows(owner_no, batch))

    def remove(self, owner_no: int, record_id: int, indexed: Indexed) -> None:
        """Take the terms of one record away."""
        terms = sorted({*indexed.name, *indexed.description, *indexed.content})
        self._database.run("posting_remove", owner_no=owner_no, terms=terms, id=record_id)

    def probe(self, owner_no: int, terms: Iterable[str], cap: int) -> dict[str, Probe]:
        """Return for each term how many rows it has, counted up to `cap`."""
        rows = self._database.all("posting_probe", owner_no=owner_no, terms=list(terms), cap=cap, oldest=cap - 1)
        return {row[0]: Probe(row[1], row[2]) for row in rows}

    def find(self, owner_no: int, terms: Iterable[str]) -> list[Row]:
        """Return every row of `terms` as (term, id, tf_name, tf_description, tf_content, length)."""
        return self._database.all("posting_find", owner_no=owner_no, terms=list(terms))

    def beginning(self, owner_no: int, term: str, limit: int) -> list[Row]:
        """Return what the first `limit` rows of terms that begin with one say together, as rows of that one."""
        rows = self._database.all(
            "posting_beginning", owner_no=owner_no, term=term, end=term + chr(sys.maxunicode), limit=limit
        )
        return [(term, *row) for row in rows]

    def newest(self, owner_no: int, term: str, limit: int) -> list[Row]:
        """Return the newest rows of one term, in the form of `find`."""
        return self._database.all("posting_newest", owner_no=owner_no, term=term, limit=limit)


def _rows(owner_no: int, entries: Iterable[tuple[int, Indexed]]) -> list[Row]:
    """Return the rows of some records by term, then as the records come."""
    rows: list[Row] = []
    for record_id, indexed in entries:
        name, description, content = indexed
        length = indexed.length
        headed = {**name, **description}
        plain = {term: count for term, count in content.items() if term not in headed}
        rows.extend(
            zip(repeat(owner_no), plain, repeat(record_id), repeat(0), repeat(0), plain.values(), repeat(length))
        )
        for term in headed:
            counts = (name.get(term, 0), description.get(term, 0), content.get(term, 0))
            rows.append((owner_no, term, record_id, *counts, length))
    rows.sort(key=_TERM)
    return rows

"""Postings: which term stands how often in which record of an owner."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


class Probe(NamedTuple):
    """How many of the newest rows of a term were seen, at most the cap, and the id of the oldest of them."""

    seen: int
    oldest_id: int | None


class PostingTable:
    """The postings of all owners; ranking them is not its business."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, owner_no: int, entries: Iterable[tuple[int, Indexed]]) -> None:
        """Insert the terms of records, in the order in which the table keeps them."""
        self._database.many("posting_add", _rows(owner_no, list(entries)))

    def remove(self, owner_no: int, record_id: int, indexed: Indexed) -> None:
        """Take the terms of one record away."""
        terms = sorted({*indexed.name, *indexed.description, *indexed.content})
        self._database.many("posting_remove", [(owner_no, term, record_id) for term in terms])

    def probe(self, owner_no: int, terms: Iterable[str], cap: int) -> dict[str, Probe]:
        """Return for each term how many rows it has, counted up to `cap`."""
        rows = self._database.all("posting_probe", owner_no=owner_no, terms=_listed(terms), cap=cap)
        return {row[0]: Probe(row[1], row[2]) for row in rows}

    def find(self, owner_no: int, terms: Iterable[str]) -> list[Row]:
        """Return every row of `terms` as (term, id, tf_name, tf_description, tf_content, length)."""
        return self._database.all("posting_find", owner_no=owner_no, terms=_listed(terms))

    def newest(self, owner_no: int, term: str, limit: int) -> list[Row]:
        """Return the newest rows of one term, in the form of `find`."""
        return self._database.all("posting_newest", owner_no=owner_no, term=term, limit=limit)


def _listed(terms: Iterable[str]) -> str:
    return json.dumps(list(terms), ensure_ascii=False)


def _rows(owner_no: int, entries: Sequence[tuple[int, Indexed]]) -> Iterator[Row]:
    """Yield the rows of a batch, of which nothing but numbers is held at any time."""
    holders: defaultdict[str, list[int]] = defaultdict(list)
    for at, (_, indexed) in enumerate(entries):
        for term in {**indexed.content, **indexed.name, **indexed.description}:
            holders[term].append(at)
    lengths = [indexed.length for _, indexed in entries]
    for term in sorted(holders):
        for at in holders[term]:
            record_id, (name, description, content) = entries[at]
            yield (
                owner_no,
                term,
                record_id,
                name.get(term, 0),
                description.get(term, 0),
                content.get(term, 0),
                lengths[at],
            )

"""An owner's rows as they stand in each table, to be read, written and compared."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from recollect.storage.backend import Database, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One table. Its rows come in the order of the columns in `start`, which are their first ones, a page at a time."""

    name: str
    start: Mapping[str, object]
    page: int
    add: str = ""

    def pages(self, database: Database, owner_no: int, agent: str) -> Iterator[list[Row]]:
        """Yield the rows of an owner, of one agent or with * all."""
        after = dict(self.start)
        limit = {"limit": self.page} if after else {}
        while True:
            rows = database.all(f"copy_read_{self.name}", owner_no=owner_no, agent=agent, **after, **limit)
            if rows:
                yield rows
            if not after or len(rows) < self.page:
                return
            after = dict(zip(after, rows[-1], strict=False))

    def write(self, database: Database, owner_no: int, rows: list[Row]) -> None:
        """Add rows to an owner."""
        database.many(self.add or f"copy_add_{self.name}", [(owner_no, *row) for row in rows])


PARTS = (
    Part(name="records", start={"id": 0}, page=200, add="record_add"),
    Part(name="revisions", start={"id": 0}, page=500, add="revision_add"),
    Part(name="runs", start={"id": 0}, page=500),
    Part(name="tombstones", start={}, page=0),
    Part(name="jobs", start={"id": 0}, page=500),
    Part(name="postings", start={"term": "", "id": 0}, page=10_000, add="posting_add"),
    Part(name="recalls", start={"id": 0}, page=500),
    Part(name="vectors", start={"id": 0, "model": "", "dimension": 0}, page=500, add="vector_add"),
    Part(name="tuning", start={}, page=0),
)
"""Everything that belongs to an owner. A new table takes its place here, with its two queries."""

PASSING = ("jobs", "recalls", "vectors")
"""What comes and goes by itself, or is made again from the rest, though nobody changes a memory."""


class Digest:
    """How many rows there are, and a hash that is the same for the same rows in any database."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash: Any = hashlib.sha256()

    def add(self, rows: list[Row]) -> None:
        """Count rows in; they hold whole numbers, texts, bytes and None, which every driver gives alike."""
        self.rows += len(rows)
        self._hash.update("".join(f"{row!r}\n" for row in rows).encode())

    @property
    def sha256(self) -> str:
        """The hash of everything so far."""
        return self._hash.hexdigest()


def digest_of(part: Part, database: Database, owner_no: int, agent: str = "*") -> Digest:
    """Read a table of an owner."""
    digest = Digest()
    for rows in part.pages(database, owner_no, agent):
        digest.add(rows)
    return digest

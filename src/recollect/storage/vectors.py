"""Vectors as rows, and what finding has learnt of an owner. What the bytes mean is known where vectors are made."""

import secrets
from collections.abc import Iterable
from typing import NamedTuple

from recollect.storage.backend import Database, Row

_MARK_BITS = 62


class Maker(NamedTuple):
    """What made vectors: a model and the length of its vectors. Only vectors of one maker are compared."""

    model: str
    dimension: int


class Tuning(NamedTuple):
    """What finding has learnt of an owner; a mark of 0 says nothing about the vectors."""

    vectors_mark: int = 0
    floors: str = ""


class VectorTable:
    """The vectors of all owners. They are derived: whoever loses them embeds the texts again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, owner_no: int, maker: Maker, vectors: Iterable[tuple[int, str, bytes]]) -> None:
        """Write vectors, as (id, form, vector), in the place of those that the same maker made before."""
        rows = list(vectors)
        self._database.run("vector_replace", owner_no=owner_no, ids=[row[0] for row in rows], **maker._asdict())
        self._database.many("vector_add", ((owner_no, id, *maker, form, vector) for id, form, vector in rows))
        self.mark(owner_no)

    def remove(self, owner_no: int, record_ids: Iterable[int]) -> None:
        """Take every vector of some records away."""
        if self._database.run("vector_remove", owner_no=owner_no, ids=list(record_ids)):
            self.mark(owner_no)

    def keep_only(self, owner_no: int, maker: Maker) -> None:
        """Take away what other makers have made of an owner's records."""
        if self._database.run("vector_keep", owner_no=owner_no, **maker._asdict()):
            self.mark(owner_no)

    def makers(self, owner_no: int) -> dict[Maker, int]:
        """Return who has made vectors for an owner, and of how many records."""
        rows = self._database.all("vector_models", owner_no=owner_no)
        return {Maker(row[0], row[1]): row[2] for row in rows}

    def of_owner(self, owner_no: int, maker: Maker) -> list[Row]:
        """Return every vector of a maker for an owner, as (id, vector, form, agent, session, kind, space), by id."""
        return self._database.all("vector_find", owner_no=owner_no, **maker._asdict())

    def missing(self, owner_no: int, maker: Maker, limit: int, after: int = 0) -> list[int]:
        """Return the next active records of an owner of which a maker has made no vector."""
        what = {**maker._asdict(), "after": after, "limit": limit}
        return [row[0] for row in self._database.all("vector_missing", owner_no=owner_no, **what)]

    def count_missing(self, maker: Maker) -> int:
        """Return how many active records of all owners have no vector of a maker."""
        row = self._database.one("vector_missing_count", **maker._asdict())
        return int(row[0]) if row else 0

    def count_orphans(self) -> int:
        """Return how many vectors there are of records that are gone or not active."""
        row = self._database.one("vector_orphaned")
        return int(row[0]) if row else 0

    def tuning(self, owner_no: int) -> Tuning:
        """Return what finding has learnt of an owner. The mark is another one whenever the vectors are."""
        row = self._database.one("tuning_get", owner_no=owner_no)
        return Tuning(*row) if row else Tuning()

    def put_floors(self, owner_no: int, floors: str) -> None:
        """Note from where on an answer counts for an owner."""
        self._database.run("tuning_floors", owner_no=owner_no, floors=floors)

    def mark(self, owner_no: int) -> None:
        """Note that an owner's vectors are not what they were."""
        # Drawn, not counted: an owner who is erased and comes back never meets a mark of before.
        self._database.run("tuning_mark", owner_no=owner_no, vectors_mark=secrets.randbits(_MARK_BITS) + 1)

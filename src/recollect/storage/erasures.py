"""Erasing an owner: every place that holds something of theirs, counted and emptied."""

from datetime import datetime

from recollect.domain import clock
from recollect.storage.backend import Database

PLACES: tuple[str, ...] = (
    "postings",
    "vectors",
    "tuning",
    "records",
    "revisions",
    "runs",
    "tombstones",
    "jobs",
    "recalls",
    "owners",
)


class ErasureTable:
    """What is left of erased owners: one row each, a keyed hash and a moment."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def count(self, owner_no: int) -> dict[str, int]:
        """Return how many rows each place holds of an owner."""
        rows = {place: self._database.one(f"count_{place}", owner_no=owner_no) for place in PLACES}
        return {place: int(row[0]) if row else 0 for place, row in rows.items()}

    def erase(self, owner_no: int) -> None:
        """Delete every row of an owner."""
        for place in PLACES:
            self._database.run(f"erase_{place}", owner_no=owner_no)

    def put(self, owner_mac: bytes, at: datetime) -> None:
        """Remember that an owner was erased."""
        self._database.run("erasure_put", owner_mac=owner_mac, at=clock.to_micros(at))

    def get(self, owner_mac: bytes) -> datetime | None:
        """Return when an owner was erased."""
        row = self._database.one("erasure_get", owner_mac=owner_mac)
        return clock.from_micros(row[0]) if row else None

    def lift(self, owner_mac: bytes) -> None:
        """Forget that an owner was erased, since a person saves there again."""
        self._database.run("erasure_lift", owner_mac=owner_mac)

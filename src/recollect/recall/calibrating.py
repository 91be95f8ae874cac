"""From where on an answer counts: learnt from questions that the owner's own words ask and no record can answer."""

import json
from collections.abc import Iterator
from random import Random
from typing import Final

from recollect.domain.analysis import ANALYSER_VERSION, FULL_WEIGHT, is_opening, query_terms
from recollect.domain.cards import script_of
from recollect.domain.query import Query
from recollect.domain.record import Record
from recollect.domain.scope import Scope
from recollect.recall.dense import FEWEST, Dense, Learnt
from recollect.recall.evidence import gather
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState

PROBES: Final = 200
_TRIES = 4  # for each probe: two terms that meet in a record ask nothing
_SHARE = 0.90  # of the probes stay below the floor: decision 6
_LOWEST, _HIGHEST = 0.45, 0.60
_COMMON = 4  # a term in more than this part of the records tells nothing
_SEEN = 400  # records whose words are used
_FRAMES = {"han": "{}的{}是什么?", "latin": "What is the {} of {}?"}


class Calibrating:
    """Learns an owner's floor and keeps it, for one model and one version of the analyser."""

    def __init__(self, tables: Tables, dense: Dense) -> None:
        self._tables = tables
        self._dense = dense

    def calibrate(self, owner_no: int) -> float | None:
        """Ask the probes, keep the floor and return it; None where there is too little to learn from."""
        scope, owner = self._tables.owners.scope_of(owner_no), self._tables.owners.by_no(owner_no)
        if scope is None or owner is None or owner.active_count < FEWEST:
            return None
        probes = list(self._probes(scope, owner))
        if len(probes) < FEWEST:
            return None
        best = sorted(self._best(scope, owner, text) for text in probes)
        floor = round(min(_HIGHEST, max(_LOWEST, best[int(_SHARE * len(best))])), 3)
        floors = {"analyser": ANALYSER_VERSION, "model": self._dense.model, "count": owner.active_count, "floor": floor}
        with self._tables.database.transaction():
            if self._tables.owners.hold(scope.owner_id) is not None:
                self._tables.vectors.put_floors(owner_no, json.dumps(floors))
        return floor

    def catch_up(self, owner_no: int) -> None:
        """Learn the floor of an owner for whom none holds."""
        owner = self._tables.owners.by_no(owner_no)
        learnt = Learnt.read(self._tables.vectors.tuning(owner_no).floors, self._dense.model)
        if owner is not None and not learnt.fits(owner.active_count):
            self.calibrate(owner_no)

    def _best(self, scope: Scope, owner: OwnerState, text: str) -> float:
        evidence = gather(self._tables, self._dense, scope, owner, Query(text=text))
        for problem in evidence.failed.values():
            raise problem
        return max(map(evidence.worth, evidence.candidates()), default=0.0)

    def _probes(self, scope: Scope, owner: OwnerState) -> Iterator[str]:
        """Yield questions made of two terms that stand in different records, and in no record together."""
        chance = Random(owner.active_count)
        ids = chance.sample(range(1, owner.next_record), min(_SEEN, owner.next_record - 1))
        records = self._tables.records.get_many(owner.no, scope, ids)
        words = [found for _, record in sorted(records.items()) if (found := _words(record))]
        given = 0
        for _ in range(PROBES * _TRIES if len(words) > 1 else 0):
            one, other = (chance.choice(found) for found in chance.sample(words, 2))
            if given < PROBES and not self._meet(owner, one, other):
                given += 1
                yield _FRAMES[script_of(f"{one} {other}")].format(one, other)

    def _meet(self, owner: OwnerState, one: str, other: str) -> bool:
        rows = self._tables.postings.find(owner.no, [one, other])
        holders = [{row[1] for row in rows if row[0] == term} for term in (one, other)]
        common = owner.active_count // _COMMON
        return one == other or not holders[0].isdisjoint(holders[1]) or max(map(len, holders)) > common


def _words(record: Record) -> list[str]:
    if record.status != "active":
        return []
    asked = query_terms(record.content)
    terms = {term.variants[0] for term in asked if term.weight >= FULL_WEIGHT}
    return sorted(term for term in terms if not is_opening(term))

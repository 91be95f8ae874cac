"""What speaks for each record: how much of a question it covers, and how near it is in meaning."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from recollect.domain import clock
from recollect.domain.analysis import QUERY_LENGTH, query_terms
from recollect.domain.errors import RecollectError
from recollect.domain.frames import is_small_talk
from recollect.domain.periods import Period, find_periods
from recollect.domain.query import Query
from recollect.domain.ranking import DECIMALS, PLAINLY, TIMELY, boosts, closeness_floor
from recollect.domain.scope import Scope
from recollect.recall.candidates import lexical
from recollect.recall.dense import Dense, Near
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState

Parts = dict[str, float]

COVERAGE_FLOOR = 0.30


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What both arms found among `count` records. A record without a vector is scored by its words alone."""

    count: int
    coverage: Mapping[int, float]
    near: Near = field(default_factory=Near)
    sources: Mapping[str, str]
    failed: Mapping[str, RecollectError] = field(default_factory=dict[str, RecollectError])
    periods: tuple[Period, ...] = ()

    def candidates(self) -> list[int]:
        """Return the records that an arm names, by what they are worth before anything is read of them."""
        ids = sorted(self._worths, reverse=True)
        return sorted(ids, key=self._worths.__getitem__, reverse=True)

    def parts(self, record_id: int) -> dict[str, float]:
        """Return what each arm adds to the score of a record."""
        covered, close = self.coverage.get(record_id, 0.0), self.near.closeness.get(record_id)
        if close is None:
            return {"lexical": covered}
        weight = self.near.weight
        return {"lexical": round((1 - weight) * covered, DECIMALS), "dense": round(weight * close, DECIMALS)}

    def boosts(self, created_at: datetime, updated_at: datetime, importance: int, pinned: bool, now: datetime) -> Parts:
        """Return the parts of a score that the record itself earns; one counts only where the question names a time."""
        earned = boosts(clock.days_between(updated_at, now), importance, pinned)
        if self.periods:
            met = [one.certainty for one in self.periods if one.since <= created_at < one.until]
            earned["timely"] = round(TIMELY * max(met, default=0.0), DECIMALS)
        return earned

    def worth(self, record_id: int) -> float:
        """Return what both arms add to the score of a record."""
        return self._worths.get(record_id, 0.0)

    @cached_property
    def _worths(self) -> dict[int, float]:
        """What the candidates are worth, all at once: there may be thousands."""
        closeness, weight = self.near.closeness, self.near.weight
        worths = dict(self.coverage)
        for record_id in self.near.candidates | self.coverage.keys() & closeness.keys():
            covered = round((1 - weight) * worths.get(record_id, 0.0), DECIMALS)
            worths[record_id] = round(covered + round(weight * closeness[record_id], DECIMALS), DECIMALS)
        return worths

    @property
    def floor(self) -> float:
        """The score from which on a record counts: the owner's, else the fixed one."""
        return COVERAGE_FLOOR if self.near.floor is None else self.near.floor

    def counts(self, record_id: int) -> bool:
        """Tell whether a record has to do with the question at all: by itself, or as much as one that does."""
        return self._relates(record_id) or self.worth(record_id) >= self._least

    @cached_property
    def _least(self) -> float:
        """The least worth of what counts by being near: nothing that is worth more is held back beside it."""
        return min((self.worth(one) for one in self.near.candidates if self._relates(one)), default=math.inf)

    def _relates(self, record_id: int) -> bool:
        """Tell whether a record counts by itself.

        Once the owner's floor is learnt, sharing words is not enough: a name alone is shared with many. What shares
        hardly any word has to be near.
        """
        covered, close = self.coverage.get(record_id, 0.0), self.near.closeness.get(record_id)
        if self.near.floor is None or close is None:
            return covered >= COVERAGE_FLOOR or (close is not None and close >= closeness_floor(self.count))
        if self.worth(record_id) >= self.near.floor or max(covered, close) >= PLAINLY:
            return True
        return covered < COVERAGE_FLOOR and close >= closeness_floor(self.count)


def gather(tables: Tables, dense: Dense | None, scope: Scope, owner: OwnerState, query: Query) -> Evidence:
    """Ask both arms; of one that fails the answer says so, and the other answers alone."""
    coverage = lexical(tables, owner, query.text).coverage
    sources = {"lexical": f"{len(coverage)} of {owner.active_count}"}
    failed: dict[str, RecollectError] = {}
    near = Near()
    if dense is not None and query_terms(query.text) and not is_small_talk(query.text):
        try:
            near = dense.search(scope, owner, query, coverage)
            sources["dense"] = near.source
        except RecollectError as problem:
            sources["dense"], failed["dense"] = problem.key, problem
    periods = find_periods(query.text[:QUERY_LENGTH], clock.now(), clock.zone())
    count = owner.active_count
    return Evidence(count=count, coverage=coverage, near=near, sources=sources, failed=failed, periods=periods)

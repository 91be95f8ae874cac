"""From evidence to an order: reads as few records as can change the answer."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from recollect.domain import clock
from recollect.domain.query import Hit, LeftOut, Query, Reason
from recollect.domain.ranking import IMPORTANCE, PINNED, RECENCY, boosts, score
from recollect.domain.record import Record
from recollect.domain.scope import Scope
from recollect.recall.evidence import Evidence
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState

NEAREST_MISSES = 3
LEFT_OUT = 20
_MOST_BOOSTS = RECENCY + IMPORTANCE + PINNED
_SLICE = 64


@dataclass(slots=True)
class Ranked:
    """Hits in their order as far as it can matter, and the misses worth naming."""

    hits: list[Hit] = field(default_factory=list[Hit])
    missed: list[LeftOut] = field(default_factory=list[LeftOut])

    def misses(self, reason: Reason) -> int:
        """Return how many were missed for a reason."""
        return sum(out.reason == reason for out in self.missed)


class Ordering:
    """Puts the candidates of one question in order."""

    def __init__(self, tables: Tables, scope: Scope, owner: OwnerState, query: Query, now: datetime) -> None:
        self._tables = tables
        self._scope = scope
        self._owner = owner
        self._query = query
        self._now = now

    def rank(self, evidence: Evidence) -> Ranked:
        """Return the best records of this scope for the question."""
        order = evidence.candidates()
        worth = {record_id: evidence.worth(record_id) for record_id in order}
        counting = [record_id for record_id in order if self._may_count(evidence, record_id, worth[record_id])]
        ranked = Ranked()
        first = self._query.limit + NEAREST_MISSES
        for zone in _zones(counting, worth, first):
            if self._settled(ranked.hits, worth[zone[0]]):
                break
            for ids in _slices(self._by_score(zone, evidence) if len(zone) > first else zone, first):
                self._judge(ids, evidence, ranked)
                if len(ranked.hits) >= self._query.limit:
                    break
            ranked.hits.sort(key=lambda hit: (-hit.score, -hit.record.id))
        if len(ranked.hits) < self._query.limit:
            self._look_for_misses([one for one in order if one not in set(counting)], evidence, ranked)
        return ranked

    def _may_count(self, evidence: Evidence, record_id: int, worth: float) -> bool:
        if self._query.min_score is None:
            return evidence.counts(record_id)
        return worth + _MOST_BOOSTS >= self._query.min_score

    def _settled(self, hits: Sequence[Hit], next_worth: float) -> bool:
        """Tell whether no later candidate can change what is given."""
        return len(hits) >= self._query.limit and next_worth + _MOST_BOOSTS < hits[self._query.limit - 1].score

    def _by_score(self, zone: Sequence[int], evidence: Evidence) -> list[int]:
        """Return the records of this scope among many candidates, best first, without reading their words."""
        scores: dict[int, float] = {}
        for record_id, updated_at, importance, pinned in self._tables.records.standings(
            self._owner.no, self._scope, zone
        ):
            age = clock.days_between(clock.from_micros(updated_at), self._now)
            scores[record_id] = score({**evidence.parts(record_id), **boosts(age, importance, bool(pinned))})
        return sorted(scores, key=lambda record_id: (-scores[record_id], -record_id))

    def _judge(self, ids: Sequence[int], evidence: Evidence, ranked: Ranked) -> None:
        records = self._tables.records.get_many(self._owner.no, self._scope, ids)
        for record_id in ids:
            if record_id not in records:
                continue
            record = records[record_id]
            hit = to_hit(record, evidence, self._now)
            reason = self._query.refuses(record, self._now)
            if reason is None and below_floor(hit, evidence, self._query):
                reason = "below_floor"
            if reason is None:
                ranked.hits.append(hit)
            elif len(ranked.missed) < LEFT_OUT and (reason != "below_floor" or ranked.misses(reason) < NEAREST_MISSES):
                ranked.missed.append(left_out(hit, reason))

    def _look_for_misses(self, ids: Sequence[int], evidence: Evidence, ranked: Ranked) -> None:
        """Name the records that came nearest to being relevant."""
        for start in range(0, min(len(ids), _SLICE), NEAREST_MISSES):
            if ranked.misses("below_floor") >= NEAREST_MISSES:
                return
            self._judge(ids[start : start + NEAREST_MISSES], evidence, ranked)


def to_hit(record: Record, evidence: Evidence, now: datetime) -> Hit:
    """Return a record with the parts of its score."""
    age = clock.days_between(record.updated_at, now)
    parts = {**evidence.parts(record.id), **boosts(age, record.importance, record.pinned)}
    return Hit(record=record, score=score(parts), parts=parts)


def below_floor(hit: Hit, evidence: Evidence, query: Query) -> bool:
    """Tell whether a hit is too weak to be called relevant; `min_score` takes the floor's place."""
    if query.min_score is None:
        return not evidence.counts(hit.record.id)
    return hit.score < query.min_score


def left_out(hit: Hit, reason: Reason, rank: int | None = None) -> LeftOut:
    """Return what is told of a record that is not given."""
    return LeftOut(id=hit.record.id, reason=reason, name=hit.record.name, score=hit.score, parts=hit.parts, rank=rank)


def _zones(order: Sequence[int], worth: Mapping[int, float], first: int) -> Iterator[Sequence[int]]:
    """Cut the candidates where what follows is too weak to come before any of the `first` that are ahead of the cut."""
    start = 0
    while start < len(order):
        end = min(start + first, len(order))
        bar = worth[order[end - 1]] - _MOST_BOOSTS - IMPORTANCE
        end = bisect_right(order, -bar, lo=end, key=lambda record_id: -worth[record_id])
        yield order[start:end]
        start = end


def _slices(ids: Sequence[int], first: int) -> Iterator[Sequence[int]]:
    """Cut ids into a first slice that is often enough, and larger ones."""
    yield ids[:first]
    for start in range(first, len(ids), _SLICE):
        yield ids[start : start + _SLICE]

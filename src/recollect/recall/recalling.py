"""Recall: candidates, score, abstain, budget; the answer carries its reasons."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from recollect.domain import clock
from recollect.domain.checks import check_choice, check_labels, check_limit, check_moment, check_score, check_whole
from recollect.domain.errors import Invalid
from recollect.domain.query import Found, Hit, LeftOut, Query
from recollect.domain.ranking import IMPORTANCE, PINNED, RECENCY, boosts, score
from recollect.domain.record import KINDS, TYPES, Record
from recollect.domain.scope import Scope
from recollect.domain.text import estimate_tokens
from recollect.prompts.render import memory_block
from recollect.recall.candidates import lexical
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState

FLOOR = 0.30
_MOST_BOOSTS = RECENCY + IMPORTANCE + PINNED
_SLICE = 64
_NEAREST_MISSES = 3
_LEFT_OUT = 20


def check_query(query: Query) -> Query:
    """Return the query with every condition checked; any text at all may be asked."""
    if not isinstance(query.text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise Invalid("not_text", "query")
    if query.type is not None:
        check_choice(query.type, TYPES, path="type")
    for kind in query.kinds:
        check_choice(kind, KINDS, path="kinds")
    if isinstance(query.spaces, str):
        raise Invalid("not_text", "spaces")
    return replace(
        query,
        limit=check_limit(query.limit),
        max_tokens=None if query.max_tokens is None else check_whole(query.max_tokens, path="max_tokens"),
        labels=check_labels(query.labels),
        since=check_moment(query.since, path="since"),
        until=check_moment(query.until, path="until"),
        min_score=None if query.min_score is None else check_score(query.min_score, path="min_score"),
    )


class Recalling:
    """Answers questions from the records that a scope may read; it writes nothing."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def recall(self, scope: Scope, query: Query, *, language: str) -> Found:
        """Return what is worth knowing for a question, best first, or nothing when nothing is relevant."""
        asked = check_query(query)
        owner = self._tables.owners.get(scope.owner_id)
        if owner is None or owner.active_count == 0:
            return Found(sources={"lexical": "0 of 0"})
        now = clock.now()
        ranked, missed, candidates = self._rank(scope, owner, asked, now)
        best = ranked[: asked.limit]
        records = [hit.record for hit in best]
        block, shown = memory_block(records, language=language, now=now, max_tokens=asked.max_tokens)
        hits = [hit for hit, is_shown in zip(best, shown, strict=True) if is_shown]
        over = [hit for hit, is_shown in zip(best, shown, strict=True) if not is_shown]
        behind = ranked[asked.limit : asked.limit + _LEFT_OUT]
        beaten = [_left_out(hit, "out_ranked", rank) for rank, hit in enumerate(behind, asked.limit + 1)]
        left_out = (*(_left_out(hit, "over_budget", None) for hit in over), *beaten, *missed)
        sources = {"lexical": f"{candidates} of {owner.active_count}"}
        return Found(
            hits=tuple(hits), left_out=left_out[:_LEFT_OUT], block=block, tokens=estimate_tokens(block), sources=sources
        )

    def _rank(
        self, scope: Scope, owner: OwnerState, query: Query, now: datetime
    ) -> tuple[list[Hit], list[LeftOut], int]:
        """Return hits in their order as far as it can matter, the misses worth naming, and the candidate count."""
        found = lexical(self._tables, owner, query.text).coverage
        order = sorted(found, reverse=True)
        order.sort(key=found.__getitem__, reverse=True)
        hits: list[Hit] = []
        missed: list[LeftOut] = []
        first = query.limit + _NEAREST_MISSES
        for zone in _zones(order, found, query, first):
            if zone[0] != order[0] and _settled(hits, query, found[zone[0]]):
                break
            for ids in _slices(self._by_score(scope, owner, zone, found, now) if len(zone) > first else zone, first):
                records = self._tables.records.get_many(owner.no, scope, ids)
                for record_id in ids:
                    if record_id in records:
                        self._judge(records[record_id], found[record_id], query, now, hits, missed)
                if len(hits) >= query.limit:
                    break
            hits.sort(key=lambda hit: (-hit.score, -hit.record.id))
        return hits, missed, len(order)

    def _by_score(
        self, scope: Scope, owner: OwnerState, zone: Sequence[int], found: Mapping[int, float], now: datetime
    ) -> list[int]:
        """Return the records of this scope among many candidates, best first, without reading their words."""
        scores: dict[int, float] = {}
        for record_id, updated_at, importance, pinned in self._tables.records.standings(owner.no, scope, zone):
            age = clock.days_between(clock.from_micros(updated_at), now)
            scores[record_id] = score({"lexical": found[record_id], **boosts(age, importance, bool(pinned))})
        return sorted(scores, key=lambda record_id: (-scores[record_id], -record_id))

    def _judge(
        self, record: Record, covered: float, query: Query, now: datetime, hits: list[Hit], missed: list[LeftOut]
    ) -> None:
        hit = to_hit(record, covered, now)
        reason = query.refuses(record, now)
        if reason is None and below_floor(hit, query):
            reason = "below_floor"
        if reason is None:
            hits.append(hit)
        elif len(missed) < _LEFT_OUT and (
            reason != "below_floor" or sum(out.reason == reason for out in missed) < _NEAREST_MISSES
        ):
            missed.append(_left_out(hit, reason, None))


def to_hit(record: Record, covered: float, now: datetime) -> Hit:
    """Return a record with the parts of its score."""
    age = clock.days_between(record.updated_at, now)
    parts = {"lexical": covered, **boosts(age, record.importance, record.pinned)}
    return Hit(record=record, score=score(parts), parts=parts)


def below_floor(hit: Hit, query: Query) -> bool:
    """Tell whether a hit is too weak to be called relevant; `min_score` takes the floor's place."""
    if query.min_score is None:
        return hit.parts["lexical"] < FLOOR
    return hit.score < query.min_score


def _zones(order: Sequence[int], found: Mapping[int, float], query: Query, first: int) -> Iterator[Sequence[int]]:
    """Cut the candidates where what follows is too weak to come before any of the `first` that are ahead of the cut."""
    least = FLOOR if query.min_score is None else query.min_score - _MOST_BOOSTS
    start = 0
    while start < len(order):
        end = min(start + first, len(order))
        bar = max(least, found[order[end - 1]] - _MOST_BOOSTS - IMPORTANCE)
        end = bisect_right(order, -bar, lo=end, key=lambda record_id: -found[record_id])
        yield order[start:end]
        start = end


def _slices(ids: Sequence[int], first: int) -> Iterator[Sequence[int]]:
    """Cut ids into a first slice that is often enough, and larger ones."""
    yield ids[:first]
    for start in range(first, len(ids), _SLICE):
        yield ids[start : start + _SLICE]


def _settled(hits: Sequence[Hit], query: Query, next_coverage: float) -> bool:
    """Tell whether no later candidate can change what is given, or be more than a miss worth naming."""
    if query.min_score is None and next_coverage < FLOOR:
        return True
    return len(hits) >= query.limit and next_coverage + _MOST_BOOSTS < hits[query.limit - 1].score


def _left_out(hit: Hit, reason: str, rank: int | None) -> LeftOut:
    return LeftOut(id=hit.record.id, reason=reason, name=hit.record.name, score=hit.score, parts=hit.parts, rank=rank)  # pyright: ignore[reportArgumentType]

"""Recall: candidates, score, abstain, budget; the answer carries its reasons."""

from collections.abc import Iterable, Iterator, Sequence
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
_MOST_OVER = 99  # no answer is longer than 100, so the line that counts what did not fit grows no longer


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
        hits, over = _fit(ranked[: asked.limit], asked.max_tokens, language, now)
        block = memory_block([hit.record for hit in hits], language=language, now=now, more=len(over))
        beaten = [_left_out(hit, "out_ranked", rank) for rank, hit in enumerate(ranked[asked.limit :], asked.limit + 1)]
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
        order = sorted(found, key=lambda record_id: (-found[record_id], -record_id))
        hits: list[Hit] = []
        missed: list[LeftOut] = []
        for start, end in _slices(len(order), query.limit):
            if start and _settled(hits, query, found[order[start]]):
                break
            ids = order[start:end]
            records = self._tables.records.get_many(owner.no, scope, ids)
            for record_id in ids:
                if record_id in records:
                    self._judge(records[record_id], found[record_id], query, now, hits, missed)
            hits.sort(key=lambda hit: (-hit.score, -hit.record.id))
        return hits, missed, len(order)

    def _judge(
        self, record: Record, covered: float, query: Query, now: datetime, hits: list[Hit], missed: list[LeftOut]
    ) -> None:
        hit = to_hit(record, covered, now)
        reason = query.refuses(record, now)
        if reason is None and below_floor(hit, query):
            reason = "below_floor"
        if reason is None:
            hits.append(hit)
        elif reason != "below_floor" or sum(out.reason == reason for out in missed) < _NEAREST_MISSES:
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


def _slices(count: int, limit: int) -> Iterator[tuple[int, int]]:
    """Cut the candidates into a first slice that is often enough, and larger ones."""
    first = limit + _NEAREST_MISSES
    yield 0, first
    for start in range(first, count, _SLICE):
        yield start, start + _SLICE


def _settled(hits: Sequence[Hit], query: Query, next_coverage: float) -> bool:
    """Tell whether no later candidate can change what is given, or be more than a miss worth naming."""
    if query.min_score is None and next_coverage < FLOOR:
        return True
    return len(hits) >= query.limit and next_coverage + _MOST_BOOSTS < hits[query.limit - 1].score


def _fit(ranked: Iterable[Hit], max_tokens: int | None, language: str, now: datetime) -> tuple[list[Hit], list[Hit]]:
    """Return the hits whose block stays within the tokens, and those that do not fit."""
    hits: list[Hit] = []
    over: list[Hit] = []
    for hit in ranked:
        tried = [*(kept.record for kept in hits), hit.record]
        block = "" if max_tokens is None else memory_block(tried, language=language, now=now, more=_MOST_OVER)
        if max_tokens is None or estimate_tokens(block) <= max_tokens:
            hits.append(hit)
        else:
            over.append(hit)
    return hits, over


def _left_out(hit: Hit, reason: str, rank: int | None) -> LeftOut:
    return LeftOut(id=hit.record.id, reason=reason, name=hit.record.name, score=hit.score, parts=hit.parts, rank=rank)  # pyright: ignore[reportArgumentType]

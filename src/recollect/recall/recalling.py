"""Recall: candidates, score, abstain, budget; the answer carries its reasons."""

from dataclasses import replace

from recollect.domain import clock
from recollect.domain.checks import check_budget, check_choice, check_labels, check_limit, check_moment, check_score
from recollect.domain.errors import Invalid
from recollect.domain.query import Found, Query
from recollect.domain.record import KINDS, TYPES
from recollect.domain.scope import Scope
from recollect.domain.text import estimate_tokens
from recollect.prompts.render import memory_block
from recollect.recall.dense import Dense
from recollect.recall.evidence import COVERAGE_FLOOR, Evidence, gather
from recollect.recall.ordering import LEFT_OUT, Ordering, left_out
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState


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
        max_tokens=None if query.max_tokens is None else check_budget(query.max_tokens, path="max_tokens"),
        labels=check_labels(query.labels),
        since=check_moment(query.since, path="since"),
        until=check_moment(query.until, path="until"),
        min_score=None if query.min_score is None else check_score(query.min_score, path="min_score"),
    )


class Recalling:
    """Answers questions from the records that a scope may read; it writes nothing."""

    def __init__(self, tables: Tables, dense: Dense | None = None, *, language: str) -> None:
        self._tables = tables
        self._language = language
        self._dense = dense

    def recall(self, scope: Scope, query: Query, *, language: str) -> Found:
        """Return what is worth knowing for a question, best first, or nothing when nothing is relevant."""
        asked = check_query(query)
        owner = self._tables.owners.get(scope.owner_id)
        if owner is None or owner.active_count == 0:
            return Found(sources={"lexical": "0 of 0"}, floor=_floor(asked, COVERAGE_FLOOR))
        now = clock.now()
        evidence = gather(self._tables, self._dense, scope, owner, asked)
        found = Ordering(self._tables, scope, owner, asked, now).rank(evidence)
        ranked, missed = found.hits, found.missed
        best = ranked[: asked.limit]
        records = [hit.record for hit in best]
        block, shown = memory_block(records, language=language, now=now, max_tokens=asked.max_tokens)
        hits = [hit for hit, is_shown in zip(best, shown, strict=True) if is_shown]
        over = [hit for hit, is_shown in zip(best, shown, strict=True) if not is_shown]
        behind = ranked[asked.limit : asked.limit + LEFT_OUT]
        beaten = [left_out(hit, "out_ranked", rank) for rank, hit in enumerate(behind, asked.limit + 1)]
        out = (*(left_out(hit, "over_budget") for hit in over), *beaten, *missed)
        return Found(
            hits=tuple(hits),
            left_out=out[:LEFT_OUT],
            block=block,
            tokens=estimate_tokens(block),
            sources=evidence.sources,
            floor=_floor(asked, evidence.floor),
            failed=self.failures(evidence),
        )

    def failures(self, evidence: Evidence) -> dict[str, str]:
        """Return what is said of each arm that could not be asked."""
        return {arm: problem.text(self._language) for arm, problem in evidence.failed.items()}

    def evidence(self, scope: Scope, owner: OwnerState, asked: Query) -> Evidence:
        """Return what speaks for each record, for whoever explains an answer."""
        return gather(self._tables, self._dense, scope, owner, asked)


def _floor(asked: Query, usual: float) -> float:
    return usual if asked.min_score is None else float(asked.min_score)

"""What speaks for each record: how much of a question it covers, and how near it is in meaning."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from recollect.domain.analysis import query_terms
from recollect.domain.errors import RecollectError
from recollect.domain.query import Query
from recollect.domain.ranking import DECIMALS
from recollect.domain.scope import Scope
from recollect.recall.candidates import lexical
from recollect.recall.dense import Dense, Near
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState

COVERAGE_FLOOR = 0.30
CLOSENESS_FLOOR = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What both arms found. A record without a vector is scored by its words alone."""

    coverage: Mapping[int, float]
    near: Near = field(default_factory=Near)
    sources: Mapping[str, str]

    def candidates(self) -> list[int]:
        """Return the records that an arm names, by what they are worth before anything is read of them."""
        ids = sorted({*self.coverage, *self.near.candidates}, reverse=True)
        return sorted(ids, key=self.worth, reverse=True)

    def parts(self, record_id: int) -> dict[str, float]:
        """Return what each arm adds to the score of a record."""
        covered, close = self.coverage.get(record_id, 0.0), self.near.closeness.get(record_id)
        if close is None:
            return {"lexical": covered}
        weight = self.near.weight
        return {"lexical": round((1 - weight) * covered, DECIMALS), "dense": round(weight * close, DECIMALS)}

    def worth(self, record_id: int) -> float:
        """Return what both arms add to the score of a record."""
        return round(sum(self.parts(record_id).values()), DECIMALS)

    def counts(self, record_id: int) -> bool:
        """Tell whether a record has to do with the question at all."""
        covered, close = self.coverage.get(record_id, 0.0), self.near.closeness.get(record_id, 0.0)
        return covered >= COVERAGE_FLOOR or close >= CLOSENESS_FLOOR


def gather(tables: Tables, dense: Dense | None, scope: Scope, owner: OwnerState, query: Query) -> Evidence:
    """Ask both arms; of one that fails the answer says so, and the other answers alone."""
    coverage = lexical(tables, owner, query.text).coverage
    sources = {"lexical": f"{len(coverage)} of {owner.active_count}"}
    near = Near()
    if dense is not None and query_terms(query.text):
        try:
            near = dense.search(scope, owner, query, coverage)
            sources["dense"] = near.source
        except RecollectError as problem:
            sources["dense"] = problem.key
    return Evidence(coverage=coverage, near=near, sources=sources)

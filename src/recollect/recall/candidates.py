"""The lexical arm: which records share terms with a question, and how much of it they cover."""

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.domain.analysis import query_terms
from recollect.domain.ranking import ROW_BUDGET, choose, coverage
from recollect.records.frequency import frequencies
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState

_PROBE_CAP = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Coverage of the question by record id, and how many terms were asked and looked up."""

    coverage: Mapping[int, float]
    asked: int
    looked_up: int


def lexical(tables: Tables, owner: OwnerState, text: str) -> Candidates:
    """Return what the postings of one owner say to a question, reading at most 2,000 rows and one term."""
    asked = query_terms(text)
    variants = sorted({variant for term in asked for variant in term.variants})
    dfs = frequencies(tables, owner, variants, _PROBE_CAP)
    chosen = choose(asked, dfs)
    if sum(dfs[term] for term in chosen) <= ROW_BUDGET:
        rows = tables.postings.find(owner.no, chosen)
    else:
        rows = [row for term in chosen for row in tables.postings.newest(owner.no, term, ROW_BUDGET)]
    covered = coverage(asked, dfs, owner.active_count, owner.length_sum, rows)
    return Candidates(coverage=covered, asked=len(asked), looked_up=len(chosen))

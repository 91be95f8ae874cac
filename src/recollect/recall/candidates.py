"""The lexical arm: which records share terms with a question, and how much of it they cover."""

from collections.abc import Mapping
from dataclasses import dataclass

from recollect.domain.analysis import is_opening, query_terms
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
    variants = {variant for term in asked for variant in term.variants}
    openings = {term: tables.postings.beginning(owner.no, term, ROW_BUDGET) for term in filter(is_opening, variants)}
    dfs = frequencies(tables, owner, sorted(variants - openings.keys()), _PROBE_CAP)
    dfs.update({term: len(rows) for term, rows in openings.items()})
    chosen = choose(asked, dfs)
    words = [term for term in chosen if term not in openings]
    if sum(dfs[term] for term in words) <= ROW_BUDGET:
        rows = tables.postings.find(owner.no, words)
    else:
        rows = [row for term in words for row in tables.postings.newest(owner.no, term, ROW_BUDGET)]
    rows += [row for term in chosen for row in openings.get(term, ())]
    covered = coverage(asked, dfs, owner.active_count, owner.length_sum, rows)
    return Candidates(coverage=covered, asked=len(asked), looked_up=len(chosen))

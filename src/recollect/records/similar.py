"""Near duplicates: active records that share most of what a text says."""

import zlib
from collections.abc import Mapping

from recollect.domain.ranking import idf
from recollect.domain.record import Record
from recollect.domain.scope import Scope
from recollect.records.frequency import frequencies
from recollect.records.identity import index
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState

_SHARED = 0.8
_WORTH_WEIGHING = 0.5  # of the plain terms: less cannot become 0.8 of the weight but by a rare accident
_SAMPLED_TERMS = 16
_COMMON = 64
_LOOKED_AT = 8
_GIVEN = 3


def similar_records(tables: Tables, scope: Scope, record: Record) -> tuple[Record, ...]:
    """Return up to three active records of this scope that have 0.8 of the shorter text's idf weight in common.

    A fixed sample of the terms finds them: a record that shares 0.8 of the weight shares some of the rare ones.
    """
    terms = _terms(record)
    shuffled = sorted(zip(map(zlib.crc32, map(str.encode, terms)), terms, strict=True))
    sample = [term for _, term in shuffled[:_SAMPLED_TERMS]]
    met = tables.texts.meeting(scope, sample, _COMMON, _LOOKED_AT)
    same_space = [found for found in met if found.space == record.space]
    candidates = [found for found in same_space if _overlap(terms, _terms(found)) >= _WORTH_WEIGHING]
    owner = tables.owners.get(scope.owner_id) if candidates else None
    if owner is None:
        return ()
    weights = _weights(tables, owner, set(terms).union(*map(_terms, candidates)))
    return tuple(found for found in candidates if _share(terms, _terms(found), weights) >= _SHARED)[:_GIVEN]


def _terms(record: Record) -> frozenset[str]:
    indexed = index(record)
    return frozenset(indexed.name).union(indexed.content)


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))


def _weights(tables: Tables, owner: OwnerState, terms: set[str]) -> Mapping[str, float]:
    dfs = frequencies(tables, owner, terms, _COMMON)
    return {term: idf(owner.active_count, df) for term, df in dfs.items()}


def _share(one: frozenset[str], other: frozenset[str], weights: Mapping[str, float]) -> float:
    shorter = min(sum(weights[term] for term in one), sum(weights[term] for term in other))
    return sum(weights[term] for term in one & other) / shorter if shorter else 0.0

"""Lexical ranking: which terms to fetch, and how well each record covers what was asked. Pure."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from recollect.domain.analysis import FRAME_WEIGHT, QueryTerm

K1 = 1.2  # how soon more occurrences stop counting
B = 0.75  # how much a longer record must hold for the same
NAME_WEIGHT = 2.0
DESCRIPTION_WEIGHT = 1.5
CONTENT_WEIGHT = 1.0
VARIANT_FACTOR = 0.9  # a stem or a simplified form against the word itself
SMALLEST_COUNT = 20  # records that the smallest owner is taken to have
FULL_COVERAGE = 1.3  # of the summed idf: what counts as everything
ROW_BUDGET = 2_000
RECENCY = 0.01
RECENCY_HALF_LIFE_DAYS = 30.0
IMPORTANCE = 0.03
IMPORTANCE_MIDDLE = 50
PINNED = 0.03
TIMELY = 0.02
CLOSE_OF_ONE = 0.32  # closeness that counts by itself where there is one record
CLOSE_OF_TEN_TIMES = 0.04  # more where there are ten times as many: the best of many that are unrelated is closer
CLOSE = 0.40  # enough however many there are
PLAINLY = 0.60  # what covers so much, or is so close, counts whatever else holds
DECIMALS = 9
_UNIT = 10**DECIMALS


class Posting(NamedTuple):
    """One term in one record, in the order of the columns; `length` is the number of all the record's terms."""

    term: str
    id: int
    tf_name: int
    tf_description: int
    tf_content: int
    length: int


PostingRow = Posting | tuple[str, int, int, int, int, int]
"""A posting as a driver gives it: no object is built for a row."""


def idf(count: int, df: int) -> float:
    """Return how telling a term is that `df` of `count` records hold.

    An owner with a handful of records is taken to have SMALLEST_COUNT: otherwise every word they have is common, every
    other word is precious, and the first notes are never found.
    """
    df = min(df, count)
    count = max(count, SMALLEST_COUNT)
    return math.log(1 + (count - df + 0.5) / (df + 0.5))


def estimate_df(probe_count: int, cap: int, newest_id: int, oldest_probed_id: int, count: int) -> int:
    """Return how many of `count` records hold a term, from its newest `cap` postings.

    Fewer than `cap` are all there are. Otherwise the term is taken to be as frequent among the ids below the oldest
    one seen as it is above.
    """
    if probe_count < cap:
        return probe_count
    span = max(1, newest_id - oldest_probed_id + 1)
    return min(count, max(cap, probe_count * newest_id // span))


def choose(query: Sequence[QueryTerm], dfs: Mapping[str, int], budget: int = ROW_BUDGET) -> tuple[str, ...]:
    """Return the terms whose rows to fetch: the rarest things asked, all their variants, as long as they fit.

    What only frames a question comes last. The first thing that is known at all is taken whatever it costs.
    """
    chosen: dict[str, None] = {}
    spent = 0
    for term in sorted(query, key=lambda term: (term.weight <= FRAME_WEIGHT, _df(term, dfs))):
        fresh = [variant for variant in term.variants if variant not in chosen and dfs.get(variant, 0) > 0]
        cost = sum(dfs[variant] for variant in fresh)
        if chosen and spent + cost > budget:
            break
        chosen.update(dict.fromkeys(fresh))
        spent += cost
    return tuple(chosen)


def _df(term: QueryTerm, dfs: Mapping[str, int]) -> int:
    return max(dfs.get(variant, 0) for variant in term.variants)


def coverage(
    query: Sequence[QueryTerm], dfs: Mapping[str, int], count: int, length_sum: int, rows: Iterable[PostingRow]
) -> dict[int, float]:
    """Return for every record in `rows` how much of the query it covers, 0…1: BM25F against a full answer's worth.

    `count` and `length_sum` are the owner's. What is asked but known nowhere still counts as asked.
    """
    worths = [term.weight * idf(count, _df(term, dfs)) for term in query]
    full = FULL_COVERAGE * sum(worths)
    if full <= 0:
        return {}
    totals: dict[int, int] = {}
    shared: list[dict[int, int]] = []
    plain: dict[str, float] = {}
    wanted: dict[str, list[tuple[dict[int, int], float]]] = {}
    for term, worth in zip(query, worths, strict=True):
        share = _UNIT * (K1 + 1) * worth / full
        if len(term.variants) == 1:
            plain[term.variants[0]] = plain.get(term.variants[0], 0.0) + share
            continue
        best: dict[int, int] = {}
        shared.append(best)
        for place, variant in enumerate(term.variants):
            wanted.setdefault(variant, []).append((best, share * (VARIANT_FACTOR if place else 1.0)))
    _add_up(rows, length_sum / count if length_sum and count else 1.0, plain, wanted, totals)
    for best in shared:
        for id, value in best.items():
            totals[id] = totals.get(id, 0) + value
    return {id: min(total, _UNIT) / _UNIT for id, total in totals.items()}


def _add_up(
    rows: Iterable[PostingRow],
    average_length: float,
    plain: Mapping[str, float],
    wanted: Mapping[str, list[tuple[dict[int, int], float]]],
    totals: dict[int, int],
) -> None:
    """Add what each row is worth: straight to the totals where a term has one form, else to the best of its forms.

    The one loop that runs for every row: most terms have one form and stand in the content alone. Whole numbers, since
    their sum is the same for any order in which an engine gives the rows.
    """
    base, slope = K1 * (1 - B), K1 * B / average_length
    nowhere: list[tuple[dict[int, int], float]] = []
    for term, id, tf_name, tf_description, tf_content, length in rows:
        tf = CONTENT_WEIGHT * tf_content
        if tf_name or tf_description:
            tf += NAME_WEIGHT * tf_name + DESCRIPTION_WEIGHT * tf_description
        saturation = tf / (tf + base + slope * length)
        if term in plain:
            totals[id] = totals.get(id, 0) + int(plain[term] * saturation + 0.5)
        for best, share in wanted.get(term, nowhere):
            value = int(share * saturation + 0.5)
            if value > best.get(id, 0):
                best[id] = value


def closeness_floor(count: int) -> float:
    """Return how close a record must be in meaning to count without words in common, among `count` records."""
    return round(min(CLOSE, CLOSE_OF_ONE + CLOSE_OF_TEN_TIMES * math.log10(max(1, count))), DECIMALS)


def boosts(age_days: float, importance: int, pinned: bool) -> dict[str, float]:
    """Return the parts of a score that do not depend on the query."""
    return {
        "recency": round(RECENCY * 2.0 ** (-max(0.0, age_days) / RECENCY_HALF_LIFE_DAYS), DECIMALS),
        "importance": round(IMPORTANCE * (importance - IMPORTANCE_MIDDLE) / IMPORTANCE_MIDDLE, DECIMALS),
        "pinned": PINNED if pinned else 0.0,
    }


def score(parts: Mapping[str, float]) -> float:
    """Return the sum of the parts within 0…1, the same for any order of them."""
    return round(min(1.0, max(0.0, math.fsum(parts.values()))), DECIMALS)

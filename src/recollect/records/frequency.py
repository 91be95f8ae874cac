"""How common terms are in an owner's records, known without reading all of their rows."""

from collections.abc import Iterable

from recollect.domain.ranking import estimate_df
from recollect.records.tables import Tables
from recollect.storage.owners import OwnerState


def frequencies(tables: Tables, owner: OwnerState, terms: Iterable[str], cap: int) -> dict[str, int]:
    """Return in how many records each term stands: exact below `cap`, estimated from its newest rows above."""
    found: dict[str, int] = {}
    for term, probe in tables.postings.probe(owner.no, terms, cap).items():
        found[term] = probe.seen
        if probe.oldest_id is not None:
            found[term] = estimate_df(probe.seen, cap, owner.next_record - 1, probe.oldest_id, owner.active_count)
    return found

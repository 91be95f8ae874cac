"""`fts5-terms`: our terms in a full-text table of SQLite instead of a table of postings, asked by range of rows.

The analyser is ours and the table only has to split at blanks; an owner is a range of row numbers, which the engine
seeks, and bm25() ranks, which counts over everybody's rows.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path

from bench.text import Note
from recollect.domain.analysis import index_terms, query_terms

_SCHEMA = """
create virtual table terms using fts5 (
    name, content, content = '', tokenize = "unicode61 remove_diacritics 0 tokenchars '-.+@'"
);
"""
_SEARCH = """
select rowid from terms where terms match ? and rowid between ? and ? order by bm25(terms, 2.0, 1.0) limit ?
"""


class FullText:
    """A file of that design. It holds the index alone: the notes themselves would be the same as ours."""

    def __init__(self, path: Path) -> None:
        fresh = not path.exists()
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.executescript("pragma journal_mode = wal; pragma synchronous = normal;")
        if fresh:
            self._connection.executescript(_SCHEMA)

    def save(self, owner_no: int, first_id: int, notes: Iterable[Note]) -> None:
        """Index notes of one owner in one transaction, under ids from `first_id` on."""
        rows = [
            (owner_no << 32 | record_id, _joined(index_terms(note.name)), _joined(index_terms(note.content)))
            for record_id, note in enumerate(notes, first_id)
        ]
        self._connection.execute("begin immediate")
        self._connection.executemany("insert into terms (rowid, name, content) values (?, ?, ?)", rows)
        self._connection.execute("commit")

    def search(self, owner_no: int, text: str, limit: int) -> list[int]:
        """Return ids of notes that share a term with the text, best first."""
        wanted = {variant for term in query_terms(text) for variant in term.variants}
        if not wanted:
            return []
        match = " OR ".join(f'"{term.replace(chr(34), "")}"' for term in sorted(wanted))
        rows = self._connection.execute(_SEARCH, (match, owner_no << 32, (owner_no + 1) << 32, limit))
        return [row[0] & 0xFFFFFFFF for row in rows]

    def close(self) -> None:
        """Close the file, with everything in it and nothing beside it."""
        self._connection.execute("pragma wal_checkpoint(truncate)")
        self._connection.close()


def _joined(terms: Mapping[str, int]) -> str:
    return " ".join(" ".join([term] * times) for term, times in terms.items())

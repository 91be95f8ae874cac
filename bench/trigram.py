"""`baseline-trigram`: the usual design for this task, that ours is measured beside.

One table of notes for everybody, an external-content FTS5 table with the trigram tokenizer, three triggers that keep
it in step, and a search that joins the two and filters by agent and user, without an order.
"""

import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from bench.text import Note

_WORD = re.compile(r"\w+")
_SCHEMA = """
create table agent_notes (
    id integer primary key autoincrement,
    agent_name text not null,
    user_id text not null,
    type text not null check (type in ('user', 'project', 'feedback', 'reference')),
    name text not null,
    content text not null,
    description text not null default '',
    metadata text,
    created_at text not null default current_timestamp,
    updated_at text not null default current_timestamp
);
create index agent_notes_owner on agent_notes (agent_name, user_id);
create virtual table agent_notes_text using fts5 (
    name, content, description, content = 'agent_notes', content_rowid = 'id', tokenize = 'trigram'
);
create trigger agent_notes_insert after insert on agent_notes begin
    insert into agent_notes_text (rowid, name, content, description)
    values (new.id, new.name, new.content, new.description);
end;
create trigger agent_notes_delete after delete on agent_notes begin
    insert into agent_notes_text (agent_notes_text, rowid, name, content, description)
    values ('delete', old.id, old.name, old.content, old.description);
end;
create trigger agent_notes_update after update on agent_notes begin
    insert into agent_notes_text (agent_notes_text, rowid, name, content, description)
    values ('delete', old.id, old.name, old.content, old.description);
    insert into agent_notes_text (rowid, name, content, description)
    values (new.id, new.name, new.content, new.description);
end;
"""
_TUNING = "pragma journal_mode = wal; pragma synchronous = normal; pragma cache_size = -32768;"
_ADD = "insert into agent_notes (agent_name, user_id, type, name, content) values ('', ?, ?, ?, ?)"
_SEARCH = """
select n.id, n.name, n.content from agent_notes_text as t {join} agent_notes as n on n.id = t.rowid
where agent_notes_text match ? and n.agent_name = '' and n.user_id = ? limit ?
"""
_RANKED = """
select n.id, n.name, n.content from agent_notes_text as t cross join agent_notes as n on n.id = t.rowid
where agent_notes_text match ? and n.agent_name = '' and n.user_id = ? order by t.rank limit ?
"""
_AS_PLANNED = _SEARCH.format(join="join")
_TEXT_FIRST = _SEARCH.format(join="cross join")  # else SQLite may ask the index again for every note of the user


class Trigram:
    """A file of that design, with the journal and the durability of ours."""

    def __init__(self, path: Path) -> None:
        fresh = not path.exists()
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.executescript(_TUNING)
        if fresh:
            self._connection.executescript(f"begin; {_SCHEMA} commit;")

    def save(self, user: str, notes: Iterable[Note]) -> None:
        """Insert notes in one transaction."""
        self._connection.execute("begin immediate")
        self._connection.executemany(_ADD, ((user, note.type, note.name, note.content) for note in notes))
        self._connection.execute("commit")

    def search(self, user: str, text: str, limit: int = 5, *, as_planned: bool = False) -> list[tuple[int, str, str]]:
        """Return what holds the whole text, which is quoted so that it parses; the full-text table is read first."""
        quoted = '"' + text.replace('"', '""') + '"'
        return self._connection.execute(_AS_PLANNED if as_planned else _TEXT_FIRST, (quoted, user, limit)).fetchall()

    def ranked(self, user: str, text: str, limit: int = 5) -> list[tuple[int, str, str]]:
        """Return what holds any three characters that stand together in the text, ordered by the engine's own rank."""
        pieces = {word[at : at + 3] for word in _WORD.findall(text.lower()) for at in range(len(word) - 2)}
        quoted = " OR ".join(f'"{piece}"' for piece in sorted(pieces))
        return self._connection.execute(_RANKED, (quoted, user, limit)).fetchall() if pieces else []

    def refuses(self, user: str, text: str) -> bool:
        """Tell whether the text as a user types it is an error."""
        try:
            self._connection.execute(_TEXT_FIRST, (text, user, 1)).fetchall()
        except sqlite3.OperationalError:
            return True
        return False

    def count(self) -> int:
        """Return how many notes there are."""
        return self._connection.execute("select count(*) from agent_notes").fetchone()[0]

    def close(self) -> None:
        """Close the file, with everything in it and nothing beside it."""
        self._connection.execute("pragma wal_checkpoint(truncate)")
        self._connection.close()

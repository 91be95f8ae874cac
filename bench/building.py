"""Files full of other people's notes, built once, kept in a cache folder and copied for every run.

They come through the same door as any note (checks, duplicates, revisions, counters): only their postings are laid
aside unsorted and written at the end in the order of the table, since a million notes of one owner would otherwise
take hours. `same_as_door` holds that the rows are the same.
"""

import hashlib
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import recollect
from bench.report import say
from bench.text import Texts
from bench.timing import told
from recollect.domain import clock
from recollect.domain.analysis import ANALYSER_VERSION
from recollect.domain.record import Draft
from recollect.domain.scope import Scope
from recollect.records.saving import Policy, Saving
from recollect.records.tables import Tables
from recollect.storage.backend import Row
from recollect.storage.sql import load_migrations
from recollect.storage.sqlite import SqliteDatabase

_BATCH = 1_000
_KEYED = "meta"  # holds a random key of each file
_ASIDE = "create table if not exists aside (owner_no, term, id, tf_name, tf_description, tf_content, length)"
_ASIDE_ADD = "insert into aside values (:owner_no, :term, :id, :tf_name, :tf_description, :tf_content, :length)"
_TABLES = "select name from {schema}.sqlite_master where type = 'table' and name not in ('aside', 'postings')"


class Shape(NamedTuple):
    """How many owners, and how many notes each of them has."""

    owners: int
    each: int

    @property
    def label(self) -> str:
        """The shape as results name it."""
        return f"{self.owners:,} x {self.each:,}"

    @property
    def notes(self) -> int:
        """How many notes there are in all."""
        return self.owners * self.each


class AsideDatabase(SqliteDatabase):
    """A database of ours that lays postings aside for `_finish` to sort."""

    def _begin_empty(self) -> None:
        super()._begin_empty()
        self._queries = {**self._queries, "posting_add": _ASIDE_ADD}

    def _apply(self) -> list[str]:
        steps = super()._apply()
        connection = self._connect()
        connection.execute(_ASIDE)
        connection.close()
        return steps


def cache_folder() -> Path:
    """Return where built files are kept: RECOLLECT_BENCH_CACHE, else the system's folder for temporary files."""
    given = os.environ.get("RECOLLECT_BENCH_CACHE")
    folder = Path(given) if given else Path(tempfile.gettempdir()) / "recollect-bench"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def work_folder() -> Generator[Path, None, None]:
    """Make a folder beside the cache, on the same disk, and remove it afterwards."""
    with tempfile.TemporaryDirectory(prefix="run-", dir=cache_folder(), ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def others(texts: Texts, shape: Shape) -> Path:
    """Return the file with the notes of others in this shape, which is built now unless it is there."""
    final = cache_folder() / f"others-{shape.owners}x{shape.each}-{_digest(texts)}.db"
    if final.exists():
        return final
    part = final.with_suffix(".part")
    began = time.monotonic()
    _gather(part, texts, shape)
    say(f"{shape.label}: sorting")
    _finish(part, final)
    say(
        f"{shape.label}: built, {shape.notes / (time.monotonic() - began):,.0f} notes/s since the start of this process"
    )
    return final


def copy(source: Path, target: Path) -> Path:
    """Copy a built file for a run that writes to it."""
    say(f"copying {source.name}, {source.stat().st_size / 1e9:.1f} GB")
    shutil.copyfile(source, target)
    return target


def same_as_door(texts: Texts, count: int) -> bool:
    """Tell whether `count` notes of two owners give the same rows, in every table, as they do through the door."""
    shape = Shape(2, count // 2)
    with work_folder() as folder:
        with clock.running(_standing()):
            _gather(folder / "part.db", texts, shape)
        _finish(folder / "part.db", folder / "built.db")
        memory = recollect.open_memory(folder / "door.db")
        with clock.running(_standing()):
            for owner, start, batch in _batches(shape, {}):
                memory.within(user=owner, agent="").notes.save_many(
                    note.fields() for note in texts.notes(owner, start, batch)
                )
        memory.close()
        return _differing(folder / "built.db", folder / "door.db") == []


def _digest(texts: Texts) -> str:
    """Return what changes whenever a built file would be another one."""
    parts = [step.script for step in load_migrations("sqlite")]
    parts += [str(ANALYSER_VERSION), *(note.name + note.content for note in texts.notes("digest", 0, 16))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:10]


def _gather(part: Path, texts: Texts, shape: Shape) -> None:
    """Save whatever is missing; a build that was stopped goes on after its last batch."""
    tables = Tables(AsideDatabase(part))
    saving = Saving(tables, Policy())
    there = {user: _count(tables, Scope(user=user)) for _, _, user in tables.owners.list()}
    batches = list(_batches(shape, there))
    for owner, start, count in told(batches, len(batches), f"{shape.label}: batches of {_BATCH:,}"):
        notes = texts.notes(owner, start, count)
        drafts = (Draft(name=note.name, content=note.content, type=note.type) for note in notes)
        saving.save_many(Scope(user=owner), drafts)
    tables.database.close()


def _count(tables: Tables, scope: Scope) -> int:
    state = tables.owners.get(scope.owner_id)
    return state.next_record - 1 if state else 0


def _batches(shape: Shape, there: dict[str, int]) -> Iterator[tuple[str, int, int]]:
    """Yield owner, first number and count of each batch that is not there."""
    for number in range(1, shape.owners + 1):
        owner = f"other-{number}"
        for start in range(there.get(owner, 0), shape.each, _BATCH):
            yield owner, start, min(_BATCH, shape.each - start)


def _finish(part: Path, final: Path) -> None:
    """Copy every table into a new file, the postings in the order in which their table keeps them."""
    target = final.with_suffix(".sorted")
    target.unlink(missing_ok=True)
    SqliteDatabase(target).close()
    connection = sqlite3.connect(target, isolation_level=None)
    connection.executescript(
        f"pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000;"
        f"pragma temp_store = file; attach '{part}' as part;"
    )
    names = [name for (name,) in connection.execute(_TABLES.format(schema="part"))]
    for name in names:
        connection.execute(f"delete from {name}")
        connection.execute(f"insert into {name} select * from part.{name}")
    connection.execute("insert into postings select * from part.aside order by owner_no, term, id")
    connection.execute("detach part")
    connection.execute("pragma journal_mode = wal")
    connection.close()
    target.rename(final)
    for file in (*part.parent.glob(f"{part.name}*"), *part.parent.glob(f"{target.name}*")):
        file.unlink()


def _standing() -> Callable[[], datetime]:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return lambda: moment


def _differing(one: Path, other: Path) -> list[str]:
    """Return the tables of two databases that do not hold the same rows."""
    connection = sqlite3.connect(one)
    connection.execute(f"attach '{other}' as other")
    names = [name for (name,) in connection.execute(_TABLES.format(schema="main")) if name != _KEYED]
    found = [
        name for name in [*names, "postings"] if _rows(connection, "main", name) != _rows(connection, "other", name)
    ]
    connection.close()
    return found


def _rows(connection: sqlite3.Connection, schema: str, name: str) -> list[Row]:
    """Return all rows; both files give them in the order of the table's own key."""
    return connection.execute(f"select * from {schema}.{name}").fetchall()

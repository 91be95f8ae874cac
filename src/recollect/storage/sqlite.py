"""SQLite: one file, one writer at a time within and across processes, readers that nobody blocks."""

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from recollect.domain.errors import ConfigError, NewerSchema, RecollectError, StorageError
from recollect.storage import forks
from recollect.storage.backend import Database, Description, Question, Row
from recollect.storage.locks import FileLock
from recollect.storage.sql import LIST, PARAMETER, load_migrations, load_queries

_APPLICATION_ID = 0x5245434F
_WAIT_SECONDS = 30.0
_IDLE_READERS = 8
_KEPT = "pragma journal_mode = wal;"  # written to the file, an empty one included
_TUNING = """
pragma synchronous = normal; pragma secure_delete = on; pragma temp_store = memory;
pragma cache_size = -32768; pragma mmap_size = 1073741824; pragma wal_autocheckpoint = 32768;
pragma journal_size_limit = 134217728; pragma foreign_keys = on;
"""
_MESSAGES = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_CANTOPEN: "cannot_open",
    sqlite3.SQLITE_NOTADB: "not_database",
    sqlite3.SQLITE_CORRUPT: "not_database",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
}

T = TypeVar("T")

_carried: dict[str, list[object]] = {}
"""By file, the connections that this process inherited in use: SQLite's locks on it cannot be trusted here."""


class SqliteDatabase(Database):
    """A database in one file. Opening makes the file and its folder, private to this user, and brings the schema up.

    `as_is` leaves the file as it is found.
    """

    def __init__(self, path: Path, *, as_is: bool = False) -> None:
        self._path = path.absolute()
        self._tuning = _TUNING if as_is else _KEPT + _TUNING
        self._queries = sqlite_queries()
        self._migrations = load_migrations("sqlite")
        self._begin_empty()
        forks.watch(self)
        try:
            if self._guarded(self._schema_found) != self._migrations[-1].number and not as_is:
                self.migrate()
        except RecollectError:
            self.close()
            raise

    def run(self, name: str, /, **params: object) -> int:
        return self._guarded(lambda: self._writing().execute(self._queries[name], _bound(params)).rowcount)

    def one(self, name: str, /, **params: object) -> Row | None:
        return self._read(lambda connection: connection.execute(self._queries[name], _bound(params)).fetchone())

    def all(self, name: str, /, **params: object) -> list[Row]:
        return self._read(lambda connection: connection.execute(self._queries[name], _bound(params)).fetchall())

    def many(self, name: str, rows: Iterable[Row]) -> None:
        query = PARAMETER.sub("?", self._queries[name])
        self._guarded(lambda: self._writing().executemany(query, rows))

    @contextmanager
    def transaction(self, *asked: Question) -> Generator[list[list[Row]]]:
        if self._mine.connection is not None:
            raise RuntimeError("a transaction is open in this thread")
        self._acquire()
        mine = self._mine  # another one in a child that was forked meanwhile, which owns nothing of this
        try:
            connection = self._guarded(self._begin)
            mine.connection = connection
            try:
                yield [self.all(name, **params) for name, params in asked]
                if self._mine is not mine:
                    raise StorageError("forked_in_use", file=str(self._path))
                self._guarded(connection.commit)
            finally:
                mine.connection = None
                if self._mine is mine and connection.in_transaction:
                    connection.rollback()
        finally:
            if self._mine is mine:
                self._release()

    def migrate(self) -> list[str]:
        self._acquire()
        try:
            return self._guarded(self._apply)
        finally:
            self._release()

    def describe(self, *, thorough: bool = False) -> Description:
        problems = [str(row[0]) for row in self.all("integrity")] if thorough else ["ok"]
        size = sum(file.stat().st_size for file in self._path.parent.glob(self._path.name + "*"))
        return Description(
            engine="SQLite",
            version=sqlite3.sqlite_version,
            place=str(self._path),
            schema=int((self.one("schema_get") or (0,))[0]),
            newest_schema=self._migrations[-1].number,
            size_bytes=size,
            problems=() if problems == ["ok"] else tuple(problems),
        )

    def close(self) -> None:
        self._closed = True
        with self._turn:
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            if self._file_lock is not None:
                self._file_lock.close()
                self._file_lock = None
        self._close_readers()
        forks.forget(self)

    def rest(self) -> None:
        """Close every connection, unless somebody is at work for too long or it is this thread that works."""
        self._resting = False
        self._turn_held = self._mine.connection is None and self._turn.acquire(timeout=_WAIT_SECONDS)
        if self._turn_held and self._gate.shut(_WAIT_SECONDS):
            if self._writer is not None:
                self._writer.close()
                self._writer = None
            self._close_readers()
            self._resting = True

    def go_on(self) -> None:
        """Work again after a fork, in the parent."""
        self._gate.open()
        if self._turn_held:
            self._turn.release()

    def start_anew(self) -> None:
        """Work again after a fork, in the child; what was in use there is not touched."""
        if not self._resting:
            _carried.setdefault(os.path.realpath(self._path), []).extend((self._writer, *self._readers))
        if self._file_lock is not None:
            self._file_lock.close()
        self._begin_empty()

    def _begin_empty(self) -> None:
        self._closed = self._resting = self._turn_held = False
        self._gate = forks.Gate()
        self._turn = threading.Lock()
        self._mine = _ThisThread()
        self._writer: sqlite3.Connection | None = None
        self._written = (0, 0)
        self._file_lock: FileLock | None = None
        self._readers: list[sqlite3.Connection] = []

    def _schema_found(self) -> int:
        """Make the file when it is missing, refuse one that is not ours and return the number of its schema."""
        try:
            for folder in reversed(self._path.parents):  # all that are made are private, not the last alone
                folder.mkdir(mode=0o700, exist_ok=True)
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        except (OSError, ValueError) as problem:  # a ValueError is a name that no file can have
            key = "read_only" if os.path.isfile(self._path) else "cannot_open"
            raise StorageError(key, file=str(self._path)) from problem
        self._refuse_carried()
        with self._gate, closing(sqlite3.connect(self._path, timeout=_WAIT_SECONDS)) as connection:
            # In this order: another process may make both at once in between.
            is_used = connection.execute("select count(*) from sqlite_master").fetchone()[0] > 0
            if is_used and connection.execute("pragma application_id").fetchone()[0] != _APPLICATION_ID:
                raise ConfigError("not_ours", file=str(self._path))
            return connection.execute("pragma user_version").fetchone()[0]

    def _refuse_carried(self) -> None:
        if _carried and os.path.realpath(self._path) in _carried:
            raise StorageError("forked_in_use", file=str(self._path))

    def _close_readers(self) -> None:
        while self._readers:
            self._readers.pop().close()

    def _connect(self) -> sqlite3.Connection:
        if self._closed:
            raise StorageError("closed")
        self._refuse_carried()
        connection = sqlite3.connect(
            self._path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
        )
        try:
            connection.executescript(self._tuning)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._mine.connection is not None:
            connection = self._mine.connection
            return self._guarded(lambda: work(connection))
        with self._gate:
            return self._guarded(lambda: self._read_pooled(work))

    def _read_pooled(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._closed:
            raise StorageError("closed")
        try:
            connection = self._readers.pop()
        except IndexError:
            connection = self._connect()
        try:
            return work(connection)
        finally:
            if self._closed or len(self._readers) >= _IDLE_READERS:
                connection.close()
            else:
                self._readers.append(connection)

    def _writing(self) -> sqlite3.Connection:
        if self._mine.connection is None:
            raise RuntimeError("writing needs a transaction")
        return self._mine.connection

    def _acquire(self) -> None:
        if self._closed:
            raise StorageError("closed")
        if not self._turn.acquire(timeout=_WAIT_SECONDS):
            raise StorageError("busy", seconds=int(_WAIT_SECONDS))
        try:
            if self._file_lock is None:
                self._file_lock = FileLock(self._path.with_name(self._path.name + ".lock"))
            if not self._file_lock.acquire(_WAIT_SECONDS):
                raise StorageError("busy", seconds=int(_WAIT_SECONDS))
        except OSError as problem:
            self._turn.release()
            raise StorageError("read_only", file=str(self._path)) from problem
        except StorageError:
            self._turn.release()
            raise

    def _release(self) -> None:
        if self._file_lock is not None:
            self._file_lock.release()
        self._turn.release()

    def _begin(self) -> sqlite3.Connection:
        if self._writer is None:
            self._writer = self._connect()
            self._written = self._identity()
        elif self._identity() != self._written:  # what is written now would be gone with the last connection
            raise StorageError("file_gone", file=str(self._path))
        self._writer.execute("begin immediate")
        try:
            self._refuse_newer(self._writer.execute("pragma user_version").fetchone()[0])
        except NewerSchema:
            self._writer.rollback()
            raise
        return self._writer

    def _identity(self) -> tuple[int, int]:
        try:
            found = os.stat(self._path)
        except OSError:
            return (0, 0)
        return found.st_dev, found.st_ino

    def _refuse_newer(self, found: int) -> None:
        if found > self._migrations[-1].number:
            raise NewerSchema("newer_schema", found=found, known=self._migrations[-1].number)

    def _apply(self) -> list[str]:
        connection = self._connect()
        try:
            found = connection.execute("pragma user_version").fetchone()[0]
            self._refuse_newer(found)
            due = [step for step in self._migrations if step.number > found]
            if found and due:
                copy = self._path.with_name(f"{self._path.name}.schema-{found:04}.bak")
                copy.unlink(missing_ok=True)
                os.close(os.open(copy, os.O_RDWR | os.O_CREAT, 0o600))
                connection.execute(self._queries["backup"], {"target": str(copy)})
            for step in due:
                marks = f"pragma application_id = {_APPLICATION_ID}; pragma user_version = {step.number};"
                connection.executescript(f"begin immediate; {step.script} {marks} commit;")
        finally:
            connection.close()
        return [f"{step.number:04}_{step.name}" for step in due]

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.Error as problem:
            raise to_storage_error(problem, self._path, _WAIT_SECONDS) from problem
        except (OverflowError, UnicodeEncodeError) as problem:  # what the driver says of values that it cannot bind
            raise StorageError("database_failed", problem=str(problem)) from problem


def to_storage_error(problem: sqlite3.Error, path: Path, waited_seconds: float) -> StorageError:
    """Return what is said of an error that SQLite reports about a file."""
    key = _MESSAGES.get(getattr(problem, "sqlite_errorcode", 0) & 0xFF, "database_failed")
    return StorageError(key, file=str(path), seconds=int(waited_seconds), problem=str(problem))


def sqlite_queries() -> dict[str, str]:
    """Return the queries by name in SQLite's words, in which lists travel as JSON."""
    found = load_queries("sqlite")
    return {name: LIST.sub(r"in (select value from json_each(:\1))", query) for name, query in found.items()}


def _bound(params: Mapping[str, object]) -> Mapping[str, object]:
    lists = {name: _listed(value) for name, value in params.items() if isinstance(value, list)}  # pyright: ignore[reportUnknownArgumentType]
    return {**params, **lists} if lists else params


def _listed(values: list[Any]) -> object:
    """Return a list as JSON, or one of bytes, which are equally long, as they follow each other."""
    return b"".join(values) if values and isinstance(values[0], bytes) else json.dumps(values, ensure_ascii=False)


class _ThisThread(threading.local):
    connection: sqlite3.Connection | None = None

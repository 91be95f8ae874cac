"""Databases of other programs, read as they are and never written."""

import hashlib
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

from recollect.domain.errors import Invalid, StorageError
from recollect.domain.places import to_file
from recollect.storage.backend import Row
from recollect.storage.server import Limits
from recollect.storage.servers import is_server, open_server
from recollect.storage.sql import load_queries
from recollect.storage.sqlite import to_storage_error

_WAIT_SECONDS = 10.0
_TABLES = {"m": ("mysql", "netaclaw_memory"), "p": ("postgres", "memories")}  # by the first letter of the URL
_UTC = "+00:00"  # our sessions' own zone

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class NetaclawRow:
    """One row as it stands there; a column may hold anything, whatever its type says."""

    id: object
    agent_name: object
    user_id: object
    type: object
    name: object
    content: object
    description: object
    metadata: object
    created_at: object
    updated_at: object


_COLUMNS = tuple(column.name for column in fields(NetaclawRow))


class Netaclaw(ABC):
    """What the table of a netaclaw database held at one moment, though its program may go on writing."""

    def survey(self) -> tuple[int, str]:
        """Return how many rows there are, and a digest that is equal for equal rows in any database of the kind."""
        digest = hashlib.sha256()
        count = 0
        for row in self._rows():
            digest.update(repr(row).encode())
            count += 1
        return count, digest.hexdigest()

    def rows(self) -> Iterator[NetaclawRow]:
        """Yield every row, one user after the other, in the order of their ids."""
        for row in self._rows():
            yield NetaclawRow(**dict(zip(_COLUMNS, row, strict=True)))

    @abstractmethod
    def _rows(self) -> Iterator[Row]: ...


class _File(Netaclaw):
    """An SQLite file, in one read transaction."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._queries = load_queries("netaclaw")

    def begin(self) -> None:
        """Hold on to this moment, if the file is such a database."""
        self._guarded(lambda: self._connection.execute("begin"))
        query = self._queries["netaclaw_columns"]
        found = {row[0] for row in self._guarded(lambda: self._connection.execute(query).fetchall())}
        if not found.issuperset(_COLUMNS):
            raise Invalid("not_netaclaw", file=str(self._path), table="memory", columns=", ".join(_COLUMNS))

    def _rows(self) -> Iterator[Row]:
        query = self._queries["netaclaw_rows"]
        cursor = self._guarded(lambda: self._connection.execute(query))
        while (row := self._guarded(cursor.fetchone)) is not None:
            yield row

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.Error as problem:
            raise to_storage_error(problem, self._path, _WAIT_SECONDS) from problem


class _Table(Netaclaw):
    """A table on a server, read in one statement. Dates of a type that knows its zone say it, the others do not."""

    def __init__(self, url: str) -> None:
        dialect, table = _TABLES[url[0].lower()]
        server = open_server(url, Limits(), as_is=True, queries="netaclaw")
        with closing(server):
            found = {str(name): str(kind) for name, kind in server.all(f"netaclaw_columns_{dialect}")}
            if not set(_COLUMNS) <= found.keys():
                columns = ", ".join(_COLUMNS)
                raise Invalid("not_netaclaw", file=server.address.place, table=table, columns=columns)
            self._found = server.all(f"netaclaw_rows_{dialect}")
        self._zoned = [found[name] == "timestamp" and dialect == "mysql" for name in _COLUMNS]

    def _rows(self) -> Iterator[Row]:
        for row in self._found:
            pairs = zip(row, self._zoned, strict=True)
            yield tuple(f"{value}{_UTC}" if zoned and value is not None else value for value, zoned in pairs)


@contextmanager
def open_netaclaw(source: str | Path) -> Generator[Netaclaw]:
    """Open a database of netaclaw for reading, a file or a URL, also while its program writes; it is not changed."""
    if is_server(str(source)):
        yield _Table(str(source))
        return
    path = to_file(source, "path")
    if not path.is_file():
        raise StorageError("file_missing", file=str(path))
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_WAIT_SECONDS, isolation_level=None
        )
    except sqlite3.Error as problem:
        raise to_storage_error(problem, path, _WAIT_SECONDS) from problem
    with closing(connection):
        connection.text_factory = _to_text
        file = _File(path, connection)
        file.begin()
        yield file


def _to_text(stored: bytes) -> str:
    """What is no UTF-8 becomes text that no check lets through, so that it is one bad row and not the end."""
    return stored.decode("utf-8", "surrogateescape")

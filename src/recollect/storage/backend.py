"""The seam between recollect and a database: eight verbs over named queries.

A dialect is one `Database`, the queries that it wants in its own words, and its migrations. Everything that a query
means is written once, in the modules beside this one.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

Row = tuple[Any, ...]

Question = tuple[str, Mapping[str, object]]
"""The name of a query that reads, and its parameters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a database says of itself: engine, version, place, schema, size, and what its own check found wrong."""

    engine: str
    version: str
    place: str
    schema: int
    newest_schema: int
    size_bytes: int
    problems: tuple[str, ...]


class Database(ABC):
    """One database. Its methods may be called from any thread, and after a fork.

    Inside `transaction` every call of the same thread belongs to it. No error of a driver leaves here: what goes wrong
    is a StorageError.
    """

    @abstractmethod
    def run(self, name: str, /, **params: object) -> int:
        """Execute a named query that writes, inside a transaction; return how many rows it changed."""

    @abstractmethod
    def one(self, name: str, /, **params: object) -> Row | None:
        """Return the first row of a named query, or None."""

    @abstractmethod
    def all(self, name: str, /, **params: object) -> list[Row]:
        """Return every row of a named query."""

    @abstractmethod
    def many(self, name: str, rows: Iterable[Row]) -> None:
        """Execute a named query once for each of `rows`, inside a transaction.

        A row gives the values in the order in which the query names its parameters.
        """

    @abstractmethod
    def transaction(self, *asked: Question) -> AbstractContextManager[list[list[Row]]]:
        """Open the one write transaction of this thread: all of it is kept, or none.

        It gives the rows of what is asked as it begins, which costs no waiting beside that for the beginning.
        """

    @abstractmethod
    def migrate(self) -> list[str]:
        """Bring the schema up to this program's; return the names of the steps taken."""

    @abstractmethod
    def describe(self, *, thorough: bool = False) -> Description:
        """Say what and where this database is; `thorough` lets it check itself, which reads all of it."""

    @abstractmethod
    def close(self) -> None:
        """Let go of every connection; calling it again is harmless."""

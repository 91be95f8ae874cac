"""Databases of every engine for a test that needs several: `place("postgres")` is the URL of a new one."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pymysql
import pytest

from recollect import Memory, open_memory
from tests.servers.mysql import arguments
from tests.servers.server import Server

ENGINES = ("sqlite", "postgres", "mysql")
SERVERS = ("postgres", "mysql")

NewPlace = Callable[[str], str]


def connected(url: str) -> Any:
    """Connect to a server with its own driver, beside the product."""
    import psycopg

    return psycopg.connect(url, autocommit=True) if url.startswith("p") else pymysql.connect(**arguments(url))


def asked(url: str, *statements: str) -> list[tuple[Any, ...]]:
    """Run statements on a server and return what the last one found."""
    with connected(url) as connection, connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        found = [*cursor.fetchall()] if cursor.description else []
        connection.commit()
    return found


class Places:
    """Gives a test new databases, and memories that are closed at its end."""

    @pytest.fixture
    def place(self, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[NewPlace]:
        """Make a new and empty place of an engine."""
        made: list[tuple[Server, str]] = []
        numbers = count(1)

        def new(engine: str) -> str:
            if engine == "sqlite":
                return str(tmp_path / f"place{next(numbers)}.db")
            server: Server = request.getfixturevalue(engine)
            made.append((server, server.new_database()))
            return made[-1][1]

        yield new
        for server, url in made:
            server.drop_database(url)

    @pytest.fixture
    def opened(self, place: NewPlace) -> Iterator[Callable[[str], Memory]]:
        """Open a memory at a place."""
        with ExitStack() as stack:
            yield lambda at: stack.enter_context(open_memory(at))

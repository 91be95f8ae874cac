"""Database servers for every test that asks: each started once per run, by the first; see `tests.servers`.

A test that needs tables asks for `postgres_url` or `mysql_url`: an empty database of its own. What a test does to a
server itself, as killing it, it does to one of its own: `postgres_server(private=True)`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.servers import Unavailable

if TYPE_CHECKING:
    from tests.servers.server import Server

# Tests that are about vectors name their embedder: the others are faster and simpler without one.
os.environ.setdefault("RECOLLECT_EMBEDDER__PROVIDER", "none")
CITUS = os.environ.get("RECOLLECT_TEST_CITUS")

# What needs a cluster is not collected where nobody names one, and the first lines of the report say so.
collect_ignore = [] if CITUS else ["conformance/test_citus.py"]


def pytest_report_header() -> str:
    said = (
        "every conformance class, on RECOLLECT_TEST_CITUS"
        if CITUS
        else "none, RECOLLECT_TEST_CITUS names no coordinator"
    )
    return f"cluster: {said}"


# The drivers are imported by the fixtures: a run of the unit tests neither waits for them nor needs them.


def running(stack: ExitStack, server: Callable[[], Server]) -> Server:
    """Start a server; one that cannot be had fails the test in one sentence."""
    try:
        return stack.enter_context(server())
    except Unavailable as why:
        pytest.fail(str(why), pytrace=False)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    from tests.servers.postgres import postgres_server

    with ExitStack() as stack:
        yield running(stack, postgres_server)


@pytest.fixture(scope="session")
def mysql() -> Iterator[Server]:
    from tests.servers.mysql import mysql_server

    with ExitStack() as stack:
        yield running(stack, mysql_server)


@pytest.fixture(scope="session")
def postgres_abroad() -> Iterator[Server]:
    """A PostgreSQL with other ways to write dates, bytes and times, eight hours ahead."""
    from tests.servers.postgres import ABROAD, postgres_server

    with ExitStack() as stack:
        yield running(stack, lambda: postgres_server(options=ABROAD))


@pytest.fixture(scope="session")
def mysql_abroad() -> Iterator[Server]:
    """A MySQL that reads quotes and backslashes otherwise, writes Latin-1, and is eight hours ahead."""
    from tests.servers.mysql import ABROAD, mysql_server

    with ExitStack() as stack:
        yield running(stack, lambda: mysql_server(options=ABROAD))


@pytest.fixture(scope="session")
def citus() -> Iterator[Server]:
    """The coordinator that RECOLLECT_TEST_CITUS names."""
    from tests.servers.postgres import citus_server

    with ExitStack() as stack:
        yield running(stack, citus_server)


def database_of(server: Server) -> Iterator[str]:
    url = server.new_database()
    yield url
    server.drop_database(url)


@pytest.fixture
def postgres_url(postgres: Server) -> Iterator[str]:
    yield from database_of(postgres)


@pytest.fixture
def mysql_url(mysql: Server) -> Iterator[str]:
    yield from database_of(mysql)


@pytest.fixture
def postgres_abroad_url(postgres_abroad: Server) -> Iterator[str]:
    yield from database_of(postgres_abroad)


@pytest.fixture
def mysql_abroad_url(mysql_abroad: Server) -> Iterator[str]:
    yield from database_of(mysql_abroad)

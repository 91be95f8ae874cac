"""Nothing that a driver has to say reaches a program's standard error, whatever happens to its server."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest

from tests.integration.places import SERVERS
from tests.integration.programs import start
from tests.servers.server import Server

PROGRAM = """
import sys
from recollect import StorageError
from recollect.wiring import opened_tables
with opened_tables(sys.argv[1]) as tables:
    database = tables.database
    try:
        with database.transaction():
            database.run("meta_put", name="a", value="1")
            print("began", flush=True)
            sys.stdin.readline()
            for number in range(100):
                database.run("meta_put", name=f"n{number}", value="1")
                database.one("meta_get", name="a")
    except StorageError as problem:
        print(problem.key, flush=True)
"""


def servers() -> dict[str, Callable[[], Server]]:
    from tests.servers.mysql import mysql_server
    from tests.servers.postgres import postgres_server

    return {"postgres": lambda: postgres_server(private=True), "mysql": lambda: mysql_server(private=True)}


@pytest.mark.parametrize("engine", SERVERS)
def test_a_server_that_dies_in_a_transaction(engine: str) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(servers()[engine]())
        program = start(PROGRAM, server.new_database())
        assert program.stdin is not None and program.stdout is not None
        assert program.stdout.readline() == "began\n"
        server.kill()
        said, complained = program.communicate("\n", timeout=60)
        assert (said, complained, program.returncode) == ("unreachable\n", "", 0)

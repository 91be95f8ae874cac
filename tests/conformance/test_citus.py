"""The same on the cluster whose coordinator RECOLLECT_TEST_CITUS names; collected only when it does.

RECOLLECT_TEST_CITUS_WORKER_STOP and RECOLLECT_TEST_CITUS_WORKER_START, where both are given, are commands that end one
of its workers and start it again.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from recollect import Memory, Settings, open_memory
from recollect.domain.errors import StorageError
from recollect.storage.postgres import PostgresDatabase
from recollect.storage.server import Limits
from recollect.storage.shards import distribute, faults, sharding
from recollect.testing import DatabaseConformance, DoorConformance, OpenDatabase, OpenMemory
from tests.conformance.test_servers import door_at, rows_of
from tests.servers.server import Server

STOP = os.environ.get("RECOLLECT_TEST_CITUS_WORKER_STOP")
START = os.environ.get("RECOLLECT_TEST_CITUS_WORKER_START")
OWNERS = 64  # among so many, each of two workers has some
SECONDS = 60


@pytest.fixture
def citus_url(citus: Server) -> Iterator[str]:
    """The URL of a schema of one's own, in which the tables are spread."""
    url = citus.new_database()
    database = PostgresDatabase(url, Limits())
    distribute(database)
    database.close()
    yield url
    citus.drop_database(url)


class TestCitusDatabase(DatabaseConformance):
    @pytest.fixture
    def open_database(self, citus_url: str) -> OpenDatabase:
        return lambda: PostgresDatabase(citus_url, Limits())

    def test_it_is_sharded_and_stays_so(self, open_database: OpenDatabase) -> None:
        database = open_database()
        assert sharding(database).is_sharded
        assert distribute(database) == []
        assert faults(database) == []
        database.close()


class TestCitusDoor(DoorConformance):
    @pytest.fixture
    def open_memory(self, citus_url: str) -> OpenMemory:
        self.url = citus_url
        return door_at(citus_url)

    def stored_bytes(self, memory: Memory, folder: Path) -> bytes:
        with psycopg.connect(self.url) as connection:
            return rows_of(connection)


def test_rows_move_to_the_workers(citus: Server) -> None:
    url = citus.new_database()
    with open_memory(Settings(database=url)) as memory:
        kept = [memory.notes.save(content=f"note {number} 支付", type="user").record for number in range(20)]
    database = PostgresDatabase(url, Limits())
    distribute(database)
    assert all(database.one("shard_left", name=name) is None for name in sharding(database).distributed)
    database.close()
    with open_memory(Settings(database=url)) as memory:
        assert [memory.notes.get(record.id) for record in kept] == kept
        assert memory.notes.search("支付", limit=20)
    citus.drop_database(url)


if STOP and START:

    def test_a_dead_worker_fails_its_owners_alone(citus_url: str) -> None:
        """Others read and write on, on the same connections; afterwards everybody has what was acknowledged."""
        settings = Settings.model_validate({"database": citus_url, "server": {"pool_size": 2}})
        with open_memory(settings) as memory:
            owners = [memory.within(user=f"u{number}") for number in range(OWNERS)]
            acknowledged = [1] * OWNERS
            for owner in owners:
                owner.notes.save(content="before", type="user")
            subprocess.run(STOP, shell=True, check=True)
            try:
                for at, owner in enumerate(owners):
                    try:
                        owner.notes.save(content="meanwhile", type="user")
                        acknowledged[at] += 1
                    except StorageError as problem:
                        assert problem.key == "unreachable"
            finally:
                subprocess.run(START, shell=True, check=True)
            assert 0 < acknowledged.count(1) < OWNERS
            patience = time.monotonic() + SECONDS
            for at, owner in enumerate(owners):
                while True:
                    try:
                        assert len(owner.notes.list().items) == acknowledged[at]
                        break
                    except StorageError:
                        assert time.monotonic() < patience
                        time.sleep(0.2)
                owner.notes.save(content="after", type="user")

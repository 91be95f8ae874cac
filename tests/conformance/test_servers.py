from pathlib import Path
from typing import Any

import psycopg
import pymysql
import pytest

from recollect import Memory, Settings, open_memory
from recollect.storage.mysql import MysqlDatabase
from recollect.storage.postgres import PostgresDatabase
from recollect.storage.server import Limits
from recollect.testing import DatabaseConformance, DoorConformance, OpenDatabase, OpenMemory
from recollect.testing.opening import WORDS_ALONE
from tests.servers.mysql import arguments

TABLES = "meta owners records postings revisions runs tombstones jobs erasures vectors tuning recalls".split()


def door_at(url: str) -> OpenMemory:
    def opened(**choices: Any) -> Memory:
        return open_memory(Settings.model_validate({"database": url, **WORDS_ALONE, **choices}))

    return opened


def rows_of(connection: Any, schema: str = "") -> bytes:
    """Return every value of every table."""
    cursor = connection.cursor()
    values: list[str] = []
    for table in TABLES:
        cursor.execute(f"select * from {schema}{table}")
        values += [str(value) for row in cursor.fetchall() for value in row]
    return "\n".join(values).encode()


class TestPostgresDatabase(DatabaseConformance):
    @pytest.fixture
    def open_database(self, postgres_url: str) -> OpenDatabase:
        return lambda: PostgresDatabase(postgres_url, Limits())


class TestPostgresDoor(DoorConformance):
    @pytest.fixture
    def open_memory(self, postgres_url: str) -> OpenMemory:
        self.url = postgres_url
        return door_at(postgres_url)

    def stored_bytes(self, memory: Memory, folder: Path) -> bytes:
        with psycopg.connect(self.url) as connection:
            return rows_of(connection, "recollect.")


class TestMysqlDatabase(DatabaseConformance):
    @pytest.fixture
    def open_database(self, mysql_url: str) -> OpenDatabase:
        return lambda: MysqlDatabase(mysql_url, Limits())


class TestMysqlDoor(DoorConformance):
    @pytest.fixture
    def open_memory(self, mysql_url: str) -> OpenMemory:
        self.url = mysql_url
        return door_at(mysql_url)

    def stored_bytes(self, memory: Memory, folder: Path) -> bytes:
        with pymysql.connect(**arguments(self.url)) as connection:
            return rows_of(connection)

"""The engines' own full text beside ours: it answers queries by hand and changes nothing that recollect does."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, Refused, Settings, open_memory
from recollect.storage.mysql import MysqlDatabase
from recollect.storage.postgres import PostgresDatabase
from recollect.storage.server import Limits
from recollect.storage.sqlite import SqliteDatabase
from recollect.testing import DatabaseConformance, OpenDatabase, OpenMemory
from recollect.testing.changing import ChangingChecks
from recollect.testing.finding import FindingChecks
from recollect.testing.removing import RemovingChecks
from recollect.testing.saving import SavingChecks
from recollect.testing.undoing import UndoingChecks
from recollect.wiring import set_fulltext
from tests.acceptance.shell import Shell
from tests.integration.places import ENGINES, NewPlace, Places, asked

BY_HAND = {
    "sqlite": "select r.id from records_fulltext as f join records as r on r.row_no = f.rowid"
    " where records_fulltext match '\"{}\"' order by rank",
    "postgres": "select id from recollect.records"
    " where to_tsvector('simple', left(name || ' ' || description || ' ' || content, 100000))"
    " @@ plainto_tsquery('simple', '{}') order by id",
    "mysql": "select id from records where match (name, description, content) against ('\"{}\"' in boolean mode)"
    " order by id",
}


def by_hand(place: str, engine: str, words: str) -> list[int]:
    query = BY_HAND[engine].format(words)
    if engine != "sqlite":
        return [row[0] for row in asked(place, query)]
    with closing(sqlite3.connect(place)) as connection:
        return [row[0] for row in connection.execute(query).fetchall()]


class TestByHand(Places):
    @pytest.mark.parametrize("engine", ENGINES)
    def test_it_follows_every_change(self, place: NewPlace, tmp_path: Path, engine: str) -> None:
        at, shell = place(engine), Shell(tmp_path / "data")
        with open_memory(at) as memory:
            kept = memory.notes.save("deadline of the payment module").record.id
            gone = memory.notes.save("payment of the rent").record.id
            assert shell("db", "fulltext", at, "--json").json["changed"]
            assert by_hand(at, engine, "payment") in ([kept, gone], [gone, kept])
            new = memory.notes.save("a payment in cash").record.id
            memory.notes.update(kept, name="printing", content="deadline of the printing module")
            memory.notes.delete(gone, forget=True)
            assert by_hand(at, engine, "payment") == [new]
            assert by_hand(at, engine, "printing") == [kept]
            assert not shell("db", "fulltext", at, "--json").json["changed"]
            assert [hit.record.id for hit in memory.recall("printing deadline").hits] == [kept]
            assert "removed" in shell("db", "fulltext", at, "--drop").said
            assert "没有" in shell("db", "fulltext", at, "--drop", "--lang", "zh").said
            memory.notes.save("another payment, after it")
            assert memory.upkeep.check().sound

    def test_a_cluster_refuses_it(self, place: NewPlace) -> None:
        at = place("postgres")
        with open_memory(at):
            pass
        asked(at, "set allow_system_table_mods = on", "update pg_extension set extname = 'citus'")
        with pytest.raises(Refused) as refused:
            set_fulltext(at)
        assert refused.value.key == "fulltext_sharded"


class WithFulltext(SavingChecks, ChangingChecks, RemovingChecks, UndoingChecks, FindingChecks):
    """What writes and finds, with the index added before anything is written."""

    @pytest.fixture
    def at(self) -> str:
        raise NotImplementedError

    @pytest.fixture
    def open_memory(self, at: str) -> OpenMemory:
        open_memory(at).close()
        set_fulltext(at)

        def opened(**choices: Any) -> Memory:
            return open_memory(Settings.model_validate({"database": at, **choices}))

        return opened


class TestSqliteDoor(WithFulltext):
    @pytest.fixture
    def at(self, tmp_path: Path) -> str:
        return str(tmp_path / "memory.db")


class TestSqliteDatabase(DatabaseConformance):
    @pytest.fixture
    def open_database(self, tmp_path: Path) -> OpenDatabase:
        SqliteDatabase(tmp_path / "memory.db").close()
        set_fulltext(tmp_path / "memory.db")
        return lambda: SqliteDatabase(tmp_path / "memory.db")


class TestPostgresDatabase(DatabaseConformance):
    @pytest.fixture
    def open_database(self, postgres_url: str) -> Iterator[OpenDatabase]:
        PostgresDatabase(postgres_url, Limits()).close()
        set_fulltext(postgres_url)
        yield lambda: PostgresDatabase(postgres_url, Limits())


class TestMysqlDatabase(DatabaseConformance):
    @pytest.fixture
    def open_database(self, mysql_url: str) -> Iterator[OpenDatabase]:
        MysqlDatabase(mysql_url, Limits()).close()
        set_fulltext(mysql_url)
        yield lambda: MysqlDatabase(mysql_url, Limits())

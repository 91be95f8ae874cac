"""What every database must do with rows: give back what was put in, and one owner's only to that owner."""

from datetime import UTC, datetime, timedelta

import pytest

from recollect.domain.record import Record, Tombstone
from recollect.domain.scope import Scope
from recollect.records.tables import Tables
from recollect.storage.backend import Database, Row
from recollect.storage.history import NEWEST
from recollect.storage.postings import Indexed
from recollect.testing.texts import STORABLE

_MOMENT = datetime(2026, 4, 15, 1, 2, 3, 456789, tzinfo=UTC)
_MEBIBYTE = 1_048_576


def posting(owner_no: int, term: str, record_id: int) -> Row:
    """Return a row of the table `postings`."""
    return (owner_no, term, record_id, 0, 0, 1, 1)


def record(number: int, **fields: object) -> Record:
    """Return a record, plain but for the fields named."""
    plain: dict[str, object] = {"kind": "note", "type": "user", "name": "n", "description": "", "content": "c"}
    moments = {"created_at": _MOMENT, "updated_at": _MOMENT}
    return Record(id=number, **{**plain, **moments, **fields})  # pyright: ignore[reportArgumentType]


class RowChecks:
    """Values go in and come out as they are, and every read is one owner's."""

    @pytest.fixture
    def tables(self, database: Database) -> Tables:
        """Return the tables of an empty database."""
        return Tables(database)

    @pytest.mark.parametrize("text", STORABLE)
    def test_text_comes_back_as_it_was(self, database: Database, text: str) -> None:
        with database.transaction():
            database.run("meta_put", name=text, value=text)
        assert database.one("meta_get", name=text) == (text,)

    def test_a_mebibyte_comes_back_as_it_was(self, tables: Tables) -> None:
        long = "记忆🧠x" * (_MEBIBYTE // len("记忆🧠x".encode()))
        with tables.database.transaction():
            tables.records.add(1, [(record(1, content=long), b"f", 1)])
        found = tables.records.get(1, Scope(user="one"), 1)
        assert found is not None and found.content == long

    def test_names_are_compared_byte_for_byte(self, database: Database) -> None:
        names = ["bot", "Bot", "bot ", " bot", "bót", "bo\u0301t", "ｂｏｔ", "b%t", "b_t", "BOT"]
        with database.transaction():
            for name in names:
                assert database.run("meta_put", name=name, value=name) == 1
        assert [database.one("meta_get", name=name) for name in names] == [(name,) for name in names]

    def test_every_field_of_a_record_comes_back(self, tables: Tables) -> None:
        full = record(
            7,
            kind="fact",
            type="project",
            name="名字 \"quoted\" 'n'",
            description="a\nb",
            content="🧠 content",
            metadata={"深": {"list": [1, 2.5, None, True], "text": "é"}},
            labels=("b", "a", "标签"),
            importance=99,
            pinned=True,
            agent="coach",
            session="s",
            space="room",
            key="k",
            status="pending",
            source="imported",
            trust=1,
            updated_at=_MOMENT + timedelta(days=1, microseconds=1),
            expires_at=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
            version=12,
        )
        with tables.database.transaction():
            tables.records.add(1, [(full, b"\x00\xff", 42)])
        scope = Scope(user="one", agent="coach", session="s")
        assert tables.records.get(1, scope, 7) == full
        bare = record(8)
        with tables.database.transaction():
            tables.records.add(1, [(bare, b"", 0)])
        assert tables.records.get(1, scope, 8) == bare

    def test_a_record_is_written_back_at_the_version_it_was_read(self, tables: Tables) -> None:
        with tables.database.transaction():
            tables.records.add(1, [(record(1), b"f", 1)])
            changed = record(1, content="changed", version=2)
            assert tables.records.put(1, changed, b"f", 1, read_version=1)
            assert not tables.records.put(1, record(1, content="late", version=2), b"f", 1, read_version=1)
        assert tables.records.get(1, Scope(user="one"), 1) == changed

    def test_bytes_come_back_as_they_were(self, tables: Tables) -> None:
        digest = bytes(range(256))[:64]
        stone = Tombstone(agent="", form="text", digest=digest, at=_MOMENT)
        with tables.database.transaction():
            tables.tombstones.put(1, stone)
            tables.tombstones.put(1, stone)
        assert tables.tombstones.list(1) == [stone]
        assert tables.tombstones.holds(1, "coach", digest)
        assert not tables.tombstones.holds(1, "coach", digest[:-1])

    def test_a_key_is_held_once_among_the_active(self, tables: Tables) -> None:
        with tables.database.transaction():
            tables.records.add(1, [(record(1, key="k", status="trashed"), b"a", 1)])
            tables.records.add(1, [(record(2, key="k"), b"b", 1)])
            assert tables.records.same_key(1, record(3, key="k")) == 2
            assert tables.records.same_key(1, record(3, key="k", agent="other")) is None
            assert tables.records.same_key(2, record(3, key="k")) is None

    def test_many_takes_any_number_of_rows(self, tables: Tables) -> None:
        terms = [f"词{number:05}" for number in range(3_000)]
        with tables.database.transaction():
            tables.database.many("posting_add", [])
            tables.database.many("posting_add", (posting(1, term, 1) for term in terms))
            tables.postings.remove(1, 1, Indexed({"词00000": 1}, {}, {"词00001": 1}))
        left = tables.postings.find(1, terms)
        assert sorted(row[0] for row in left) == terms[2:]

    def test_what_begins_with_a_character_is_added_up(self, tables: Tables) -> None:
        with tables.database.transaction():
            indexed = Indexed(
                {"茶": 1}, {"茶叶": 2}, {"茶": 1, "茶叶": 1, "茶\U0010fffe": 1, "査": 5, "茷": 5, "tea": 1}
            )
            tables.postings.add(1, [(7, indexed), (9, Indexed({}, {}, {"茶杯": 3})), (8, Indexed({}, {}, {"叶茶": 1}))])
        assert tables.postings.beginning(1, "茶", 100) == [("茶", 7, 1, 2, 3, indexed.length), ("茶", 9, 0, 0, 3, 3)]
        assert tables.postings.beginning(2, "茶", 100) == []
        assert sum(row[4] for row in tables.postings.beginning(1, "茶", 2)) <= 4

    def test_postings_are_found_counted_and_newest_first(self, tables: Tables) -> None:
        with tables.database.transaction():
            tables.database.many("posting_add", [posting(1, "a", number) for number in range(1, 8)])
        assert [row[1] for row in tables.postings.newest(1, "a", 3)] == [7, 6, 5]
        probe = tables.postings.probe(1, ["a", "b", "'\""], 5)
        assert probe["a"] == (5, 3)
        assert (probe["b"].seen, probe["'\""].seen) == (0, 0)
        assert sorted(tables.postings.find(1, ["a", "b"])) == [("a", number, 0, 0, 1, 1) for number in range(1, 8)]

    def test_nothing_is_found_of_an_owner_that_never_wrote(self, tables: Tables) -> None:
        scope = Scope(user="nobody")
        assert tables.owners.get(scope.owner_id) is None
        assert tables.owners.by_no(99) is None
        assert tables.owners.scope_of(99) is None
        assert tables.owners.recount(99) == (0, 0)
        assert tables.records.get_many(99, scope, [1, 2]) == {}
        assert tables.records.pinned(99, scope, _MOMENT) == []
        assert tables.records.every(99, 0, 10) == []
        assert tables.records.same_text(99, b"f") is None
        assert tables.postings.find(99, ["a"]) == []
        assert tables.revisions.get(99, 1) is None
        assert tables.runs.get(99, 1) is None
        assert tables.tombstones.list(99) == []
        assert set(tables.erasures.count(99).values()) == {0}

    def test_owners_never_see_each_other(self, tables: Tables) -> None:
        """Two owners have records of the same ids, terms and fingerprints; each finds its own."""
        with tables.database.transaction():
            everyone = {tables.owners.add(scope).no: scope for scope in (Scope(user="one"), Scope(user="two"))}
            first, second = everyone
            for owner in everyone:
                whose = record(1, content=f"of {owner}", pinned=True)
                tables.records.add(owner, [(whose, b"same", 1)])
                trashed = record(2, content=f"trash of {owner}", status="trashed")
                tables.records.add(owner, [(trashed, b"same", 1)])
                tables.database.many("posting_add", [posting(owner, "a", 1 if owner == first else 2)])
        for owner, scope in everyone.items():
            mine, trash = f"of {owner}", f"trash of {owner}"
            assert {one.content for one in tables.records.get_many(owner, scope, [1, 2, 3]).values()} == {mine, trash}
            assert [one.content for one in tables.records.pinned(owner, scope, _MOMENT)] == [mine]
            assert [one.content for one in tables.records.every(owner, 0, 10)] == [mine, trash]
            assert [one.content for one in _page(tables, owner, scope, "trashed")] == [trash]
            assert [one.content for one in _page(tables, owner, scope, "active")] == [mine]
            held = 1 if owner == first else 2
            assert [row[1] for row in tables.postings.find(owner, ["a"])] == [held]
            assert [row[1] for row in tables.postings.newest(owner, "a", 9)] == [held]
            assert tables.postings.probe(owner, ["a"], 9)["a"].seen == 1
        with tables.database.transaction():
            tables.records.remove(first, 1)
            tables.postings.remove(first, 2, Indexed({}, {}, {"a": 1}))
            tables.erasures.erase(first)
        kept = [one.content for one in tables.records.every(second, 0, 10)]
        assert kept == [f"of {second}", f"trash of {second}"]
        assert [row[1] for row in tables.postings.find(second, ["a"])] == [2]
        assert tables.owners.get(everyone[first].owner_id) is None

    def test_ids_beyond_any_number_find_nothing(self, tables: Tables) -> None:
        scope = Scope(user="one")
        with tables.database.transaction():
            for owner in (1, 2):
                tables.records.add(owner, [(record(1), b"f", 1)])
        far = [0, -1, 2**32, 2**32 + 1, 2 * 2**32 + 1, NEWEST]
        assert tables.records.get_many(1, scope, far) == {}
        for number in far:
            assert tables.revisions.get(1, number) is None
            assert tables.records.get(2, Scope(user="two"), number) is None


def _page(tables: Tables, owner: int, scope: Scope, status: str) -> list[Record]:
    conditions = {"kind": "note", "space": "", "status": status, "type": None, "labels": (), "now": _MOMENT}
    window = {"changed_before": None, "changed_since": None, "before": NEWEST, "limit": 10}
    return tables.records.page(owner, scope, **conditions, **window)  # pyright: ignore[reportArgumentType]

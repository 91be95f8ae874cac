"""What a Database must do, whatever engine stands behind it: its eight verbs, its transactions, its errors."""

import re
import threading
from collections.abc import Callable, Iterator
from importlib.resources import files

import pytest

from recollect.domain.errors import StorageError
from recollect.storage.backend import Database
from recollect.testing.opening import THREADS, in_threads
from recollect.testing.rows import RowChecks, posting

OpenDatabase = Callable[[], Database]
"""Opens a Database, always on the same place."""

_ROUNDS = 25
_TEXT_PARAMETERS = (
    "action active_key actor agent answer asked_by changes content description end floors form held "
    "idempotency_key kind labels last_error mention metadata model name named owner_id payload progress "
    "question queue record_key session source space status tenant term type user_name value"
).split()
_CHOSEN = {"kind": "note", "status": "active"}
_LISTS = {
    "ids": [1, 2],
    "terms": ["text"],
    "labels": ["text"],
    "queues": ["text"],
    "fingerprints": [bytes(16)],
    "digests": [bytes(32)],
}
_BULK = (  # a dialect may have another way to insert many rows than one by one
    "record_add revision_add posting_add vector_add copy_add_runs copy_add_tombstones copy_add_jobs "
    "copy_add_recalls copy_add_tuning"
).split()
_BYTE_PARAMETERS = "body_hash digest fingerprint owner_mac vector".split()


def _common_queries() -> list[tuple[str, str]]:
    text = files("recollect.storage").joinpath("queries", "common.sql").read_text(encoding="utf-8")
    pieces = re.split(r"^-- name: (\w+)$", text, flags=re.MULTILINE)[1:]
    return list(zip(pieces[::2], pieces[1::2], strict=True))


def parameters_of(query: str) -> dict[str, object]:
    """Return a value of the right type for every parameter of a query."""
    statement = re.sub(r"^--.*$", "", query, flags=re.MULTILINE)
    found: dict[str, object] = dict.fromkeys(re.findall(r":(\w+)", statement), 1)
    found.update((name, "text") for name in _TEXT_PARAMETERS if name in found)
    found.update((name, value) for name, value in _CHOSEN.items() if name in found)
    found.update((name, value) for name, value in _LISTS.items() if name in found)
    if "hashed" in found:  # an owner is found by either, as a dialect likes
        found["owner_id"] = "text"
    found.update((name, b"\x00\xff") for name in _BYTE_PARAMETERS if name in found)
    return found


def remembered(database: Database, name: str) -> str | None:
    """Return a value of the table `meta`, the simplest there is."""
    row = database.one("meta_get", name=name)
    return None if row is None else row[0]


class DatabaseConformance(RowChecks):
    """Every back end passes this whole. Subclasses give the fixture `open_database`."""

    @pytest.fixture
    def open_database(self) -> OpenDatabase:
        """Return what opens databases on one new and empty place."""
        raise NotImplementedError("a subclass of DatabaseConformance gives the fixture open_database")

    @pytest.fixture
    def database(self, open_database: OpenDatabase) -> Iterator[Database]:
        """Give an open and empty database."""
        database = open_database()
        yield database
        database.close()

    # transactions

    def test_what_a_transaction_wrote_is_there_afterwards(self, database: Database) -> None:
        with database.transaction():
            assert database.run("meta_put", name="colour", value="green") == 1
        assert remembered(database, "colour") == "green"

    def test_what_a_transaction_wrote_is_there_after_opening_again(self, open_database: OpenDatabase) -> None:
        for value in ("green", "blue"):
            database = open_database()
            with database.transaction():
                database.run("meta_put", name=value, value=value)
            database.close()
        again = open_database()
        assert (remembered(again, "green"), remembered(again, "blue")) == ("green", "blue")
        again.close()

    @pytest.mark.parametrize("problem", [ValueError, StorageError, KeyboardInterrupt])
    def test_an_error_takes_everything_back(self, database: Database, problem: type[BaseException]) -> None:
        with pytest.raises(problem), database.transaction():
            database.run("meta_put", name="colour", value="green")
            database.many("posting_add", [posting(1, "a", 1), posting(1, "b", 1)])
            raise problem("disk_full")
        assert remembered(database, "colour") is None
        assert database.all("posting_newest", owner_no=1, term="a", limit=9) == []
        with database.transaction():
            database.run("meta_put", name="colour", value="blue")
        assert remembered(database, "colour") == "blue"

    def test_a_broken_statement_takes_everything_back(self, database: Database) -> None:
        with pytest.raises(StorageError), database.transaction():
            database.run("meta_put", name="colour", value="green")
            database.many("posting_add", [posting(1, "a", 1), posting(1, "a", 1)])
        assert remembered(database, "colour") is None
        assert database.all("posting_newest", owner_no=1, term="a", limit=9) == []

    def test_a_transaction_reads_what_it_wrote(self, database: Database) -> None:
        with database.transaction():
            database.run("meta_put", name="colour", value="green")
            database.many("posting_add", [posting(1, "a", 1)])
            assert remembered(database, "colour") == "green"
            assert len(database.all("posting_newest", owner_no=1, term="a", limit=9)) == 1

    def test_a_transaction_gives_what_is_asked_as_it_begins(self, database: Database) -> None:
        with database.transaction() as answers:
            assert answers == []
            database.many("meta_put", [("colour", "green"), ("size", "large")])
        asked = [("meta_get", {"name": name}) for name in ("colour", "none", "size")]
        with database.transaction(*asked) as answers:
            assert answers == [[("green",)], [], [("large",)]]
            database.run("meta_put", name="none", value="some")
        assert remembered(database, "none") == "some"

    def test_a_question_that_fails_begins_nothing(self, database: Database) -> None:
        for _ in range(20):
            with pytest.raises(StorageError), database.transaction(("meta_get", {"name": 2**63})):
                raise AssertionError("a transaction began")
        with database.transaction(("meta_get", {"name": "colour"})) as answers:
            assert answers == [[]]

    def test_others_read_meanwhile_and_see_nothing_of_it(self, open_database: OpenDatabase) -> None:
        database, other = open_database(), open_database()
        with database.transaction():
            database.run("meta_put", name="colour", value="green")
            seen = in_threads(lambda _: (remembered(database, "colour"), remembered(other, "colour")), 2)
        assert seen == [(None, None)] * 2
        assert in_threads(lambda _: remembered(database, "colour"), 1) == ["green"]
        assert remembered(other, "colour") == "green"
        database.close()
        other.close()

    def test_there_is_one_transaction_a_thread(self, database: Database) -> None:
        with database.transaction():
            database.run("meta_put", name="colour", value="green")
            with pytest.raises(RuntimeError), database.transaction():
                pass
            database.run("meta_put", name="shape", value="round")
        assert (remembered(database, "colour"), remembered(database, "shape")) == ("green", "round")

    def test_writing_needs_a_transaction(self, database: Database) -> None:
        with pytest.raises(RuntimeError):
            database.run("meta_put", name="colour", value="green")
        with pytest.raises(RuntimeError):
            database.many("posting_add", [posting(1, "a", 1)])
        assert remembered(database, "colour") is None

    def test_a_transaction_belongs_to_its_thread(self, database: Database) -> None:
        def write(_: int) -> None:
            database.run("meta_put", name="colour", value="green")

        with database.transaction(), pytest.raises(RuntimeError):
            in_threads(write, 1)
        assert remembered(database, "colour") is None

    # many at once

    def test_eight_threads_write_and_none_is_lost(self, open_database: OpenDatabase) -> None:
        databases = [open_database(), open_database()]
        with databases[0].transaction():
            who = {"tenant": "t", "user_name": "u", "created_at": 0}
            databases[0].run("owner_add", owner_id="o", hashed=1, **who)

        def count_on(number: int) -> None:
            database = databases[number % 2]
            for _ in range(_ROUNDS):
                with database.transaction():
                    row = database.one("owner_hold", owner_id="o", hashed=1)
                    assert row is not None
                    counters = dict.fromkeys(("next_run", "next_job", "active_count", "length_sum"), 0)
                    after = {"next_record": row[1] + 1, "next_revision": row[2] + 1, **counters}
                    assert database.run("owner_put", owner_no=1, **after) == 1
                    database.many("posting_add", [posting(1, "a", row[1])])

        in_threads(count_on)
        row = databases[1].one("owner_by_no", owner_no=1)
        assert row is not None and row[1:3] == (1 + THREADS * _ROUNDS, 1 + THREADS * _ROUNDS)
        assert len(databases[0].all("posting_newest", owner_no=1, term="a", limit=1_000)) == THREADS * _ROUNDS
        for database in databases:
            database.close()

    def test_nobody_reads_half_a_transaction(self, database: Database) -> None:
        done = threading.Event()

        def write_or_read(number: int) -> None:
            if number:
                while not done.is_set():
                    assert len(database.all("posting_newest", owner_no=1, term="a", limit=1_000)) % 2 == 0
                return
            try:
                for at in range(_ROUNDS):
                    with database.transaction():
                        database.many("posting_add", [posting(1, "a", 2 * at + 1)])
                        database.many("posting_add", [posting(1, "a", 2 * at + 2)])
            finally:
                done.set()

        in_threads(write_or_read, 3)
        assert len(database.all("posting_newest", owner_no=1, term="a", limit=1_000)) == 2 * _ROUNDS

    def test_all_may_open_a_new_place_at_once(self, open_database: OpenDatabase) -> None:
        databases = in_threads(lambda _: open_database())
        for at, database in enumerate(databases):
            with database.transaction():
                database.run("meta_put", name=str(at), value="here")
        assert all(remembered(databases[0], str(at)) == "here" for at in range(THREADS))
        for database in databases:
            database.close()

    # errors

    @pytest.mark.parametrize(
        "params",
        [
            {},
            {"name": "colour", "value": None},
            {"name": "colour", "value": 10**40},
            {"name": "colour", "value": "\ud800"},
            {"name": "colour", "value": object()},
        ],
        ids=["missing", "null", "huge", "surrogate", "object"],
    )
    def test_no_error_of_a_driver_escapes_a_write(self, database: Database, params: dict[str, object]) -> None:
        with pytest.raises(StorageError) as caught, database.transaction():
            database.run("meta_put", **params)
        assert caught.value.text("zh") and caught.value.text("en")
        assert remembered(database, "colour") is None

    @pytest.mark.parametrize("value", [10**40, "\ud800", object()], ids=["huge", "surrogate", "object"])
    def test_no_error_of_a_driver_escapes_a_read(self, database: Database, value: object) -> None:
        for verb in (database.one, database.all):
            with pytest.raises(StorageError):
                verb("meta_get", name=value)
        with pytest.raises(StorageError), database.transaction():
            database.many("posting_add", [(1, value, 1, 0, 0, 1, 1)])

    def test_a_failed_read_leaves_the_next_one_alone(self, database: Database) -> None:
        for _ in range(20):
            with pytest.raises(StorageError):
                database.one("meta_get")
        assert remembered(database, "colour") is None

    # life

    def test_closing_twice_is_harmless(self, database: Database) -> None:
        database.close()
        database.close()

    def test_use_after_close_is_an_error(self, database: Database) -> None:
        database.close()
        uses: list[Callable[[], object]] = [
            lambda: database.one("meta_get", name="colour"),
            lambda: database.all("meta_get", name="colour"),
            database.describe,
            database.migrate,
            lambda: database.transaction().__enter__(),
        ]
        for use in uses:
            with pytest.raises(StorageError) as caught:
                use()
            assert caught.value.key == "closed"

    def test_closing_one_leaves_the_others_open(self, open_database: OpenDatabase) -> None:
        one, other = open_database(), open_database()
        one.close()
        with other.transaction():
            other.run("meta_put", name="colour", value="green")
        assert remembered(other, "colour") == "green"
        other.close()

    def test_it_describes_itself(self, database: Database) -> None:
        for thorough in (False, True):
            said = database.describe(thorough=thorough)
            assert said.engine and said.version and said.place
            assert said.schema == said.newest_schema >= 1
            assert said.size_bytes > 0
            assert said.problems == ()

    def test_migrating_again_changes_nothing(self, database: Database) -> None:
        with database.transaction():
            database.run("meta_put", name="colour", value="green")
        before = database.describe()
        assert database.migrate() == []
        assert database.migrate() == []
        assert database.describe().schema == before.schema
        assert remembered(database, "colour") == "green"

    @pytest.mark.parametrize(("name", "query"), _common_queries(), ids=[name for name, _ in _common_queries()])
    def test_every_common_query_is_understood(self, database: Database, name: str, query: str) -> None:
        params = parameters_of(query)
        with pytest.raises(InterruptedError), database.transaction():
            if name in _BULK:
                database.many(name, [tuple("[]" if isinstance(value, list) else value for value in params.values())])
            elif re.search(r"^\s*select", re.sub(r"^--.*$", "", query, flags=re.MULTILINE)):
                assert isinstance(database.all(name, **params), list)
            else:
                assert database.run(name, **params) >= 0
            raise InterruptedError

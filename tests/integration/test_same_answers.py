"""The same notes and the same questions give the same ids in the same order on every engine, from few rows."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import UTC, datetime

import pytest

from bench.text import Texts
from recollect.domain import clock
from recollect.domain.query import Found, Query
from recollect.domain.ranking import ROW_BUDGET
from recollect.domain.record import Draft
from recollect.domain.scope import Scope
from recollect.recall.recalling import Recalling
from recollect.records.saving import Policy, Saving
from recollect.records.tables import Tables
from recollect.settings import ServerSettings
from recollect.storage.backend import Database, Description, Question, Row
from recollect.testing.texts import HOSTILE_QUERIES
from recollect.wiring import open_database

NOTES = 2_000
QUESTIONS = 300
EVERY_SIXTH = 6  # enough where only the conditions differ
MOMENT = datetime(2026, 4, 15, tzinfo=UTC)
SCOPE = Scope(user="u1", agent="coach")


class Counting(Database):
    """A database that counts the rows which its connection gives."""

    def __init__(self, inner: Database) -> None:
        self.inner = inner
        self.rows: Counter[str] = Counter()

    def run(self, name: str, /, **params: object) -> int:
        return self.inner.run(name, **params)

    def one(self, name: str, /, **params: object) -> Row | None:
        self.rows[name] += 1
        return self.inner.one(name, **params)

    def all(self, name: str, /, **params: object) -> list[Row]:
        found = self.inner.all(name, **params)
        self.rows[name] += len(found)
        return found

    def many(self, name: str, rows: Iterable[Row]) -> None:
        self.inner.many(name, rows)

    def transaction(self, *asked: Question) -> AbstractContextManager[list[list[Row]]]:
        return self.inner.transaction(*asked)

    def migrate(self) -> list[str]:
        return self.inner.migrate()

    def describe(self, *, thorough: bool = False) -> Description:
        return self.inner.describe(thorough=thorough)

    def close(self) -> None:
        self.inner.close()


@contextmanager
def filled(url: str, texts: Texts) -> Generator[Counting]:
    database = Counting(open_database(url, ServerSettings()))
    saving = Saving(Tables(database), Policy())
    notes = texts.notes("small", 0, NOTES)
    drafts = [
        Draft(content=note.content, name=note.name, type=note.type, importance=at % 101, labels=(f"l{at % 3}",))
        for at, note in enumerate(notes)
    ]
    with clock.running(lambda: MOMENT):
        saving.save_many(SCOPE, drafts)
        saving.save_many(Scope(user="u2", agent="coach"), drafts[:50])
    yield database
    database.close()


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[list[Counting]]:
    texts = Texts(7)
    servers = [request.getfixturevalue(name) for name in ("postgres", "mysql")]
    places = [str(tmp_path_factory.mktemp("same") / "memory.db"), *(server.new_database() for server in servers)]
    with ExitStack() as stack:
        yield [stack.enter_context(filled(place, texts)) for place in places]
    for server, place in zip(servers, places[1:], strict=True):
        server.drop_database(place)


def questions() -> list[str]:
    asked = [text for _, text in Texts(7).queries(QUESTIONS, "small")]
    return [*asked, *HOSTILE_QUERIES]


def answered(database: Counting, text: str, **conditions: object) -> Found:
    with clock.running(lambda: MOMENT):
        query = Query(text=text, limit=20, **conditions)  # pyright: ignore[reportArgumentType]
        return Recalling(Tables(database), language="en").recall(SCOPE, query, language="zh")


@pytest.mark.parametrize("conditions", [{}, {"min_score": 0.0}, {"type": "project", "labels": ("l1",)}], ids=str)
def test_every_engine_gives_the_same_ids_in_the_same_order(
    engines: list[Counting], conditions: dict[str, object]
) -> None:
    given = 0
    for text in questions()[:: EVERY_SIXTH if conditions else 1]:
        answers = [answered(database, text, **conditions) for database in engines]
        shown = [[(hit.record.id, hit.score) for hit in answer.hits] for answer in answers]
        assert shown[0] == shown[1] == shown[2], text
        assert answers[0].left_out == answers[1].left_out == answers[2].left_out, text
        given += len(shown[0])
    assert given > QUESTIONS / 6


def test_no_question_reads_an_owner_whole(engines: list[Counting]) -> None:
    """At most 2,000 rows and one term, then the records that may be answers; never 2,000 notes and their terms."""
    for database in engines:
        for text in questions()[::3]:
            database.rows.clear()
            answered(database, text)
            terms = sum(count for name, count in database.rows.items() if name.startswith("posting_"))
            records = sum(count for name, count in database.rows.items() if name.startswith("record"))
            assert terms <= 2 * ROW_BUDGET + 300 and records <= NOTES, (text, database.rows)


def test_paging_and_histories_are_the_same(engines: list[Counting]) -> None:
    pages = []
    for database in engines:
        tables = Tables(database)
        owner = tables.owners.get(SCOPE.owner_id)
        assert owner is not None
        found = tables.records.every(owner.no, 0, 500)
        pages.append([(one.id, one.name, one.content, one.labels, one.importance, one.updated_at) for one in found])
    assert pages[0] == pages[1] == pages[2] and len(pages[0]) == 500

"""The first decision, measured: postings that we write ourselves, beside what the engine's full text offers.

One owner of 1,000 notes is asked while the notes of others grow. Each design answers the same questions with ids, best
first as far as it ranks at all; fetching the records is left out everywhere.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import recollect
from bench.building import Shape, cache_folder, copy, others, work_folder
from bench.fulltext import FullText
from bench.report import Request, Row, Table, say, write
from bench.speed import ask, save_in_batches, trigram_others
from bench.text import Texts
from bench.timing import told
from bench.trigram import Trigram
from recollect.domain.scope import Scope
from recollect.recall.candidates import lexical
from recollect.records.tables import Tables
from recollect.storage.sqlite import SqliteDatabase

_OWN = 1_000
_EACH = 1_000
_LIMIT = 10
_OWN_NUMBER = 1_000_000
_TRIGRAM_QUESTIONS = 100
_POSTING_BYTES = "select coalesce(sum(pgsize), 0) from dbstat where name = 'postings'"
_JOINED = """
select p.term, p.id, p.tf_name, p.tf_description, p.tf_content, r.length
from json_each(:terms) as wanted
cross join postings as p on p.owner_no = :owner_no and p.term = wanted.value
cross join records as r on r.row_no = p.owner_no << 32 | p.id
"""


class _JoinedDatabase(SqliteDatabase):
    """Ours, as it would be without the lengths of records in the postings."""

    def _begin_empty(self) -> None:
        super()._begin_empty()
        self._queries = {**self._queries, "posting_find": _JOINED}


def run(request: Request) -> Path:
    """Ask every design beside ever more notes of others and write the result."""
    texts = Texts(request.seed)
    queries = texts.queries(100 if request.quick else 1_000, "own")
    owners = (2,) if request.quick else (10, 100, 1_000) if request.full else (10, 100)
    rows = [row for count in owners for row in _measured(texts, Shape(count, _EACH), queries)]
    note = (
        f"An owner of {_OWN:,} notes beside others of {_EACH:,} each; {len(queries):,} distinct questions to each "
        f"design in turns, the first {_TRIGRAM_QUESTIONS} to `baseline-trigram`, which is asked apart. `bytes/note` is "
        "what the index alone takes. `postings, joined` keeps the lengths in the records. `fts5-terms` gives our "
        "terms to the engine and ranks with bm25(). `answered` counts questions with an answer."
    )
    return write("postings", request, (Table(title="Asking", note=note, rows=rows),))


def _measured(texts: Texts, shape: Shape, queries: Sequence[tuple[str, str]]) -> list[Row]:
    rows: list[Row] = []
    with ExitStack() as stack:
        folder = stack.enter_context(work_folder())
        ours = copy(others(texts, shape), folder / "ours.db")
        with recollect.open_memory(ours).within(user="own", agent="") as memory:
            save_in_batches(memory, texts.notes("own", 0, _OWN))
        with closing(sqlite3.connect(ours)) as connection:
            size = connection.execute(_POSTING_BYTES).fetchone()[0]
        fulltext = stack.enter_context(closing(FullText(copy(_fulltext_others(texts, shape), folder / "terms.db"))))
        fulltext.save(_OWN_NUMBER, 1, texts.notes("own", 0, _OWN))
        designs: dict[str, tuple[int, Callable[[str], bool]]] = {
            "postings": (size, stack.enter_context(_asker(SqliteDatabase(ours)))),
            "postings, joined": (size, stack.enter_context(_asker(_JoinedDatabase(ours)))),
            "fts5-terms": (
                (folder / "terms.db").stat().st_size,
                lambda text: bool(fulltext.search(_OWN_NUMBER, text, _LIMIT)),
            ),
        }
        askers = [asked for _, asked in designs.values()]
        ask(askers, queries[:40], "warming up")
        laps, answered = ask(askers, queries, f"others: {shape.label}")
        for name, found, count in zip(designs, laps, answered, strict=True):
            each = round(designs[name][0] / (shape.notes + _OWN))
            rows.append({"others": shape.label, "design": name, "bytes/note": each, **found["all"].row()})
            rows[-1]["answered"] = count
    return [*rows, _trigram(texts, shape, queries[:_TRIGRAM_QUESTIONS])]


@contextmanager
def _asker(database: SqliteDatabase) -> Iterator[Callable[[str], bool]]:
    """Give what ranks the notes of the own owner for a question, as recall does before it reads any record."""
    tables, owner_id = Tables(database), Scope(user="own").owner_id

    def best(text: str) -> bool:
        owner = tables.owners.get(owner_id)
        found = lexical(tables, owner, text).coverage if owner else {}
        return bool(sorted(found, key=lambda record_id: (-found[record_id], -record_id))[:_LIMIT])

    yield best
    database.close()


def _fulltext_others(texts: Texts, shape: Shape) -> Path:
    """Return a file of that design with the notes of others, built now unless it is there."""
    final = cache_folder() / f"fulltext-{shape.owners}x{shape.each}-{texts.seed}.db"
    if not final.exists():
        part = final.with_suffix(".part")
        part.unlink(missing_ok=True)
        with closing(FullText(part)) as base:
            for number in told(range(1, shape.owners + 1), shape.owners, f"fts5-terms {shape.label}: owners"):
                base.save(number, 1, texts.notes(f"other-{number}", 0, shape.each))
        part.rename(final)
    return final


def _trigram(texts: Texts, shape: Shape, queries: Sequence[tuple[str, str]]) -> Row:
    with work_folder() as folder:
        path = copy(trigram_others(texts, shape), folder / "trigram.db")
        with closing(Trigram(path)) as base:
            base.save("own", texts.notes("own", 0, _OWN))
            say(f"baseline-trigram, others: {shape.label}")
            laps, [answered] = ask(
                [lambda text: bool(base.search("own", text, _LIMIT))], queries, f"baseline-trigram {shape.label}"
            )
    row: Row = {"others": shape.label, "design": "baseline-trigram", "bytes/note": None, **laps[0]["all"].row()}
    return {**row, "answered": answered}

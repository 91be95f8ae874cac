"""Saving and recalling on database servers: durable, beside a one-row insert, and as the notes of others grow.

The servers are started for the bench alone, with the settings that keep what was acknowledged through a loss of power;
what they say of these settings is read back and shown. `baseline-ngram` is the usual design on MySQL: one table for
everybody with a full-text index over pairs of characters.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pymysql

import recollect
from bench.building import work_folder
from bench.report import Request, Row, Table, say, write
from bench.speed import ask, asker, save_in_batches, save_one_by_one
from bench.text import Note, Texts
from bench.timing import Laps, told
from recollect.memory import Memory
from tests.servers.mysql import arguments, mysql_server
from tests.servers.postgres import postgres_server
from tests.servers.server import Server

_OWN = 1_000
_EACH = 1_000  # notes of each other owner
_OTHERS_LENGTH = 24  # characters of the notes of others: their number counts here, not their length
_DURABLE = {
    "PostgreSQL": ("fsync", "synchronous_commit", "full_page_writes"),
    "MySQL": ("innodb_flush_log_at_trx_commit", "sync_binlog"),
}
_NGRAM = """
create table agent_notes (
    id int auto_increment primary key, agent_name varchar(100) not null, user_id varchar(100) not null,
    type enum('user', 'project', 'feedback', 'reference') not null, name varchar(255) not null, content text not null,
    description varchar(500) not null default '', key owner (agent_name, user_id),
    fulltext key words (name, content, description) with parser ngram
) engine = InnoDB, character set utf8mb4
"""
_NGRAM_ADD = "insert into agent_notes (agent_name, user_id, type, name, content) values ('', %s, %s, %s, %s)"
_NGRAM_SEARCH = """
select * from agent_notes where match (name, content, description) against (%s in boolean mode)
    and agent_name = '' and user_id = %s limit 5
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sizes:
    others: tuple[int, ...]
    queries: int
    one_by_one: int


_QUICK = _Sizes(others=(1_000, 2_000), queries=60, one_by_one=60)
_USUAL = _Sizes(others=(10_000, 100_000), queries=1_000, one_by_one=1_000)
_FULL = _Sizes(others=(10_000, 100_000, 1_000_000), queries=2_000, one_by_one=2_000)


@contextmanager
def _started(engine: str, folder: Path) -> Iterator[Server]:
    start: Callable[..., Any] = postgres_server if engine == "PostgreSQL" else mysql_server
    memory = {"shared_buffers": "1GB"} if engine == "PostgreSQL" else {"innodb_buffer_pool_size": "1G"}
    with start(durable=True, private=True, options=memory, folder=folder) as server:
        yield server


def run(request: Request) -> Path:
    """Measure both servers and write the result."""
    sizes = _QUICK if request.quick else _FULL if request.full else _USUAL
    texts = Texts(request.seed)
    saved: list[Row] = []
    recalled: list[Row] = []
    settings: list[Row] = []
    for engine in _DURABLE:
        with work_folder() as folder, ExitStack() as stack:
            folder.chmod(0o755)  # a server that root starts runs as somebody else
            server = stack.enter_context(_started(engine, folder))
            settings.append({"server": engine, "version": ".".join(map(str, server.version)), **_said(engine, server)})
            saved += _saves(engine, server, texts, sizes)
            recalled += _recalls(engine, server, texts, sizes)
    tables = (
        Table(title="Settings", note="As the servers say them.", rows=settings),
        Table(title="Saving", note=_SAVING, rows=saved),
        Table(title="Recalling", note=_RECALLING.format(own=_OWN, length=_OTHERS_LENGTH), rows=recalled),
    )
    return write("servers", request, tables)


_SAVING = (
    "One connection, one owner, texts of 120 characters and more, with the check for duplicates and near ones, "
    "postings and revisions. `one-row insert` puts the same texts into a table of two columns, one by one, in the same "
    "run: what the disk allows."
)
_RECALLING = (
    "An owner of {own:,} notes of 120 characters and more, beside ever more notes of others ({length} characters each, "
    "1,000 an owner); distinct questions. `baseline-ngram` finds words by the full text of MySQL and asks each "
    "question quoted."
)


def _said(engine: str, server: Server) -> Row:
    url = server.new_database()
    with _connected(engine, url) as connection:
        cursor = connection.cursor()
        found: Row = {}
        for name in _DURABLE[engine]:
            cursor.execute(f"show {name}" if engine == "PostgreSQL" else f"show variables like '{name}'")
            found[name] = str(cursor.fetchone()[-1])
    server.drop_database(url)
    return found


@contextmanager
def _connected(engine: str, url: str) -> Iterator[Any]:
    if engine == "PostgreSQL":
        connection: Any = psycopg.connect(url, autocommit=True)
    else:
        connection = pymysql.connect(**arguments(url), autocommit=True)
    try:
        yield connection
    finally:
        connection.close()


def _saves(engine: str, server: Server, texts: Texts, sizes: _Sizes) -> list[Row]:
    url = server.new_database()
    say(f"{engine}: saving {sizes.one_by_one:,} one by one")
    with recollect.open_memory(url) as memory:
        one = save_one_by_one(memory.within(user="one", agent=""), texts, sizes.one_by_one)
        many = save_in_batches(memory.within(user="many", agent=""), texts.notes("many", 0, sizes.one_by_one))
    server.drop_database(url)
    plain = _inserts(engine, server, texts, sizes.one_by_one)
    share = round(one.rate() / plain.rate(), 2)
    return [
        {"server": engine, "how": "one-row insert", "notes/s": plain.rate(), **plain.row()},
        {"server": engine, "how": "one by one", "notes/s": one.rate(), "of a one-row insert": share, **one.row()},
        {"server": engine, "how": "batches of 500", "notes/s": many.rate(500), **many.row()},
    ]


def _inserts(engine: str, server: Server, texts: Texts, count: int) -> Laps:
    url = server.new_database()
    laps = Laps()
    with _connected(engine, url) as connection:
        cursor = connection.cursor()
        cursor.execute("create table plain (id bigint primary key, content text)")
        for at, note in enumerate(list(texts.notes("one", 0, count))):
            values = (at, note.content)
            laps.time(lambda values=values: cursor.execute("insert into plain values (%s, %s)", values))
    server.drop_database(url)
    return laps


def _recalls(engine: str, server: Server, texts: Texts, sizes: _Sizes) -> list[Row]:
    queries = texts.queries(sizes.queries, "own")
    rows: list[Row] = []
    with ExitStack() as stack:
        memory = stack.enter_context(recollect.open_memory(server.new_database()))
        own = memory.within(user="own", agent="")
        save_in_batches(own, texts.notes("own", 0, _OWN))
        baseline = stack.enter_context(_ngram(server, texts)) if engine == "MySQL" else None
        there, first = 0, None
        for others in sizes.others:
            _add_others(memory, texts, there, others)
            if baseline:
                baseline.add_others(there, others)
            there = others
            ask([asker(own)], queries[:40], "warming up")
            [laps], [answered] = ask([asker(own)], queries, f"{engine}, {others:,} others")
            first = first or laps["all"]
            ratio = round(laps["all"].at(0.99) / first.at(0.99), 2)
            row: Row = {"server": engine, "design": "recollect", "others": others, **laps["all"].row()}
            rows.append({**row, "p99 ratio": ratio, "answered": answered})
            if baseline:
                rows.append({"server": engine, "design": "baseline-ngram", "others": others, **baseline.row(queries)})
    return rows


def _short(texts: Texts, owner: int, start: int, count: int) -> Iterator[Note]:
    for note in texts.notes(f"other-{owner}", start, count):
        yield Note(name=note.name, content=note.content[:_OTHERS_LENGTH], type=note.type)


def _add_others(memory: Memory, texts: Texts, there: int, wanted: int) -> None:
    owners = range(there // _EACH, wanted // _EACH)
    for owner in told(owners, len(owners), "owners of others"):
        save_in_batches(memory.within(user=f"other-{owner}", agent=""), _short(texts, owner, 0, _EACH), _EACH)


class _Ngram:
    """A MySQL table of the usual design."""

    def __init__(self, connection: Any, texts: Texts) -> None:
        self._connection = connection
        self._texts = texts
        self._connection.cursor().execute(_NGRAM)
        self._add("own", texts.notes("own", 0, _OWN))

    def add_others(self, there: int, wanted: int) -> None:
        """Insert the notes of others, in the transactions of an owner each."""
        for owner in range(there // _EACH, wanted // _EACH):
            self._add(f"other-{owner}", _short(self._texts, owner, 0, _EACH))

    def row(self, queries: Sequence[tuple[str, str]]) -> Row:
        """Ask every question once, quoted, so that it is no error."""
        laps, answered = Laps(), 0
        for _, text in queries[:200]:
            answered += bool(laps.time(lambda text=text: self._search(text)))
        return {**laps.row(), "answered": answered}

    def _search(self, text: str) -> bool:
        cursor = self._connection.cursor()
        cursor.execute(_NGRAM_SEARCH, ('"' + text.replace('"', " ") + '"', "own"))
        return bool(cursor.fetchall())

    def _add(self, user: str, notes: Iterator[Note]) -> None:
        rows = [(user, note.type, note.name, note.content) for note in notes]
        self._connection.begin()
        self._connection.cursor().executemany(_NGRAM_ADD, rows)
        self._connection.commit()


@contextmanager
def _ngram(server: Server, texts: Texts) -> Iterator[_Ngram]:
    url = server.new_database()
    with _connected("MySQL", url) as connection:
        yield _Ngram(connection, texts)

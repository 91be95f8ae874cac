"""What the tests of moving memory share: databases to open, something of every kind in one, and ways to look."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect import Memory
from recollect.domain.record import Record, Revision
from recollect.domain.scope import Scope
from recollect.records.tables import Tables
from recollect.storage.sqlite import SqliteDatabase

Open = Callable[[str], Memory]
Look = Callable[[str], Tables]


class Transfers:
    """Gives a test databases of its own by name, and a file with something of every kind."""

    @pytest.fixture
    def open_at(self, tmp_path: Path) -> Iterator[Open]:
        """Open a memory at a name, as often as one likes."""
        opened: list[Memory] = []

        def open_one(name: str) -> Memory:
            opened.append(recollect.open_memory(tmp_path / name))
            return opened[-1]

        yield open_one
        for memory in opened:
            memory.close()

    @pytest.fixture
    def tables_of(self, tmp_path: Path) -> Iterator[Look]:
        """Open the tables of the database at a name."""
        opened: list[Tables] = []

        def open_one(name: str) -> Tables:
            opened.append(Tables(SqliteDatabase(tmp_path / name)))
            return opened[-1]

        yield open_one
        for tables in opened:
            tables.database.close()

    @pytest.fixture
    def exported(self, open_at: Open, tmp_path: Path) -> Path:
        """Write a memory that was filled to a file."""
        memory = open_at("source.db")
        fill(memory)
        return memory.export(tmp_path / "all.jsonl").file


def fill(memory: Memory) -> None:
    """Leave something of every kind: agents, sessions, states, edits, an undone change, a run, what was forgotten."""
    coach = memory.within(agent="coach")
    style = coach.notes.save(
        "回答要简短", name="style", type="feedback", labels=["说话", "tone"], metadata={"n": [1, None]}
    )
    coach.notes.update(style.record.id, content="回答要非常简短", pinned=True)
    change = coach.notes.update(style.record.id, content="answer at length")
    coach.undo(revision=change.revision)
    memory.within(agent="coach", session="s1").notes.save("🙂 in one session only\u2028two lines", importance=0)
    gone = memory.notes.save("支付模块截止 2026-04-15", type="project", expires_at=datetime(2031, 1, 1, tzinfo=UTC))
    memory.notes.delete(gone.record.id)
    memory.notes.delete(memory.notes.save("the word nobody may see again").record.id, forget=True)
    memory.notes.save_many([{"content": f"用户喜欢第 {n} 种茶", "type": "reference"} for n in range(3)])
    memory.notes.save("from a web page", type="reference", external=True)


def state(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return everything that a database says, without when and under which numbers the import itself was written."""
    with closing(sqlite3.connect(path)) as connection:
        found = {
            "records": "select * from records order by row_no",
            "postings": "select * from postings order by owner_no, term, id",
            "tombstones": "select * from tombstones order by digest",
            "counts": "select tenant, user_name, next_record, next_revision, active_count, length_sum from owners",
            "revisions": "select id, record_id, run_id, actor, agent, action, version, changes, undoes, undone_by,"
            " scrubbed from revisions order by row_no",
            "jobs": "select queue, payload from jobs",
        }
        return {name: connection.execute(query).fetchall() for name, query in found.items()}


def everything(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump())


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


def write_lines(file: Path, lines: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


def contents(lines: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [line[name] for line in lines if name in line]


def records_in(tables: Tables, user: str = "local") -> list[Record]:
    owner = tables.owners.get(Scope(user=user).owner_id)
    return tables.records.every(owner.no, 0, 100_000) if owner else []


def history_in(tables: Tables, record_id: int) -> list[Revision]:
    owner = tables.owners.get(Scope().owner_id)
    assert owner is not None
    return tables.revisions.of_record(owner.no, record_id)[::-1]

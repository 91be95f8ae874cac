"""What agents of netaclaw remembered, brought over from a database of exactly its shape."""

import json
import os
import random
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from recollect import ConfigError, Invalid, Refused, StorageError
from recollect.domain import clock
from recollect.domain.record import Record
from recollect.domain.scope import Scope
from recollect.records.netaclaw import load_netaclaw
from recollect.records.saving import Policy
from tests.integration.transfers import Look, Open, Transfers, everything, records_in

DDL = """
CREATE TABLE memory (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    agent_name TEXT NOT NULL,
    user_id TEXT NOT NULL,
    type TEXT NOT NULL CHECK(type IN ('user', 'project', 'feedback', 'reference')),
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    description TEXT NOT NULL DEFAULT '',
    metadata TEXT,
    created_at TEXT DEFAULT (datetime('now')),
    updated_at TEXT DEFAULT (datetime('now'))
);
CREATE INDEX idx_agent_user ON memory(agent_name, user_id);
CREATE VIRTUAL TABLE memory_fts USING fts5(
    name, content, description,
    content='memory', content_rowid='id',
    tokenize='trigram'
);
CREATE TRIGGER memory_ai AFTER INSERT ON memory BEGIN
    INSERT INTO memory_fts(rowid, name, content, description)
    VALUES (new.id, new.name, new.content, new.description);
END;
CREATE TRIGGER memory_ad AFTER DELETE ON memory BEGIN
    INSERT INTO memory_fts(memory_fts, rowid, name, content, description)
    VALUES ('delete', old.id, old.name, old.content, old.description);
END;
CREATE TRIGGER memory_au AFTER UPDATE ON memory BEGIN
    INSERT INTO memory_fts(memory_fts, rowid, name, content, description)
    VALUES ('delete', old.id, old.name, old.content, old.description);
    INSERT INTO memory_fts(rowid, name, content, description)
    VALUES (new.id, new.name, new.content, new.description);
END;
"""
INSERT = (
    "insert into memory (id, agent_name, user_id, type, name, content, description, metadata, created_at, updated_at)"
    " values (:id, :agent_name, :user_id, :type, :name, :content, :description, :metadata, :created_at, :updated_at)"
)
ZH = "用户 偏好 简洁 支付 模块 重构 截止 会议 杭州 时区 回答 格式 代码 周五 航班 预算 过敏 花生 地铁 设计".split()
EN = "prefers short answers payment module deadline Friday review format code Hangzhou budget flight allergy".split()

Row = dict[str, Any]


def row(number: int, **changed: Any) -> Row:
    return {
        "id": number,
        "agent_name": "coach",
        "user_id": "u1",
        "type": "user",
        "name": f"name {number}",
        "content": f"content {number}",
        "description": "",
        "metadata": None,
        "created_at": "2026-04-12 08:00:00",
        "updated_at": "2026-04-13 09:30:00",
        **changed,
    }


def generated(count: int) -> list[Row]:
    """Return rows in both languages, of several agents and users, with gaps between the ids."""
    choose = random.Random(2026)
    rows: list[Row] = []
    number = 0
    for at in range(count):
        number += choose.choice((1, 1, 1, 2, 7))
        words = choose.choices(ZH if at % 2 else EN, k=12)
        text = ("" if at % 2 else " ").join(words)
        created = datetime(2026, 1, 1) + timedelta(seconds=choose.randrange(10_000_000))
        rows.append(
            row(
                number,
                agent_name=choose.choice(("coach", "写作助手", "Bot", "bot")),
                user_id=choose.choice(("u1", "u2", "用户三", "", "a@b.org")),
                type=choose.choice(("user", "project", "feedback", "reference")),
                name=f"{text[:20].strip()} {at}",
                content=f"{text}。\n{at} 🙂" if at % 3 else text + f" {at}",
                description=text[:10].strip() if at % 4 else "",
                metadata=choose.choice((None, "{}", json.dumps({"键": [at, None, {"deep": True}], "n": 1.5}))),
                created_at=created.strftime("%Y-%m-%d %H:%M:%S"),
                updated_at=(created + timedelta(hours=at)).strftime("%Y-%m-%d %H:%M:%S"),
            )
        )
    return rows


def make(path: Path, rows: list[Row], ddl: str = DDL) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(ddl)
        connection.executemany(INSERT, rows)
        connection.commit()
    return path


def as_row(record: Record, user: str) -> Row:
    """Return a record as the row it should have come from; metadata as its value."""
    moments = {name: f"{getattr(record, name):%Y-%m-%d %H:%M:%S}" for name in ("created_at", "updated_at")}
    assert (record.created_at.tzinfo, record.updated_at.tzinfo) == (UTC, UTC)
    names = ("id", "type", "name", "content", "description", "metadata")
    return {**{name: getattr(record, name) for name in names}, "agent_name": record.agent, "user_id": user, **moments}


class TestNetaclaw(Transfers):
    def test_five_hundred_rows_differ_in_nothing(self, open_at: Open, tables_of: Look, tmp_path: Path) -> None:
        rows = generated(500)
        file = make(tmp_path / "old.db", rows)
        target = open_at("target.db")
        before = everything(tmp_path / "target.db")
        tried = target.import_from(file, format="netaclaw", dry_run=True)
        assert everything(tmp_path / "target.db") == before
        heard: list[tuple[int, int]] = []
        done = target.import_from(file, format="netaclaw", progress=lambda *so_far: heard.append(so_far))
        assert replace(done, runs=()) == tried
        assert (done.created, done.duplicates, done.forgotten, done.rejected) == (500, 0, 0, ())
        assert heard[-1] == (500, 500)
        tables = tables_of("target.db")
        users = sorted({one["user_id"] for one in rows})
        came = [as_row(record, user) for user in users for record in records_in(tables, user)]
        expected = [{**one, "metadata": json.loads(one["metadata"] or "{}")} for one in rows]
        assert sorted(came, key=lambda one: one["id"]) == expected
        assert {(run.tenant, run.user) for run in done.runs} == {("default", user) for user in users}

    def test_every_row_is_found_by_its_agent_and_by_no_other(self, open_at: Open, tmp_path: Path) -> None:
        rows = generated(60)
        memory = open_at("target.db")
        memory.import_from(make(tmp_path / "old.db", rows), format="netaclaw")
        for one in rows:
            mine = memory.within(user=one["user_id"], agent=one["agent_name"])
            assert one["id"] in [note.id for note in mine.notes.search(one["content"])]
            for user, agent in ((one["user_id"], "stranger"), ("stranger", one["agent_name"])):
                assert memory.within(user=user, agent=agent).notes.get(one["id"]) is None
        assert memory.upkeep.check().sound

    def test_who_said_it_and_how_far_it_is_trusted(self, open_at: Open, tables_of: Look, tmp_path: Path) -> None:
        open_at("target.db").import_from(make(tmp_path / "old.db", [row(7)]), format="netaclaw")
        [record] = records_in(tables_of("target.db"), "u1")
        assert (record.source, record.trust, record.status, record.version) == ("imported", 2, "active", 1)
        assert (record.kind, record.pinned, record.session) == ("note", False, "")

    def test_bad_rows_are_named_and_the_others_come(self, open_at: Open, tmp_path: Path) -> None:
        bad = {
            "name": row(1, name="n" * 256),
            "description": row(2, description="d" * 501),
            "content": row(3, content="c" * 65_536),
            "metadata": row(4, metadata="{not json"),
            "metadata ": row(5, metadata="[1]"),
            "agent_name": row(6, agent_name="a" * 101),
            "agent_name ": row(7, agent_name=""),
            "agent_name  ": row(8, agent_name="*"),
            "user": row(9, user_id="u" * 101),
            "created_at": row(10, created_at="last year"),
            "updated_at": row(11, updated_at="last week"),
            "content ": row(12, content=b"\xff\xfe"),
            "name ": row(13, name="  "),
            "content  ": row(14, content="password: hunter2-Xk9!"),
            "metadata  ": row(15, metadata='{"a": NaN}'),
            "content   ": row(16, content="a\x00b"),
        }
        file = make(tmp_path / "old.db", [*bad.values(), row(20)])
        done = open_at("target.db").import_from(file, format="netaclaw")
        told = {rejected.line: rejected.problem.split(":")[0].split(".")[0] for rejected in done.rejected}
        assert told == {one["id"]: name.strip() for name, one in bad.items()}
        assert [note.id for note in open_at("target.db").within(user="u1", agent="coach").notes.list().items] == [20]
        assert done.created == 1

    def test_what_has_no_date_or_description_comes_too(self, open_at: Open, tmp_path: Path) -> None:
        bare = [
            row(1, created_at=None),
            row(2, updated_at=None),
            row(3, created_at=None, updated_at=None, description=None),
        ]
        file = make(tmp_path / "old.db", bare, DDL.replace("description TEXT NOT NULL", "description TEXT"))
        before = clock.now()
        done = open_at("target.db").import_from(file, format="netaclaw")
        assert (done.created, done.rejected) == (3, ())
        third, second, first = open_at("target.db").within(user="u1", agent="coach").notes.list().items
        assert first.created_at == first.updated_at == datetime(2026, 4, 13, 9, 30, tzinfo=UTC)
        assert second.created_at == second.updated_at == datetime(2026, 4, 12, 8, 0, tzinfo=UTC)
        assert third.description == "" and before <= third.created_at == third.updated_at <= clock.now()

    def test_text_that_is_no_utf8_is_one_bad_row(self, open_at: Open, tmp_path: Path) -> None:
        file = make(tmp_path / "old.db", [row(1), row(2)])
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("update memory set content = cast(x'61ff62' as text) where id = 1")
            connection.commit()
        done = open_at("target.db").import_from(file, format="netaclaw")
        assert ([rejected.line for rejected in done.rejected], done.created) == ([1], 1)

    def test_equal_text_of_one_agent_and_user_comes_once(self, open_at: Open, tmp_path: Path) -> None:
        same = {"name": "style", "content": "Short  answers"}
        rows = [row(1, **same), row(2, name="STYLE", content="short answers"), row(3, **same, agent_name="other"),
                row(4, **same, user_id="u2")]  # fmt: skip
        done = open_at("target.db").import_from(make(tmp_path / "old.db", rows), format="netaclaw")
        assert (done.created, done.duplicates) == (3, 1)

    def test_what_was_forgotten_here_does_not_come(self, open_at: Open, tmp_path: Path) -> None:
        mine = open_at("target.db").within(user="u1", agent="coach")
        mine.notes.delete(mine.notes.save("content 1", name="any").record.id, forget=True)
        done = mine.import_from(make(tmp_path / "old.db", [row(1), row(2)]), format="netaclaw")
        assert (done.forgotten, done.created) == (1, 1)

    def test_taken_and_impossible_ids_become_new_ones(self, open_at: Open, tmp_path: Path) -> None:
        mine = open_at("target.db").within(user="u1", agent="coach")
        kept = mine.notes.save("was here").record.id
        rows = [row(kept), row(2**40), row(-5), row(9)]
        assert mine.import_from(make(tmp_path / "old.db", rows), format="netaclaw").created == 4
        contents = {note.id: note.content for note in mine.notes.list().items}
        assert contents[kept] == "was here"
        assert contents[9] == "content 9"
        assert sorted(contents.values()) == sorted(["was here", *(one["content"] for one in rows)])

    def test_again_everything_was_done_already_also_from_a_copy(self, open_at: Open, tmp_path: Path) -> None:
        file = make(tmp_path / "old.db", generated(40))
        target = open_at("target.db")
        first = target.import_from(file, format="netaclaw")
        state = everything(tmp_path / "target.db")
        file.rename(tmp_path / "moved.db")
        for dry_run in (True, False):
            again = target.import_from(tmp_path / "moved.db", format="netaclaw", dry_run=dry_run)
            assert (again.created, again.duplicates, again.resumed, again.runs) == (0, 40, True, first.runs)
        assert everything(tmp_path / "target.db") == state

    def test_a_broken_off_import_goes_on(self, open_at: Open, tables_of: Look, tmp_path: Path) -> None:
        rows = [row(number, user_id=f"u{number % 3}") for number in range(1, 1801)]
        file = make(tmp_path / "old.db", rows)

        def stop(done: int, _total: int) -> None:
            if done >= 1100:
                raise KeyboardInterrupt

        whole = open_at("whole.db").import_from(file, format="netaclaw")
        with pytest.raises(KeyboardInterrupt):
            open_at("target.db").import_from(file, format="netaclaw", progress=stop)
        done = open_at("target.db").import_from(file, format="netaclaw")
        assert (done.resumed, replace(done, resumed=False)) == (True, whole)
        for user in ("u0", "u1", "u2"):
            assert records_in(tables_of("target.db"), user) == records_in(tables_of("whole.db"), user)

    def test_names_that_differ_only_in_their_code_points_are_one_user(self, open_at: Open, tmp_path: Path) -> None:
        rows = [row(1, user_id="Zoe\u0308"), row(2, user_id="Zoy"), row(3, user_id="Zo\u00eb")]
        file = make(tmp_path / "old.db", rows)
        done = open_at("target.db").import_from(file, format="netaclaw")
        assert (done.created, len(done.runs), done.resumed) == (3, 2, False)
        mine = open_at("target.db").within(user="Zo\u00eb", agent="coach")
        assert {note.id for note in mine.notes.list().items} == {1, 3}
        assert open_at("target.db").import_from(file, format="netaclaw").duplicates == 3

    def test_each_user_can_undo_it(self, open_at: Open, tmp_path: Path) -> None:
        target = open_at("target.db")
        done = target.import_from(make(tmp_path / "old.db", generated(30)), format="netaclaw")
        for run in done.runs:
            theirs = target.within(user=run.user, agent="*")
            assert theirs.notes.list().items
            theirs.undo(run=run.run)
            assert theirs.notes.list().items == ()

    def test_an_import_of_one_user_names_its_run(self, open_at: Open, tmp_path: Path) -> None:
        done = open_at("target.db").import_from(make(tmp_path / "old.db", [row(1)]), format="netaclaw")
        assert done.run == done.runs[0].run

    @pytest.mark.parametrize("actor", ["agent", "import", "system"])
    def test_only_a_person_brings_in_many_users(self, tables_of: Look, tmp_path: Path, actor: Any) -> None:
        with pytest.raises(Refused):
            load_netaclaw(tables_of("target.db"), Policy(), Scope(actor=actor), make(tmp_path / "old.db", [row(1)]))


class TestTheOtherFile(Transfers):
    @pytest.fixture
    def live(self, tmp_path: Path) -> Iterator[tuple[Path, sqlite3.Connection]]:
        """A database in use: in its write-ahead log lies what is not in the file yet."""
        (tmp_path / "live").mkdir()
        path = make(tmp_path / "live" / "old.db", [row(1)])
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma wal_autocheckpoint = 0")
            connection.execute(INSERT, row(2))
            connection.commit()
            yield path, connection

    def test_a_database_in_use_is_read_whole_and_left_alone(
        self, live: tuple[Path, sqlite3.Connection], open_at: Open
    ) -> None:
        path, connection = live
        before = {name: (path.parent / name).read_bytes() for name in os.listdir(path.parent) if "shm" not in name}
        heard: list[int] = []

        def go_on_writing(done: int, _total: int) -> None:
            heard.append(done)
            connection.execute(INSERT, row(100 + done))
            connection.rollback()

        assert open_at("target.db").import_from(path, format="netaclaw", progress=go_on_writing).created == 2
        assert heard
        assert {name: (path.parent / name).read_bytes() for name in before} == before
        connection.execute(INSERT, row(3))
        connection.commit()

    @pytest.mark.parametrize("journal", ["wal", "delete"])
    def test_a_file_at_rest_is_not_changed(self, open_at: Open, tmp_path: Path, journal: str) -> None:
        path = make(tmp_path / "old.db", [row(1)])
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"pragma journal_mode = {journal}")
        path.chmod(0o400)
        before = path.read_bytes()
        assert open_at("target.db").import_from(path, format="netaclaw").created == 1
        assert path.read_bytes() == before

    @pytest.mark.parametrize("name", ["with space.db", "100%.db", "what?#.db", "数据.db"])
    @pytest.mark.skipif(sys.platform == "win32", reason="not all of these are names there")
    def test_any_name_of_a_file(self, open_at: Open, tmp_path: Path, name: str) -> None:
        assert open_at("target.db").import_from(make(tmp_path / name, [row(1)]), format="netaclaw").created == 1

    def test_files_that_are_no_such_database(self, open_at: Open, tmp_path: Path) -> None:
        target = open_at("target.db")
        (tmp_path / "text.db").write_text("nothing of a database " * 100, encoding="utf-8")
        with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
            connection.execute("create table memory (id integer primary key, name text)")
        with closing(sqlite3.connect(tmp_path / "view.db")) as connection:
            columns = ", ".join(f"1 as {name}" for name in row(1))
            connection.execute(f"create view memory as select {columns}")
        (tmp_path / "empty.db").touch()
        expected = {
            "text.db": "not_database", "other.db": "not_netaclaw", "view.db": "not_netaclaw",
            "empty.db": "not_netaclaw", "target.db": "not_netaclaw", "missing.db": "file_missing", "": "file_missing",
        }  # fmt: skip
        before = everything(tmp_path / "target.db")
        for name, key in expected.items():
            with pytest.raises((Invalid, StorageError, ConfigError)) as refused:
                target.import_from(tmp_path / name, format="netaclaw")
            assert refused.value.key == key
            assert name in str(refused.value)
        assert not (tmp_path / "missing.db").exists()
        assert everything(tmp_path / "target.db") == before

    def test_a_damaged_file_is_refused_before_anything_comes(
        self, open_at: Open, tables_of: Look, tmp_path: Path
    ) -> None:
        path = make(tmp_path / "old.db", [row(number, content="x" * 3000) for number in range(1, 400)])
        stored = bytearray(path.read_bytes())
        stored[len(stored) // 2 : len(stored) // 2 + 40_000] = b"\xee" * 40_000
        path.write_bytes(stored)
        with pytest.raises(StorageError) as refused:
            open_at("target.db").import_from(path, format="netaclaw")
        assert refused.value.key == "not_database"
        assert records_in(tables_of("target.db"), "u1") == []

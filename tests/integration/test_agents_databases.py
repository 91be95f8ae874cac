"""Each agent may have a database of its own; one process serves several, of several engines."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from recollect import Memory, Settings, StorageError, open_memory
from tests.acceptance.shell import Answer, Shell


def opened(place: Path, **databases: str) -> Memory:
    agents = {name: {"database": url} for name, url in databases.items()}
    return open_memory(Settings.model_validate({"database": str(place / "main.db"), "agents": agents}))


def test_three_agents_keep_their_notes_on_three_engines(tmp_path: Path, postgres_url: str, mysql_url: str) -> None:
    with opened(tmp_path, coach=postgres_url, clerk=mysql_url) as memory:
        mine = memory.within(user="u1")
        for agent in ("coach", "clerk", "cook"):
            mine.within(agent=agent).notes.save(f"zebra of the {agent}, 斑马")
        for agent in ("coach", "clerk", "cook"):
            view = mine.within(agent=agent)
            assert [note.content for note in view.notes.list().items] == [f"zebra of the {agent}, 斑马"]
            assert [hit.record.content for hit in view.recall("斑马在哪里?").hits] == [f"zebra of the {agent}, 斑马"]
        engines = {
            agent: mine.within(agent=agent).upkeep.check().database.engine for agent in ("coach", "clerk", "cook")
        }
        assert engines == {"coach": "PostgreSQL", "clerk": "MySQL", "cook": "SQLite"}
    with open_memory(postgres_url).within(user="u1", agent="coach") as there:
        assert len(there.notes.list().items) == 1


def test_a_database_is_opened_once_and_only_when_it_is_needed(tmp_path: Path) -> None:
    own = tmp_path / "own.db"
    with opened(tmp_path, coach=str(own), cook=str(own)) as memory:
        assert not own.exists()
        memory.within(agent="coach").notes.save("of the coach")
        assert own.exists()
        assert memory.within(agent="cook").upkeep is memory.within(agent="coach").upkeep
        assert memory.within(agent="cook").notes.list().items == ()
        views = memory.within(agent="coach")
    with pytest.raises(StorageError):
        views.notes.list()
    with pytest.raises(StorageError):
        memory.within(agent="cook").notes.list()


def test_a_database_that_cannot_be_had_concerns_its_agent_only(tmp_path: Path) -> None:
    with opened(tmp_path, coach="mysql://root@127.0.0.1:1/nowhere") as memory:
        memory.within(agent="cook").notes.save("here")
        with pytest.raises(StorageError):
            memory.within(agent="coach")
        assert len(memory.within(agent="cook").notes.list().items) == 1


def test_erasing_empties_every_database(tmp_path: Path) -> None:
    with opened(tmp_path, coach=str(tmp_path / "own.db")) as memory:
        for agent in ("coach", "cook"):
            memory.within(user="eve", agent=agent).notes.save(f"{agent} knows tea of eve")
        receipt = memory.erase(user="eve")
        assert receipt.removed["records"] == 2 and set(receipt.left.values()) == {0}
        for agent in ("coach", "cook"):
            assert memory.within(user="eve", agent=agent).notes.list().items == ()


class TestLookingAfterAll:
    """Whoever looks after a memory looks after each of its databases."""

    @pytest.fixture
    def shell(self, tmp_path: Path, postgres_url: str) -> Shell:
        made = Shell(tmp_path / "data")
        agents = {"coach": postgres_url, "书/1": str(tmp_path / "own.db"), "cook": str(tmp_path / "main.db")}
        file = tmp_path / "recollect.yaml"
        written = {
            "database": str(tmp_path / "main.db"),
            "agents": {name: {"database": at} for name, at in agents.items()},
        }
        file.write_text(json.dumps(written), encoding="utf-8")
        made.environment["RECOLLECT_TEST_FILE"] = str(file)
        with open_memory(file) as memory:
            for agent in ("cook", "coach", "书/1"):
                mine = memory.within(user="eve", agent=agent)
                mine.notes.save(f"{agent} knows tea of eve")
                mine.notes.update(mine.notes.save(f"{agent} knows coffee").record.id, content=f"{agent} knows cocoa")
        return made

    def run(self, shell: Shell, *words: str, status: int = 0) -> Answer:
        return shell("--db", shell.environment["RECOLLECT_TEST_FILE"], *words, status=status)

    def test_doctor_looks_at_each(self, shell: Shell, tmp_path: Path) -> None:
        checks = self.run(shell, "doctor", "--json").json["checks"]
        engines = {check["agent"]: check["message"] for check in checks if check["check"] == "engine"}
        assert list(engines) == ["", "coach", "书/1"] and "PostgreSQL" in engines["coach"]
        said = self.run(shell, "doctor").said
        assert "coach: PostgreSQL" in said and "书/1: SQLite" in said
        with closing(sqlite3.connect(tmp_path / "own.db")) as connection:
            connection.execute("update owners set active_count = 7")
            connection.commit()
        checks = self.run(shell, "doctor", "--json", status=1).json["checks"]
        assert [(check["agent"], check["check"]) for check in checks if check["level"] == "fail"] == [
            ("书/1", "counters")
        ]

    def test_backup_writes_each(self, shell: Shell, tmp_path: Path) -> None:
        answer = self.run(shell, "backup", str(tmp_path / "copy.db"), "--json").json
        assert answer["file"] == str(tmp_path / "copy.db")
        assert [one["agent"] for one in answer["agents"]] == ["coach", "书/1"]
        for agent, file in {"cook": answer["file"], **{one["agent"]: one["file"] for one in answer["agents"]}}.items():
            with open_memory(file) as memory:
                notes = memory.within(user="eve", agent=agent).notes.list().items
                assert {note.content for note in notes} == {f"{agent} knows tea of eve", f"{agent} knows cocoa"}
        assert {Path(one["file"]).parent for one in answer["agents"]} == {tmp_path}
        said = self.run(shell, "backup", str(tmp_path / "again.db")).said
        assert said.count("backed up to") == 3 and "again.coach.db" in said

    def test_nothing_is_backed_up_where_a_file_stands(self, shell: Shell, tmp_path: Path) -> None:
        (tmp_path / "copy.coach.db").write_text("precious")
        self.run(shell, "backup", str(tmp_path / "copy.db"), status=1)
        assert not (tmp_path / "copy.db").exists() and (tmp_path / "copy.coach.db").read_text() == "precious"

    def test_export_of_all_has_everything_of_everybody(self, shell: Shell, tmp_path: Path) -> None:
        file = tmp_path / "all.jsonl"
        assert self.run(shell, "export", str(file), "--all", "--json").json["records"] == 6
        with open_memory(tmp_path / "fresh.db") as memory:
            done = memory.import_from(file)
            assert (done.created, done.rejected) == (6, ())
            for agent in ("cook", "coach", "书/1"):
                mine = memory.within(user="eve", agent=agent)
                contents = {note.content: note.id for note in mine.notes.list().items}
                assert set(contents) == {f"{agent} knows tea of eve", f"{agent} knows cocoa"}
                history = mine.notes.history(contents[f"{agent} knows cocoa"])
                assert [change.action for change in history] == ["create", "update", "create"], (
                    "the first is the import"
                )
            assert memory.upkeep.check().sound
            assert memory.import_from(file).created == 0
        assert self.run(shell, "--user", "eve", "export", str(tmp_path / "mine.jsonl"), "--json").json["records"] == 2

"""Each agent may have a database of its own; one process serves several, of several engines."""

from pathlib import Path

import pytest

from recollect import Memory, Settings, StorageError, open_memory


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

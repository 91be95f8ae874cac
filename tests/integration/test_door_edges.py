"""Edges of the door that once were bugs."""

from pathlib import Path

import pytest

from recollect import Forgotten, Memory, Settings, open_memory
from recollect.domain.drafting import DESCRIPTION_LIMIT


@pytest.fixture
def memory(tmp_path: Path):
    with open_memory(tmp_path / "memory.db") as opened:
        yield opened


def test_an_import_over_agents_and_sessions_goes_back_as_a_whole(memory: Memory, tmp_path: Path) -> None:
    for number, scope in enumerate([{"agent": "a"}, {"agent": "b", "session": "s1"}, {"session": "s2"}, {}]):
        memory.within(user="from", **scope).notes.save(f"note number {number}")
    memory.within(user="from").export(tmp_path / "out.jsonl")
    target = memory.within(user="to")
    done = target.import_from(tmp_path / "out.jsonl")
    assert done.created == 4
    target.undo(run=done.run)
    assert target.within(agent="*").notes.list().items == ()
    assert target.within(agent="b", session="s1").notes.list().items == ()
    assert len(memory.within(user="from", agent="*").notes.list().items) == 2


def test_masking_never_makes_a_text_too_long(tmp_path: Path) -> None:
    settings = Settings.model_validate({"database": str(tmp_path / "memory.db"), "writing": {"secrets": "mask"}})
    with open_memory(settings) as memory:
        description = "x" * (DESCRIPTION_LIMIT - 21) + " password: hunter22zz"
        saved = memory.notes.save("a note", description=description)
        assert len(saved.record.description) <= DESCRIPTION_LIMIT
        assert "hunter22zz" not in saved.record.description
        assert memory.notes.update(saved.record.id, content="another text").outcome == "updated"


def test_a_run_that_holds_a_forgotten_note_says_why_it_stays(memory: Memory) -> None:
    first, _ = memory.notes.save_many([{"content": "one"}, {"content": "two"}])
    memory.notes.delete(first.record.id, forget=True)
    with pytest.raises(Forgotten):
        memory.undo(run=1)
    assert [note.content for note in memory.notes.list().items] == ["two"]

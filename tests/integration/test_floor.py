"""The floor of an owner: learnt from their own words, neither silent nor flooding whatever their number."""

import sqlite3
import time
from pathlib import Path

import pytest

from recollect import Memory, Settings, open_memory

PLACES = (
    "violin attic, bicycle cellar, ladder shed, key drawer, tent garage, passport safe, piano hall, kayak boathouse, "
    "telescope study, globe library, drill workshop, sled loft"
)
NOTES = [
    "{} keeps the {} in the {}".format(who, *kept.split())
    for who in ("Ann", "Bob", "Cem", "Dora", "Emil")
    for kept in PLACES.split(", ")
]


def opened(folder: Path) -> Memory:
    embedder = {"provider": "fake", "embed": "inline"}
    return open_memory(Settings.model_validate({"database": str(folder / "memory.db"), "embedder": embedder}))


def floors(folder: Path) -> str:
    connection = sqlite3.connect(folder / "memory.db")
    row = connection.execute("select floors from tuning").fetchone()
    connection.close()
    return row[0] if row else ""


def learnt(memory: Memory, folder: Path, before: str = "") -> str:
    for _ in range(100):
        memory.recall("where is the violin of Ann?")
        if floors(folder) != before:
            break
        time.sleep(0.1)
    return floors(folder)


def test_a_floor_is_learnt_from_fifty_notes_on_and_anew_as_they_double(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.notes.save_many({"content": text} for text in NOTES)
        first = learnt(memory, tmp_path)
        assert '"count": 60' in first
        memory.notes.save_many({"content": f"{text} since May"} for text in [*NOTES, "Fay sings", "Gus swims"])
        assert '"count": 122' in learnt(memory, tmp_path, first)


@pytest.mark.parametrize("count", [1, 10, 60])
def test_few_and_many_notes_answer_what_they_can(tmp_path: Path, count: int) -> None:
    with opened(tmp_path) as memory:
        memory.notes.save_many({"content": text} for text in NOTES[:count])
        if count >= 50:
            learnt(memory, tmp_path)
        found = memory.recall("where does Ann keep the violin?", limit=3)
        assert found.hits[0].record.content == NOTES[0]
        assert memory.recall("best recipe of pumpkin soup").hits == ()
        assert memory.recall("best recipe of pumpkin soup with Ann", min_score=0).hits


def test_few_notes_learn_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.notes.save_many({"content": text} for text in NOTES[:49])
        memory.recall("where is the violin of Ann?")
        memory.upkeep.drain()
        assert floors(tmp_path) == ""

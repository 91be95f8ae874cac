"""The floor of an owner: learnt from their own words, neither silent nor flooding whatever their number."""

import json
import sqlite3
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, Settings, open_memory
from recollect.domain.cards import Role
from recollect.models.fake import FakeEmbedder
from recollect.recall.dense import Near
from recollect.recall.evidence import Evidence
from recollect.registry import register
from tests.acceptance.shell import Shell
from tests.serving import Json, ScriptedService, vectors

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


def test_what_covers_the_question_is_given_whatever_the_floor_is(tmp_path: Path) -> None:
    codes = [f"{('OPS', 'NET', 'PAY')[at % 3]}-{2000 + 37 * at}" for at in range(len(NOTES))]
    settings = {"database": str(tmp_path / "memory.db"), "embedder": {"provider": "builtin"}}
    with open_memory(Settings.model_validate(settings)) as memory:
        memory.notes.save_many({"content": f"{text} (ref {code})"} for text, code in zip(NOTES, codes, strict=True))
        memory.upkeep.reindex()
        assert memory.recall(codes[0]).floor > 0.45
        for code in codes[::6]:
            for question in (code, f"what is {code}?", f"{code} 是什么?"):
                assert any(code in hit.record.content for hit in memory.recall(question).hits), question


def test_nothing_is_held_back_that_is_worth_more_than_what_is_given() -> None:
    near = Near(closeness={1: 0.45, 2: 0.35}, candidates=frozenset({1, 2}), weight=0.5, floor=0.6)
    evidence = Evidence(count=60, coverage={1: 0.1, 2: 0.5, 3: 0.2}, near=near, sources={})
    assert [evidence.counts(one) for one in (1, 2, 3)] == [True, True, False]
    alone = Evidence(count=60, coverage={2: 0.5}, near=replace(near, candidates=frozenset({2})), sources={})
    assert not alone.counts(2)


@pytest.mark.parametrize("said", ["hello!", "Hi there", "thanks a lot", "OK", "你好,谢谢!", "好的", "Good morning :)"])
def test_who_only_greets_or_nods_is_not_asked_after_by_meaning(tmp_path: Path, said: str) -> None:
    with opened(tmp_path) as memory:
        memory.notes.save_many({"content": text} for text in NOTES[:5])
        found = memory.recall(said)
        assert found.hits == () and "dense" not in (found.sources or {})
        assert "dense" in (memory.recall(f"{said} where is the violin of Ann?").sources or {})


def test_few_notes_learn_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.notes.save_many({"content": text} for text in NOTES[:49])
        memory.recall("where is the violin of Ann?")
        memory.upkeep.drain()
        assert floors(tmp_path) == ""


class TestCommands:
    """Who only uses the command line has a learnt floor too."""

    @pytest.fixture
    def shell(self, tmp_path: Path) -> Shell:
        with opened(tmp_path) as memory:
            memory.notes.save_many({"content": text} for text in NOTES)
        return Shell(
            tmp_path / "data",
            RECOLLECT_DATABASE=str(tmp_path / "memory.db"),
            RECOLLECT_EMBEDDER__PROVIDER="fake",
        )

    def test_reindex_learns_it(self, shell: Shell, tmp_path: Path) -> None:
        shell("reindex")
        first = floors(tmp_path)
        assert '"count": 60' in first
        with sqlite3.connect(tmp_path / "memory.db") as connection:
            connection.execute('update tuning set floors = replace(floors, \'"floor"\', \'"kept": 1, "floor"\')')
        connection.close()
        shell("reindex")
        assert '"kept"' in floors(tmp_path), "what holds is not learnt anew"

    def test_a_recall_learns_it_and_the_next_one_uses_and_records_it(self, shell: Shell, tmp_path: Path) -> None:
        question = "where does Ann keep the violin?"
        assert shell("recall", question, "--json").json["hits"]
        found = floors(tmp_path)
        assert '"count": 60' in found
        shell("recall", question)
        shell("recall", question, "--min-score", "0.7")
        kept = [row["floor"] for row in shell("recalls", "--json").json["items"]]
        assert kept == [0.7, json.loads(found)["floor"], 0.3]

    def test_a_service_is_not_asked_two_hundred_questions_for_one(self, shell: Shell, tmp_path: Path) -> None:
        def answer(body: Json) -> Json:
            return vectors(*([float(len(text)), 1.0, 2.0] for text in body["input"]))

        with ScriptedService(answer=answer) as service:
            shell.environment |= {
                "RECOLLECT_EMBEDDER__PROVIDER": "openai",
                "RECOLLECT_EMBEDDER__MODEL": "m",
                "RECOLLECT_EMBEDDER__BASE_URL": service.url,
                "RECOLLECT_EMBEDDER__DIMENSION": "3",
            }
            shell("recall", "where does Ann keep the violin?")
            assert len(service.asked) < 10 and floors(tmp_path) == ""

    def test_nothing_is_learnt_from_a_model_that_fails(self, shell: Shell, tmp_path: Path) -> None:
        embedder = FakeEmbedder()
        asked: list[str] = []

        class Failing:
            card = embedder.card

            def embed(self, texts: Sequence[str], *, role: Role) -> Any:
                asked.extend(texts if role == "query" else ())
                if len(asked) > 20:
                    raise OSError("gone")
                return embedder.embed(texts, role=role)

        shell.environment["RECOLLECT_EMBEDDER__PROVIDER"] = "failing"
        with register("recollect.embedders", "failing", lambda _: Failing()):
            said = shell("reindex", status=1).complaint
        assert "OSError" in said and floors(tmp_path) == ""

"""Embedders that are slow, broken or changed: an answer may lose its meaning, never its words, and says so."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recollect import Memory, ProviderError, Settings, open_memory
from recollect.domain.cards import Role, card_of
from recollect.registry import register
from tests.acceptance.shell import Shell
from tests.serving import Json, Reply, ScriptedService, vectors

SLOW = 12.0
PATIENCE = 8.0  # what a question may take that a service leaves waiting


def answered(body: Json) -> Json:
    return vectors(*([float(len(text)), 1.0, 2.0] for text in body["input"]))


@contextmanager
def remembering(folder: Path, url: str, **choices: object) -> Iterator[Memory]:
    embedder = {"provider": "openai", "model": "m", "base_url": url, "dimension": 3, **choices}
    with open_memory(Settings.model_validate({"data": str(folder), "embedder": embedder})) as memory:
        yield memory


def timed(memory: Memory, question: str) -> tuple[Json, float]:
    began = time.monotonic()
    return memory.recall(question).public(), time.monotonic() - began


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(
        tmp_path / "data",
        RECOLLECT_EMBEDDER__PROVIDER="openai",
        RECOLLECT_EMBEDDER__MODEL="m",
        RECOLLECT_EMBEDDER__API_KEY="k",
    )


class TestSlowService:
    @pytest.mark.parametrize("dimension", [3, None])
    def test_a_question_does_not_wait_for_it(self, tmp_path: Path, dimension: int | None) -> None:
        with ScriptedService(answer=answered) as service:
            with remembering(tmp_path, service.url, dimension=dimension, embed="inline") as memory:
                memory.notes.save("green tea without sugar")
                assert memory.recall("tea").public()["failed"] == {}
            service.answer, before = None, len(service.asked)
            service.script = [Reply(body=vectors([1.0, 2.0, 3.0]), wait_seconds=SLOW) for _ in range(9)]
            with remembering(tmp_path, service.url, dimension=dimension) as memory:
                found, seconds = timed(memory, "tea")
                assert seconds < PATIENCE
                assert [hit["content"] for hit in found["hits"]] == ["green tea without sugar"]
                assert list(found["failed"]) == ["dense"] and service.url in found["failed"]["dense"]
                assert len(service.asked) == before + 1, "nobody who waits asks twice"
                found, seconds = timed(memory, "sugar")
                assert seconds < 1 and found["failed"] and len(service.asked) == before + 1
            service.script.clear()

    def test_a_command_does_not_wait_for_it_and_says_so(self, shell: Shell) -> None:
        with ScriptedService() as service:
            shell.environment["RECOLLECT_EMBEDDER__BASE_URL"] = service.url
            service.script = [Reply(body=vectors([1.0, 2.0, 3.0]), wait_seconds=SLOW) for _ in range(9)]
            shell("memory", "add", "green tea without sugar")
            for words in (("--json",), (), ("--lang", "zh")):
                began = time.monotonic()
                said = shell("recall", "tea", *words).said
                assert time.monotonic() - began < PATIENCE
                assert "green tea without sugar" in said and service.url in said
            answer = shell("recall", "coffee", "--json").json
            assert answer["hits"] == [] and list(answer["failed"]) == ["dense"]
            assert answer["sources"]["dense"] == "provider_unreachable"
            service.script.clear()

    def test_a_refusal_is_told_and_no_key_is(self, shell: Shell) -> None:
        with ScriptedService() as service:
            shell.environment |= {"RECOLLECT_EMBEDDER__BASE_URL": service.url, "RECOLLECT_EMBEDDER__DIMENSION": "3"}
            shell.environment["RECOLLECT_EMBEDDER__API_KEY"] = "sk-hunter2"
            service.script = [Reply(status=401)] * 9
            shell("memory", "add", "green tea")
            answer = shell("recall", "tea", "--json").json
            assert "401" in answer["failed"]["dense"] and "hunter2" not in str(answer)
            why = shell("recall", "something to drink", "--why", "1", "--json").json
            assert why["reason"] == "no_common_term" and "401" in why["failed"]["dense"]
            assert "401" in shell("recall", "something to drink", "--why", "1").said
            assert [hit["content"] for hit in answer["hits"]] == ["green tea"]
            block = shell("recall", "something to drink", "--block", "--quiet")
            assert block.said == "" and len(block.complaint.splitlines()) == 1 and "401" in block.complaint

    @pytest.mark.parametrize(
        ("key", "place"), [("sk-hunter2", "embedder.api_key"), ("${OPENAI_API_KEY}", "OPENAI_API_KEY")]
    )
    def test_doctor_says_what_to_do_and_where_the_key_is(self, shell: Shell, key: str, place: str) -> None:
        shell.environment |= {"RECOLLECT_EMBEDDER__API_KEY": key, "OPENAI_API_KEY": "sk-hunter2"}
        with ScriptedService(script=[Reply(status=401)] * 9) as service:
            shell.environment["RECOLLECT_EMBEDDER__BASE_URL"] = service.url
            said = shell("doctor", status=1).said
            assert f"{service.url} refused the key (status 401); check embedder.api_key" in said
            assert f"the key of the embedder comes from {place}" in said and "hunter2" not in said
            assert ("not used: OPENAI_API_KEY" in said) == (place != "OPENAI_API_KEY")

    def test_a_slow_one_gets_on_with_every_command(self, shell: Shell) -> None:
        def slowly(body: Json) -> Json:
            time.sleep(0.3 * len(body["input"]))
            return answered(body)

        with ScriptedService(answer=slowly) as service:
            shell.environment |= {"RECOLLECT_EMBEDDER__BASE_URL": service.url, "RECOLLECT_EMBEDDER__DIMENSION": "3"}
            for number in range(16):
                shell("memory", "add", f"green tea of day {number}")
            for embedded in (4, 8):
                answer = shell("recall", "tea", "--json").json
                assert answer["failed"] == {} and answer["sources"]["dense"].endswith(f" of {embedded}")


class Broken:
    """A plugin's embedder that answers as it is told to."""

    def __init__(self, answer: Callable[[int], Any]) -> None:
        self.answer = answer
        self.card = card_of("broken", 4)

    def embed(self, texts: Sequence[str], *, role: Role) -> Any:
        return self.answer(len(texts))


def raises(_: int) -> Any:
    raise KeyError("the text itself: green tea")


ANSWERS: dict[str, tuple[Callable[[int], Any], str]] = {
    "raises": (raises, "KeyError"),
    "no rows": (lambda _: np.ones((0, 4), np.float32), "0 vectors"),
    "too many rows": (lambda count: np.ones((count + 1, 4), np.float32), "vectors for"),
    "one flat row": (lambda _: np.ones(4, np.float32), "no vectors"),
    "another dimension": (lambda count: np.ones((count, 5), np.float32), "5 numbers"),
    "nan": (lambda count: np.full((count, 4), np.nan), "cannot be used"),
    "infinite": (lambda count: np.full((count, 4), np.inf), "cannot be used"),
    "nothing but zeros": (lambda count: np.zeros((count, 4)), "cannot be used"),
    "rows of two lengths": (lambda count: [[1.0], [1.0, 2.0]] * count, "ValueError"),
    "none": (lambda _: None, "vectors"),
    "words": (lambda count: [["a"] * 4] * count, "ValueError"),
}


class TestPlugin:
    @pytest.mark.parametrize("name", ANSWERS)
    def test_what_cannot_be_used_is_an_error_of_the_embedder(self, tmp_path: Path, name: str) -> None:
        answer, said = ANSWERS[name]
        embedder = Broken(lambda count: np.ones((count, 4), np.float32))
        settings = Settings.model_validate({"data": str(tmp_path), "embedder": {"provider": "broken"}})
        with register("recollect.embedders", "broken", lambda _: embedder), open_memory(settings) as memory:
            memory.notes.save("black coffee")
            assert memory.upkeep.reindex().left == 0
            embedder.answer = answer
            memory.notes.save("green tea")
            found = memory.recall("green tea").public()
            assert [hit["content"] for hit in found["hits"]] == ["green tea"]
            assert said in found["failed"]["dense"] and "broken" in found["failed"]["dense"]
            with pytest.raises(ProviderError) as refused:
                memory.upkeep.reindex()
            assert said in refused.value.text("en") and "green tea" not in refused.value.text("en")
            memory.upkeep.drain()
            assert memory.upkeep.check().jobs_failed == 1
            assert memory.upkeep.check().without_vector == 1

    def test_a_card_that_is_none(self, tmp_path: Path, shell: Shell) -> None:
        shell.environment["RECOLLECT_EMBEDDER__PROVIDER"] = "broken"
        embedder = Broken(raises)
        embedder.card = None  # pyright: ignore[reportAttributeAccessIssue]
        with register("recollect.embedders", "broken", lambda _: embedder):
            shell("memory", "add", "green tea")
            answer = shell("recall", "tea", "--json").json
            assert "NoneType" in answer["failed"]["dense"] and len(answer["hits"]) == 1
            assert shell("reindex", "--json", status=1).json["error"]["code"] == "provider"
            said = shell("doctor", status=1)
            assert "NoneType" in said.said and "NoneType" not in said.complaint
            assert "only its maker knows" in said.said and "no connection to anywhere" not in said.said


class TestAnotherModel:
    """Whoever changes the model is answered by the vectors of the one before until those of the new one are there."""

    @pytest.fixture
    def shell(self, tmp_path: Path) -> Shell:
        made = Shell(tmp_path / "data", RECOLLECT_EMBEDDER__PROVIDER="fake")
        with open_memory(made.data / "memory" / "memory.db") as memory:
            memory.notes.save_many({"content": f"tea of day {number}"} for number in range(40))
        made("reindex")
        return made

    def test_what_is_stored_answers_at_once(self, shell: Shell) -> None:
        shell.environment["RECOLLECT_EMBEDDER__DIMENSION"] = "32"
        for _ in range(2):  # each command makes sixteen vectors
            assert shell("recall", "tea of day", "--json").json["sources"]["dense"].endswith(" of 40")
        del shell.environment["RECOLLECT_EMBEDDER__DIMENSION"]
        assert shell("recall", "tea of day", "--json").json["sources"]["dense"].endswith(" of 40")

    def test_and_comes_back_when_the_first_is_chosen_again(self, shell: Shell) -> None:
        shell.environment["RECOLLECT_EMBEDDER__DIMENSION"] = "32"
        shell("reindex")
        del shell.environment["RECOLLECT_EMBEDDER__DIMENSION"]
        assert shell("recall", "tea of day", "--json").json["sources"]["dense"].endswith(" of 40")

    def test_a_new_model_that_fails_leaves_the_old_one_answering(self, shell: Shell) -> None:
        shell.environment["RECOLLECT_EMBEDDER__PROVIDER"] = "broken"
        with register("recollect.embedders", "broken", lambda _: Broken(raises)):
            answer = shell("recall", "tea of day", "--json").json
        assert answer["sources"]["dense"].endswith(" of 40") and answer["failed"] == {}

    def test_from_the_built_in_one_and_back(self, tmp_path: Path) -> None:
        shell = Shell(tmp_path / "built", RECOLLECT_EMBEDDER__PROVIDER="builtin")
        with open_memory(shell.data / "memory" / "memory.db") as memory:
            memory.notes.save_many({"content": f"tea of day {number}"} for number in range(40))
        shell("reindex")
        for provider in ("fake", "builtin", "fake", "fake", "builtin"):
            shell.environment["RECOLLECT_EMBEDDER__PROVIDER"] = provider
            assert shell("recall", "tea of day", "--json").json["sources"]["dense"].endswith(" of 40"), provider

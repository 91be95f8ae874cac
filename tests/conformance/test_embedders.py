from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.models.base import EmbedderChoice
from recollect.models.builtin import BuiltinEmbedder
from recollect.models.choosing import choose_embedder
from recollect.models.fake import FakeEmbedder
from recollect.testing import EmbedderConformance, OpenEmbedder
from tests.serving import Json, ScriptedService, vectors

MODEL = "multilingual-e5-small"
PROBE = "dimension"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parts")


@pytest.fixture(scope="module")
def address(cache: Path) -> Iterator[str]:
    """A server over the built-in model; it puts nothing before a text, so that the client has to."""
    model = BuiltinEmbedder(cache=cache, threads=1)

    def answer(asked: Json) -> Json:
        assert asked["model"] == MODEL
        assert all(text.startswith(("query: ", "passage: ")) for text in asked["input"] if text != PROBE)
        return vectors(*model.embed(asked["input"], role="passage").tolist())

    with ScriptedService(answer=answer) as service:
        yield service.url


class TestBuiltin(EmbedderConformance):
    @pytest.fixture
    def open_embedder(self, cache: Path) -> OpenEmbedder:
        return lambda: BuiltinEmbedder(cache=cache, threads=2)


class TestFake(EmbedderConformance):
    @pytest.fixture
    def open_embedder(self) -> OpenEmbedder:
        return FakeEmbedder


class TestOpenAI(EmbedderConformance):
    @pytest.fixture
    def open_embedder(self, address: str) -> OpenEmbedder:
        choice = EmbedderChoice(provider="openai", base_url=address, model=MODEL)

        def opened():
            made = choose_embedder(choice)
            assert made is not None
            return made

        return opened

"""What an embedder must do, wherever its model runs."""

import os
import select
import signal
import threading
import time
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from recollect.domain.cards import Script
from recollect.models.base import Embedder
from recollect.testing.opening import in_threads
from recollect.testing.texts import HOSTILE_QUERIES, STORABLE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OpenEmbedder = Callable[[], Embedder]
"""Makes an embedder, always of the same model."""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

TEXTS = (
    "I live in Hangzhou and climb the hills on Sundays",
    "支付模块四月上线，测试还没有做完",
    "short",
    "The quarterly report is due on 2026-04-15; ask Wei for the numbers of the last three months before you begin it",
    "猫",
    "用戶在臺北工作，喜歡喝咖啡",
)
_SCRIPTS: tuple[Script, ...] = ("latin", "han")
_SAME = 1e-4  # far below what any ranking tells apart
_LONG = 1_000_000
_PATIENCE_SECONDS = 60.0


def in_child(work: Callable[[], bytes]) -> bytes:
    """Return what `work` gives in a child of this process; a child that hangs is ended and fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer interpreters warn of forks beside threads
        reading, writing = os.pipe()
        child = os.fork()
    if not child:
        try:
            os.write(writing, work())
        finally:
            os._exit(0)
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], _PATIENCE_SECONDS)
        assert ready, "the child of a fork hangs"
        with os.fdopen(reading, "rb", closefd=False) as said:
            return said.read()
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


class EmbedderConformance:
    """Every embedder passes this whole. Subclasses give the fixture `open_embedder`."""

    @pytest.fixture
    def open_embedder(self) -> OpenEmbedder:
        """Return what makes embedders of one model."""
        raise NotImplementedError("a subclass of EmbedderConformance gives the fixture open_embedder")

    @pytest.fixture
    def embedder(self, open_embedder: OpenEmbedder) -> Embedder:
        """Return an embedder."""
        return open_embedder()

    def test_the_card_can_be_used(self, embedder: Embedder) -> None:
        card = embedder.card
        assert card.model.strip() and card.dimension > 0
        for script in _SCRIPTS:
            found = card.calibration(script)
            assert -1 <= found.lo < found.hi <= 1
            assert 0 <= card.weight(script) <= 1
        assert embedder.card == card

    def test_one_vector_of_length_one_for_each_text(self, embedder: Embedder) -> None:
        vectors = embedder.embed(TEXTS, role="passage")
        assert vectors.shape == (len(TEXTS), embedder.card.dimension)
        assert str(vectors.dtype) == "float32"
        assert _lengths(vectors) == pytest.approx([1.0] * len(TEXTS), abs=_SAME)

    def test_no_texts_no_vectors(self, embedder: Embedder) -> None:
        vectors = embedder.embed([], role="query")
        assert vectors.shape == (0, embedder.card.dimension)
        assert str(vectors.dtype) == "float32"

    def test_texts_that_differ_have_vectors_that_differ(self, embedder: Embedder) -> None:
        vectors = embedder.embed(TEXTS, role="passage")
        close = vectors @ vectors.T
        assert sum(float(value) > 1 - _SAME for value in close.ravel()) == len(TEXTS)

    def test_the_same_again_and_from_another_one(self, embedder: Embedder, open_embedder: OpenEmbedder) -> None:
        vectors = embedder.embed(TEXTS, role="passage")
        assert _apart(embedder.embed(list(TEXTS), role="passage"), vectors) <= _SAME
        assert _apart(open_embedder().embed(TEXTS, role="passage"), vectors) <= _SAME

    def test_company_and_order_change_nothing(self, embedder: Embedder) -> None:
        many = [text for number in range(30) for text in (*TEXTS, f"number {number}" + " and more" * number)]
        together = embedder.embed(many, role="passage")
        backwards = embedder.embed(many[::-1], role="passage")
        assert _apart(backwards[::-1], together) <= _SAME
        for at in (0, 1, 4, len(many) - 1):
            assert _apart(embedder.embed([many[at]], role="passage"), together[at : at + 1]) <= _SAME

    def test_questions_and_memories(self, embedder: Embedder) -> None:
        query, passage = embedder.embed(TEXTS, role="query"), embedder.embed(TEXTS, role="passage")
        apart = [_apart(query[at : at + 1], passage[at : at + 1]) > _SAME for at in range(len(TEXTS))]
        assert apart == [embedder.card.tells_roles_apart] * len(TEXTS)

    @pytest.mark.parametrize("texts", [STORABLE, HOSTILE_QUERIES], ids=["storable", "hostile"])
    def test_any_string_is_legal(self, embedder: Embedder, texts: tuple[str, ...]) -> None:
        assert _lengths(embedder.embed(texts, role="query")) == pytest.approx([1.0] * len(texts), abs=_SAME)

    @pytest.mark.parametrize("between", ["\0", "\ud800", "\udfff", "\n"])
    def test_a_text_does_not_end_at_a_character(self, embedder: Embedder, between: str) -> None:
        texts = ["green tea", f"green tea{between}and the deadline of the payment module"]
        green, both = embedder.embed(texts, role="passage")
        assert float(green @ both) < 1 - _SAME

    @pytest.mark.parametrize("piece", ["a", "汉", "word ", "\u0301", "\0", " ", "(", "\ud800", "\ufdfa"])
    def test_time_grows_with_the_length_of_a_text_at_most(self, embedder: Embedder, piece: str) -> None:
        embedder.embed(["loaded"], role="passage")
        tenth = _seconds(embedder, piece * (_LONG // 10 // len(piece)))
        whole = _seconds(embedder, piece * (_LONG // len(piece)))
        assert whole <= 20 * tenth + 2.0

    def test_threads_get_what_one_gets(self, embedder: Embedder, open_embedder: OpenEmbedder) -> None:
        vectors = embedder.embed(TEXTS, role="passage")
        shared = open_embedder()  # not loaded yet, so that all load it at once
        for found in in_threads(lambda _: shared.embed(TEXTS, role="passage")):
            assert _apart(found, vectors) <= _SAME

    @needs_fork
    def test_a_child_gets_what_its_parent_gets(self, embedder: Embedder) -> None:
        vectors = embedder.embed(TEXTS, role="passage")
        said = in_child(lambda: embedder.embed(TEXTS, role="passage").tobytes())
        assert _apart(_read(said, vectors), vectors) <= _SAME
        assert _apart(embedder.embed(TEXTS, role="passage"), vectors) <= _SAME

    @needs_fork
    def test_a_child_that_was_forked_in_the_middle_of_it(self, embedder: Embedder) -> None:
        vectors = embedder.embed(TEXTS, role="passage")
        done = threading.Event()

        def work() -> None:
            while not done.is_set():
                embedder.embed(TEXTS, role="passage")

        working = [threading.Thread(target=work) for _ in range(2)]
        for thread in working:
            thread.start()
        try:
            for _ in range(5):
                said = in_child(lambda: embedder.embed(TEXTS, role="passage").tobytes())
                assert _apart(_read(said, vectors), vectors) <= _SAME
        finally:
            done.set()
            for thread in working:
                thread.join()


def _lengths(vectors: "NDArray[np.float32]") -> list[float]:
    return [float(row @ row) ** 0.5 for row in vectors]


def _apart(one: "NDArray[np.float32]", other: "NDArray[np.float32]") -> float:
    """Return the largest difference of two arrays in any place."""
    assert one.shape == other.shape
    return float(abs(one - other).max())


def _read(said: bytes, like: "NDArray[np.float32]") -> "NDArray[np.float32]":
    import numpy as np

    assert len(said) == like.nbytes, "the child of a fork failed"
    return np.frombuffer(said, np.float32).reshape(like.shape)


def _seconds(embedder: Embedder, text: str) -> float:
    began = time.perf_counter()
    embedder.embed([text], role="passage")
    return time.perf_counter() - began

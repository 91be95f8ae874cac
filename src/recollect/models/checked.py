"""The one place where what an embedder answers is checked, whoever wrote it."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from recollect.domain.cards import ModelCard, Role
from recollect.domain.errors import ProviderError, RecollectError
from recollect.models.base import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")


class Checked:
    """An embedder of anybody's, of which only good vectors and errors of ours come."""

    def __init__(self, embedder: Embedder, name: str) -> None:
        self._embedder = embedder
        self._name = name

    @property
    def card(self) -> ModelCard:
        """What ranking has to know of the model."""
        card = self._told(lambda: self._embedder.card)
        if not isinstance(card, ModelCard):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise self._unusable("provider_failed", problem=f"card: {type(card).__name__}")
        return card

    def embed(self, texts: Sequence[str], *, role: Role) -> "NDArray[np.float32]":
        """Return one vector for each text; what is no such thing is a `ProviderError`."""
        import numpy as np

        vectors = self._told(lambda: np.asarray(self._embedder.embed(texts, role=role), np.float32))
        dimension = self.card.dimension
        if vectors.ndim != 2:
            raise self._unusable("provider_vectors")
        if len(vectors) != len(texts):
            raise self._unusable("provider_count", found=len(vectors), expected=len(texts))
        if vectors.shape[1] != dimension:
            raise self._unusable("provider_dimension", found=vectors.shape[1], expected=dimension)
        if not (np.isfinite(vectors).all() and vectors.any(axis=1).all()):
            raise self._unusable("provider_vectors")
        return vectors

    def close(self) -> None:
        """Let go of what the embedder holds."""
        close = getattr(self._embedder, "close", None)
        if close is not None:
            close()

    def _told(self, work: Callable[[], T]) -> T:
        """Do what the embedder does; of what it raises only the kind is told: the words may hold a text or a key."""
        try:
            return work()
        except RecollectError:
            raise
        except Exception as problem:
            if not threading.main_thread().is_alive():
                raise  # the interpreter ends, and no model starts a thread any more
            raise self._unusable("provider_failed", problem=type(problem).__name__) from problem

    def _unusable(self, key: str, **facts: str | int) -> ProviderError:
        return ProviderError(key, "", retryable=False, place=self._name, **facts)

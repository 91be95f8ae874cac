"""The built-in embedder for benches: a text's vector is computed once and kept outside the repository."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from bench.building import cache_folder
from bench.vectors import Vectors
from recollect.domain.cards import ModelCard, Role
from recollect.models.base import EmbedderChoice
from recollect.models.choosing import EMBEDDERS, choose_embedder
from recollect.registry import register

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT = "kept"
"""The name of this provider in the settings, inside `kept_provider`."""


class KeptEmbedder:
    """Gives the vectors of the built-in embedder, from the cache where it has them."""

    def __init__(self) -> None:
        embedder = choose_embedder(EmbedderChoice(provider="builtin", cache=cache_folder()))
        assert embedder is not None
        self.card: ModelCard = embedder.card
        self._vectors = Vectors()

    def embed(self, texts: Sequence[str], *, role: Role) -> "NDArray[np.float32]":
        """Return a vector for each text."""
        return self._vectors.of(texts, role)


@cache
def _shared() -> KeptEmbedder:
    return KeptEmbedder()


@contextmanager
def kept_provider() -> Generator[None]:
    """Let settings name the provider `kept`."""
    with register(EMBEDDERS, KEPT, lambda _: _shared()):
        yield

"""An embedder for tests: no model, no download, the same vectors everywhere and always."""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from recollect.domain.analysis import index_terms
from recollect.domain.cards import Calibration, ModelCard, Role
from recollect.models.base import EmbedderChoice, legible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL: Final = "fake/hashed-terms/plain"

_DIMENSION = 64
_CALIBRATION = Calibration(lo=0.2, hi=0.8, weight=0.5)


def open_fake(choice: EmbedderChoice) -> "FakeEmbedder":
    """Return an embedder for tests, of `choice.dimension` or 64 numbers."""
    return FakeEmbedder(dimension=choice.dimension or _DIMENSION)


class FakeEmbedder:
    """Places texts by the hashes of their terms: those that share words are near, and meaning is beyond it."""

    def __init__(self, *, dimension: int = _DIMENSION) -> None:
        self._card = ModelCard(
            model=MODEL,
            dimension=dimension,
            latin=_CALIBRATION,
            han=_CALIBRATION,
            trusted=frozenset({"latin", "han"}),
        )

    @property
    def card(self) -> ModelCard:
        """What ranking has to know of the model."""
        return self._card

    def embed(self, texts: Sequence[str], *, role: Role) -> "NDArray[np.float32]":
        """Return a vector for each text; the role makes no difference."""
        import numpy as np

        vectors = np.zeros((len(texts), self._card.dimension), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for term, count in index_terms(legible(text)).items():
                digest = hashlib.blake2b(term.encode(), digest_size=8).digest()
                place = int.from_bytes(digest, "big")
                vector[(place >> 1) % len(vector)] += count if place & 1 else -count
            length = np.linalg.norm(vector)
            if length:
                vector /= length
            else:
                vector[0] = 1.0  # a text without a word
        return vectors

"""Our embedder alone."""

from collections.abc import Sequence

import numpy as np

from bench.known import Item
from bench.systems.base import Ranked, System
from bench.vectors import Vectors


class Dense(System):
    """Exact cosine between the question and every item."""

    name, variant = "dense", ""
    configured = "exact cosine over all items; a text is cut where the model cuts it"

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors
        self._ids: list[str] = []
        self._matrix = np.empty((0, vectors.dimension), np.float32)
        self.versions = vectors.model

    def index(self, items: Sequence[Item]) -> None:
        self._ids = [item.id for item in items]
        self._matrix = self._vectors.of([item.text for item in items], "passage")

    def search(self, text: str, k: int, time: str) -> Ranked:
        cosines = self._matrix @ self._vectors.of([text], "query")[0]
        return [(self._ids[at], float(cosines[at])) for at in np.argsort(-cosines, kind="stable")[:k]]

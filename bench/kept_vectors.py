"""Vectors that are computed once: an embedder around another one, which keeps them in a file outside the repository.

The key is a hash of the text beside the model's name and the role, so a kept vector is the one that would be computed.
"""

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bench.building import cache_folder
from recollect.domain.cards import ModelCard, Role
from recollect.models.base import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SLICE = 128
_TABLE = "create table if not exists kept (key blob primary key, vector blob not null) without rowid"


class KeptEmbedder:
    """Gives the vectors of another embedder, from the file where it has them."""

    def __init__(self, inner: Embedder, file: Path | None = None) -> None:
        self._inner = inner
        self._lock = threading.Lock()
        self._file = sqlite3.connect(file or cache_folder() / "vectors.db", timeout=60, check_same_thread=False)
        self._file.execute("pragma journal_mode = wal")
        self._file.execute(_TABLE)
        self._file.commit()

    @property
    def card(self) -> ModelCard:
        """What ranking has to know of the model."""
        return self._inner.card

    def embed(self, texts: Sequence[str], *, role: Role) -> "NDArray[np.float32]":
        """Return a vector for each text."""
        import numpy as np

        vectors = np.empty((len(texts), self.card.dimension), np.float32)
        keys = [self._key(text, role) for text in texts]
        with self._lock:
            missing: dict[bytes, str] = {}
            for key, text in zip(keys, texts, strict=True):
                if self._file.execute("select 1 from kept where key = ?", (key,)).fetchone() is None:
                    missing[key] = text
            self._compute(missing, role)
            for at, key in enumerate(keys):
                found = self._file.execute("select vector from kept where key = ?", (key,)).fetchone()
                vectors[at] = np.frombuffer(found[0], np.float32)
        return vectors

    def _compute(self, missing: dict[bytes, str], role: Role) -> None:
        left = sorted(missing.items(), key=lambda pair: len(pair[1]))
        for start in range(0, len(left), _SLICE):
            part = left[start : start + _SLICE]
            made = self._inner.embed([text for _, text in part], role=role)
            rows = [(key, vector.tobytes()) for (key, _), vector in zip(part, made, strict=True)]
            self._file.executemany("insert or ignore into kept values (?, ?)", rows)
            self._file.commit()

    def _key(self, text: str, role: Role) -> bytes:
        said = "\0".join((self.card.model, str(self.card.dimension), role, text))
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()[:16]

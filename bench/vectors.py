"""Vectors of our embedder, each text's computed once and kept in the cache folder.

`python -m bench.vectors [set …]` computes those of whole sets beforehand. Where the product cannot make vectors, what
is in the cache is used: it is kept under the name of the model that made it.
"""

import hashlib
import importlib.util
import json
import sys
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from bench.building import cache_folder
from bench.known import read_set, set_names
from bench.report import say

ROLES = ("passage", "query")
_CHUNK = 256
_CARD = "model.json"


class NoVectors(Exception):
    """Vectors can neither be computed here nor are they in the cache."""


class Vectors:
    """The vectors of one model."""

    def __init__(self) -> None:
        self._embedder = _embedder()
        self._computing = threading.Lock()
        folder = cache_folder() / "vectors"
        if self._embedder is None:
            kept = sorted(folder.glob(f"*/{_CARD}"))
            if len(kept) != 1:
                raise NoVectors(
                    f"the product makes no vectors here, and the cache has {len(kept)} models instead of one"
                )
            self._folder = kept[0].parent
            self.model, self.dimension = json.loads(kept[0].read_text(encoding="utf-8"))
        else:
            self.model = self._embedder.card.model
            self.dimension = self._embedder.card.dimension
            self._folder = folder / self.model.replace("/", "_")
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / _CARD).write_text(json.dumps([self.model, self.dimension]), encoding="utf-8")
        self._known: dict[bytes, NDArray[np.float32]] = {}
        for file in sorted(self._folder.glob("*.npy")):
            for row in np.load(file):
                self._known[row["key"].tobytes()] = row["vector"]

    def of(self, texts: Sequence[str], role: str) -> NDArray[np.float32]:
        """Return one vector of length 1 for each text; what is not known is computed and kept."""
        keys = [_key(text, role) for text in texts]
        with self._computing:
            missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
            self._compute(sorted(missing.items(), key=lambda pair: len(pair[1])), role)
        found = [self._known[key] for key in keys]
        return np.array(found, np.float32).reshape(len(found), self.dimension)

    def _compute(self, missing: Sequence[tuple[bytes, str]], role: str) -> None:
        if missing and self._embedder is None:
            raise NoVectors(f"{len(missing)} texts have no vector in the cache, and the product makes none here")
        for start in range(0, len(missing), _CHUNK):
            chunk = missing[start : start + _CHUNK]
            made = self._embedder.embed([text for _, text in chunk], role=role)
            kept = np.zeros(len(chunk), [("key", "u1", 16), ("vector", "<f4", self.dimension)])
            kept["key"] = [np.frombuffer(key, np.uint8) for key, _ in chunk]
            kept["vector"] = made
            digest = hashlib.sha256(b"".join(key for key, _ in chunk)).hexdigest()[:24]
            part = self._folder / f"{uuid4().hex}.part"
            with part.open("wb") as file:
                np.save(file, kept)
            part.replace(self._folder / f"{digest}.npy")
            self._known.update({key: vector for (key, _), vector in zip(chunk, kept["vector"], strict=True)})
            if len(missing) > _CHUNK:
                say(f"vectors of {role}s: {start + len(chunk):,} of {len(missing):,}")


def _key(text: str, role: str) -> bytes:
    return hashlib.sha256(f"{role}\0{text}".encode("utf-8", "surrogatepass")).digest()[:16]


def _embedder() -> Any:
    """Return the product's built-in embedder, or None where the product or this machine has none."""
    if importlib.util.find_spec("recollect.models") is None:
        return None
    choosing, base = import_module("recollect.models.choosing"), import_module("recollect.models.base")
    return choosing.choose_embedder(base.EmbedderChoice(provider="auto", cache=_folder("model")))


def _folder(name: str) -> Path:
    folder = cache_folder() / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def main() -> None:
    """Compute the vectors of the sets named, or of all."""
    vectors = Vectors()
    for name in sys.argv[1:] or set_names():
        say(f"{name}: {vectors.model}")
        known = read_set(name)
        vectors.of([question.text for question in known.questions], "query")
        vectors.of([item.text for scope in known.scopes for item in scope.items], "passage")


if __name__ == "__main__":
    main()

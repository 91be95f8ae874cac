"""A folder that `sentence-transformers` can load, on this machine; the package is imported when it is used."""

import sys
import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.domain.cards import ModelCard, Role, card_of
from recollect.domain.errors import ConfigError
from recollect.models import forks
from recollect.models.base import EmbedderChoice, legible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE = "sentence_transformers"
_SETTING = "embedder.path"
_CHARACTERS = 32_768  # of a text that are looked at; the model cuts it at what it can take


def open_local(choice: EmbedderChoice) -> "LocalEmbedder":
    """Return the embedder in the folder `choice.path`, which is needed: nothing is downloaded."""
    if not choice.path:
        raise ConfigError("missing", _SETTING)
    folder = Path(choice.path).expanduser()
    if not folder.is_dir():
        raise ConfigError("file_missing", _SETTING, file=str(folder))
    if find_spec(_PACKAGE) is None:
        package = _PACKAGE.replace("_", "-")
        raise ConfigError("not_installed", "embedder.provider", package=package, install=f"pip install {package}")
    return LocalEmbedder(folder, batch=choice.batch)


class LocalEmbedder:
    """A sentence-transformers model. Loaded when it is first used, or when its card is asked for.

    What the model's own settings put before a question or a text is put there; of the E5 family also where they are
    silent. One thread uses it at a time. A child of a fork loads it anew and computes on one processor: the threads of
    torch stay in the parent, and waiting for them would be for ever.
    """

    def __init__(self, folder: Path, *, batch: int = 64) -> None:
        self._folder = folder
        self._batch = batch
        self._lock = threading.RLock()
        self._is_forked = False
        forks.watch(self)

    @property
    def card(self) -> ModelCard:
        """What ranking has to know of the model."""
        with self._lock:
            model = self._model
        own: dict[str, str] = getattr(model, "prompts", None) or {}
        prefixes = (own.get("query", ""), own.get("document", "") or own.get("passage", ""))
        counted = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        dimension: int = counted()  # the first name is that of version 5.4 and later
        return card_of(self._folder.resolve().name, dimension, prefixes if any(prefixes) else None)

    def embed(self, texts: Sequence[str], *, role: Role) -> "NDArray[np.float32]":
        """Return a vector for each text."""
        import numpy as np

        card = self.card
        if not texts:
            return np.empty((0, card.dimension), np.float32)
        ready = [card.prefix(role) + legible(text[:_CHARACTERS]) for text in texts]
        with self._lock:
            found: Any = self._model.encode(
                ready, batch_size=self._batch, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(found, np.float32)

    def start_anew(self) -> None:
        """Load again in a child."""
        self.__dict__.pop("_model", None)
        self._is_forked = "torch" in sys.modules
        self._lock = threading.RLock()

    @cached_property
    def _model(self) -> Any:
        import sentence_transformers  # pyright: ignore[reportMissingImports]

        package: Any = sentence_transformers
        if self._is_forked:
            sys.modules["torch"].set_num_threads(1)
        with self._lock:
            try:
                return package.SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)
            except (OSError, ValueError, KeyError) as problem:
                said = " ".join(str(problem).split())[:200]
                raise ConfigError("not_model", _SETTING, folder=str(self._folder), problem=said) from problem

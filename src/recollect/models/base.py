"""The seam of this room: what an embedder is, and how one is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from recollect.domain.cards import ModelCard, Role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors. Any number of threads may use one, and so may children of a fork."""

    @property
    def card(self) -> ModelCard:
        """What ranking has to know of the model."""
        ...

    def embed(self, texts: Sequence[str], *, role: Role) -> "NDArray[np.float32]":
        """Return one vector of length 1 for each text, in their order, as an array of (texts, dimension).

        Any string is legal. What is too long is cut at its end. A model that cannot answer raises `ProviderError`, one
        that cannot be had `ConfigError`; there is never a vector that stands for a failure.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderChoice:
    """Which embedder is wanted. The fields are those of the settings' section `embedder`, with references resolved."""

    provider: str = "auto"
    model: str = ""
    base_url: str = ""
    api_key: str = field(default="", repr=False)
    path: str = ""
    dimension: int | None = None
    timeout_seconds: float = 30.0
    batch: int = 64
    cache: Path | None = None
    """A folder for what is built once; without one it is built in every process."""


MakeEmbedder = Callable[[EmbedderChoice], Embedder]
"""What the entry points of the group `recollect.embedders` are. Making one costs little; loading waits for its use."""


def legible(text: str) -> str:
    """Return the text as every model can read it: no NUL, and no half of a character that would need two."""
    if not text.isascii():
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\0", " ")

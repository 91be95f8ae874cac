"""Any service that makes vectors the way OpenAI does: POST {base_url}/embeddings (extra `openai`)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, Field, ValidationError

from recollect.domain.cards import ModelCard, Role, card_of
from recollect.domain.errors import ConfigError, ProviderError
from recollect.models.base import EmbedderChoice, legible
from recollect.models.http import Service

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OPENAI: Final = "https://api.openai.com/v1"
CHARACTERS: Final = 6_000  # of a text that are sent: below 8,192 tokens in any language

_PROBE = "dimension"
_NOTHING = "."  # for a text without a character: services refuse an empty one


class _Item(BaseModel):
    embedding: Annotated[list[float], Field(min_length=1)]
    index: int | None = None


class _Answer(BaseModel):
    data: list[_Item]


def open_openai(choice: EmbedderChoice) -> "OpenAIEmbedder":
    """Return the embedder behind `choice.base_url`, or at OpenAI itself; `choice.model` is needed."""
    if not choice.model:
        raise ConfigError("missing", "embedder.model")
    service = Service(
        choice.base_url or OPENAI,
        headers={"authorization": f"Bearer {choice.api_key}"} if choice.api_key else {},
        key=choice.api_key,
        timeout_seconds=choice.timeout_seconds,
    )
    return OpenAIEmbedder(service, model=choice.model, dimension=choice.dimension, batch=choice.batch)


class OpenAIEmbedder:
    """An embedder behind an address. The first 6,000 characters of a text are sent, and no empty one.

    A dimension that is given is asked for and must be what comes; without one it is what the service first answers,
    and whoever asks for the card before anything was embedded makes a request.
    """

    def __init__(self, service: Service, *, model: str, dimension: int | None = None, batch: int = 64) -> None:
        self._service = service
        self._model = model
        self._asked = {} if dimension is None else {"dimensions": dimension}
        self._dimension = dimension
        self._batch = batch

    @property
    def card(self) -> ModelCard:
        """What ranking has to know of the model."""
        if self._dimension is None:
            self._vectors([_PROBE])
        return card_of(self._model, self._dimension or 0)

    def embed(self, texts: Sequence[str], *, role: Role) -> "NDArray[np.float32]":
        """Return a vector for each text, asked for in batches."""
        import numpy as np

        prefix = card_of(self._model, 0).prefix(role)
        ready = [prefix + (legible(text[:CHARACTERS]).strip() or _NOTHING) for text in texts]
        found = [self._vectors(ready[at : at + self._batch]) for at in range(0, len(ready), self._batch)]
        return np.concatenate(found) if found else np.empty((0, self.card.dimension), np.float32)

    def close(self) -> None:
        """Close the connections; another use opens others."""
        self._service.close()

    def _vectors(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        import numpy as np

        asked = {"model": self._model, "input": texts, **self._asked}
        rows = self._ordered(self._service.post("embeddings", asked, private=texts), len(texts))
        expected = self._dimension or len(rows[0])
        for row in rows:
            if len(row) != expected:
                raise self._unusable("provider_dimension", found=len(row), expected=expected)
        vectors = np.array(rows, np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._unusable("provider_vectors")
        self._dimension = expected
        return vectors / lengths

    def _ordered(self, answer: object, count: int) -> list[list[float]]:
        """Return the vectors in the order of the texts: by their index, where the service gives one."""
        try:
            items = _Answer.model_validate(answer).data
        except ValidationError as problem:
            raise self._unusable("provider_vectors") from problem
        found = {at if item.index is None else item.index: item.embedding for at, item in enumerate(items)}
        if len(items) != count or sorted(found) != list(range(count)):
            raise self._unusable("provider_count", found=len(items), expected=count)
        return [found[at] for at in range(count)]

    def _unusable(self, key: str, **facts: int) -> ProviderError:
        return ProviderError(key, "", retryable=False, place=self._service.place, **facts)

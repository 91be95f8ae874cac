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
"""The form of a vector, then agent, session, kind and space of its record."""

LATIN: Final = "int8 latin"
HAN: Final = "int8 han"
"""The forms: one signed number of eight bits for each dimension, and the script of the text."""

_LARGEST, _LARGEST_ASKED = 127, 32_767
_HALF, _WHOLE = 128, 256
_SAMPLE = 512  # rows among which neighbours are looked for
_NEIGHBOURS = 10
_FEWEST_NEIGHBOURS = 20
_LEAST_CROWDING = -0.02  # else the few that are unlike the rest would be lifted over every floor
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

    `crowding` says of each row how much nearer it is to its neighbours than other texts are to theirs: a text in the
    thick of many is near to every question and says the less by it. `groups` says of each row at which of the `places`
    it stands: from where and in which company it may be seen.
    """

    ids: "NDArray[np.int64]"
    numbers: "NDArray[np.int8]"
    lengths: "NDArray[np.float64]"
    crowding: "NDArray[np.float64]"
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
        lengths = np.sqrt(np.maximum(squares, 1).astype(np.float64))
        forms = np.array([place[0] == HAN for place in places], np.bool_)[groups] if rows else np.zeros(0, np.bool_)
        return cls(
            ids=np.fromiter((row[0] for row in rows), np.int64, len(rows)),
            numbers=numbers,
            lengths=lengths,
            crowding=_crowding(numbers, lengths, forms),
            groups=np.array(groups, np.int32),
            places=tuple(places),
        )

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        parts = (self.ids, self.numbers, self.lengths, self.crowding, self.groups)
        return sum(part.nbytes for part in parts)

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
        upper, lower = high.astype(exact), (whole - high * _WHOLE).astype(exact)
        sums = np.empty(len(self.ids), np.float64)
        for start in range(0, len(sums), _BLOCK):
            block = self.numbers[start : start + _BLOCK].astype(exact)
            # Not the threads of a matrix product: on a busy machine they wait for each other longer than they work.
            found = [np.einsum("ij,j->i", block, part).astype(np.float64) for part in (upper, lower)]
            sums[start : start + _BLOCK] = found[0] * _WHOLE + found[1]
        return sums / (self.lengths * max(float(np.sqrt(float(whole @ whole))), 1.0))


def _crowding(
    numbers: "NDArray[np.int8]", lengths: "NDArray[np.float64]", is_han: "NDArray[np.bool_]"
) -> "NDArray[np.float64]":
    """Return by how much the mean cosine of each row with its nearest neighbours exceeds what is usual in its script.

    The neighbours are looked for in an even sample of the rows of that script. Rounded, so that no library's way of
    adding shows.
    """
    import numpy as np

    found = np.zeros(len(lengths))
    unit = numbers / lengths[:, None].astype(np.float32)
    for rows in (np.flatnonzero(is_han), np.flatnonzero(~is_han)):
        if len(rows) < _FEWEST_NEIGHBOURS:
            continue
        sample = rows[np.linspace(0, len(rows) - 1, min(_SAMPLE, len(rows))).astype(np.intp)]
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK]
            cosines = unit[block] @ unit[sample].T
            cosines[block[:, None] == sample[None, :]] = -1.0
            found[block] = np.partition(cosines, -_NEIGHBOURS, axis=1)[:, -_NEIGHBOURS:].mean(axis=1)
        found[rows] -= np.median(found[rows])
    found[found < _LEAST_CROWDING] = _LEAST_CROWDING
    return np.round(found, 4)

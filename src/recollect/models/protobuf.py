"""Writing protocol buffers: the little of the format that a model file needs.

Graph and vocabulary of the built-in embedder are such files. Writing them takes these lines; the packages that could
do it (`onnx`, `protobuf` with its generated classes) are larger than everything else that the model needs.
"""

import struct
from collections.abc import Iterable

_VARINT, _BYTES, _FIXED_32 = 0, 2, 5


def varint(value: int) -> bytes:
    """Return a whole number in as many bytes as it needs, seven bits in each."""
    if value < 0:
        value += 1 << 64
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    written.append(value)
    return bytes(written)


def field(number: int, value: int | float | str | bytes) -> bytes:
    """Return one field of a message; a message inside is given as its bytes."""
    if isinstance(value, int):
        return varint(number << 3 | _VARINT) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | _FIXED_32) + struct.pack("<f", value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | _BYTES) + varint(len(content)) + content


def fields(number: int, values: Iterable[int | float | str | bytes]) -> bytes:
    """Return a field that stands in the message as often as there are values."""
    return b"".join(field(number, value) for value in values)

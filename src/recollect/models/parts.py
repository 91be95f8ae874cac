"""What the built-in embedder is made of besides the weight file, built once and kept in one file.

Building takes most of a second, so the result is kept in a folder of the caller's. The file begins with the hash of the
recipe and of everything behind it: whatever is wrong with it, it is built again. Whoever builds writes a file of their
own and moves it into place, so any number of processes may start at once.
"""

import hashlib
import json
import logging
import os
import struct
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from recollect.models import weights
from recollect.models.graph import body
from recollect.models.protobuf import field

RECIPE: Final = 1  # whoever changes what is built raises it
KEPT_AS: Final = f"multilingual-e5-small-q4-{RECIPE}.parts"

_SALT = f"{RECIPE} {weights.SHA256}".encode()
_LENGTHS = struct.Struct("<4Q")
_DIGEST_BYTES = 32
_NORMAL, _UNKNOWN, _CONTROL, _UNIGRAM = 1, 2, 3, 1
_SPECIAL = (("<unk>", _UNKNOWN), ("<s>", _CONTROL), ("</s>", _CONTROL))
_FIRST_PIECE = 4  # those before it are the special ones, in the model's own order

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a loaded model needs: `words` says where the table of words begins in the weight file."""

    body: bytes
    vocabulary: bytes
    places: bytes
    words: int
    replaced: dict[int, str]


def ready_parts(folder: Path | None, given: str = "") -> Parts:
    """Return the parts from the folder, built now where they are missing, damaged or of another recipe.

    Without a folder, or in one that cannot be written, they are built for this process alone.
    """
    kept = None if folder is None else folder / KEPT_AS
    with suppress(OSError, ValueError):
        if kept is not None:
            return _unpacked(kept.read_bytes())
    made = _built(weights.open_weights(weights.need_weights(given, thoroughly=True)))
    if kept is not None:
        _keep(kept, _packed(made))
    return made


def _built(source: weights.Weights) -> Parts:
    measures = source.measures
    # Of the two types of text that the model was laid out for, it knows the first alone.
    places = source.floats("emb.pos").reshape(measures.positions, -1) + source.floats("emb.type")[: measures.width]
    return Parts(
        body=body(source),
        vocabulary=_vocabulary(source),
        places=places.tobytes(),
        words=source.tensors["emb.word"][0],
        replaced=source.replaced,
    )


def _vocabulary(source: weights.Weights) -> bytes:
    pieces = [field(1, field(1, name) + field(2, 0.0) + field(3, kind)) for name, kind in _SPECIAL]
    kind = field(3, _NORMAL)
    for piece, score in zip(source.pieces[_FIRST_PIECE:], source.scores[_FIRST_PIECE:], strict=True):
        pieces.append(field(1, field(1, piece) + field(2, score) + kind))
    trained = field(3, _UNIGRAM) + field(4, len(pieces))
    # Normalised here and not by sentencepiece, whose own rules would have to be compiled for it.
    normal = field(1, "identity") + field(3, 1) + field(4, 1) + field(5, 1)
    return b"".join(pieces) + field(2, trained) + field(3, normal)


def _packed(made: Parts) -> bytes:
    rest = json.dumps({"words": made.words, "replaced": made.replaced}).encode()
    pieces = (made.body, made.vocabulary, made.places, rest)
    content = _LENGTHS.pack(*map(len, pieces)) + b"".join(pieces)
    return hashlib.sha256(_SALT + content).digest() + content


def _unpacked(packed: bytes) -> Parts:
    content = memoryview(packed)[_DIGEST_BYTES:]
    digest = hashlib.sha256(_SALT)
    digest.update(content)
    if digest.digest() != packed[:_DIGEST_BYTES]:
        raise ValueError("damaged")
    pieces: list[bytes] = []
    at = _LENGTHS.size
    for length in _LENGTHS.unpack_from(content):
        pieces.append(bytes(content[at : at + length]))
        at += length
    rest = json.loads(pieces[3])
    replaced = {int(character): text for character, text in rest["replaced"].items()}
    return Parts(body=pieces[0], vocabulary=pieces[1], places=pieces[2], words=rest["words"], replaced=replaced)


def _keep(kept: Path, packed: bytes) -> None:
    """Move a whole file into its place; where that cannot be done, the next start builds again."""
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=kept.parent, prefix=kept.name)
        try:
            with os.fdopen(handle, "wb") as written:
                written.write(packed)
            Path(name).replace(kept)
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as problem:
        _log.warning(
            "the parts of the built-in embedder could not be kept",
            extra={"action": "keep_parts", "file": str(kept), "problem": problem.strerror},
        )

"""The systems that are measured side by side, one class each; `listed` names them all."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bench.systems.base import System
from bench.systems.dense import Dense
from bench.systems.lexical import Bm25, TrigramBaseline
from bench.systems.ours import VARIANTS, Edited, Recollect
from bench.systems.peers import KITS, SHIPPED, Peer
from bench.systems.peers import OURS as OUR_EMBEDDER
from bench.vectors import Vectors

OURS, BASELINE, PEER = "ours", "baseline", "peer"
CHECK = "check"  # ours under a condition: compared with ours alone, on the own set


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One system to measure: its name, what it is to us, and how to make it."""

    name: str
    role: str
    make: Callable[[], System]


def listed(vectors: Callable[[], Vectors]) -> list[Entry]:
    """Return every system; vectors are only asked for by those that need them."""
    return [
        *(Entry(name="recollect", role=OURS, make=partial(Recollect, embedder)) for embedder in VARIANTS),
        *(Entry(name="recollect-edited", role=CHECK, make=partial(Edited, embedder)) for embedder in VARIANTS),
        Entry(name="bm25", role=BASELINE, make=Bm25),
        Entry(name="dense", role=BASELINE, make=lambda: Dense(vectors())),
        *(
            Entry(name="baseline-trigram", role=BASELINE, make=partial(TrigramBaseline, words=words))
            for words in (False, True)
        ),
        *(
            Entry(name=kit.name, role=PEER, make=partial(Peer, kit, embedder, vectors))
            for kit in KITS
            for embedder in (SHIPPED, OUR_EMBEDDER)
        ),
    ]

"""recollect through its public door."""

import itertools
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.metadata import version

import recollect
from bench.building import work_folder
from bench.known import Item
from bench.systems.base import Ranked, System
from recollect.settings import Settings

_BATCH = 500


class Recollect(System):
    """One file, one user a scope; `recall` with `min_score=0` ranks, plain `recall` may answer with nothing.

    `embedder` is a provider as the settings name it; None means that this product has no such setting yet.
    """

    name = "recollect"
    repeatable = False  # it is what changes

    def __init__(self, embedder: str | None) -> None:
        self._closing = ExitStack()
        folder = self._closing.enter_context(work_folder())
        chosen = {} if embedder is None else {"embedder": {"provider": embedder}}
        settings = Settings(database=str(folder / "memory.db"), **chosen)
        self._memory = self._closing.enter_context(recollect.open_memory(settings))
        self._embeds = embedder not in {None, "none"}
        self._users = itertools.count()
        self._mine = self._memory
        self._items: dict[int, list[str]] = {}
        self.variant = "hybrid" if self._embeds else "lexical"
        self.versions = f"recollect {version('recollect')}"
        kind = f"embedder {embedder}" if self._embeds else "no embedder"
        self.configured = f"{kind}; save_many, then recall(limit=k, min_score=0); abstention: recall(limit=5)"

    def index(self, items: Sequence[Item]) -> None:
        self._mine = self._memory.within(user=f"scope-{next(self._users)}", agent="")
        self._items = {}
        for start in range(0, len(items), _BATCH):
            batch = items[start : start + _BATCH]
            saved = self._mine.notes.save_many([{"content": item.text} for item in batch], allow_secret=True)
            for item, one in zip(batch, saved, strict=True):
                self._items.setdefault(one.record.id, []).append(item.id)  # a text that comes twice is kept once
        if self._embeds:
            self._memory.upkeep.drain()

    def search(self, text: str, k: int, time: str) -> Ranked:
        return self._ranked(self._mine.recall(text, limit=k, min_score=0))

    def answers(self, text: str, k: int, time: str) -> Ranked | None:
        return self._ranked(self._mine.recall(text, limit=k))

    def close(self) -> None:
        self._closing.close()

    def _ranked(self, found: recollect.Found) -> Ranked:
        return [(item, hit.score) for hit in found.hits for item in self._items[hit.record.id]]


def variants() -> list[str | None]:
    """Return the embedders to measure: none and the built-in one, as far as the product has that setting."""
    return ["none", "builtin"] if "embedder" in Settings.model_fields else [None]

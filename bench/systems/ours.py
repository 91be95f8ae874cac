"""recollect through its public door."""

import itertools
import random
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib.metadata import version

import recollect
from bench.building import work_folder
from bench.kept_vectors import KEPT, kept_provider
from bench.known import Item
from bench.systems.base import Ranked, System
from recollect.settings import Settings

_BATCH = 500


class Recollect(System):
    """One file, one user a scope; `recall` with `min_score=0` ranks, plain `recall` may answer with nothing.

    `embedder` is a provider as the settings name it; `kept` is the built-in one with its vectors from the cache.
    """

    name = "recollect"
    repeatable = False  # it is what changes

    def __init__(self, embedder: str) -> None:
        self._closing = ExitStack()
        folder = self._closing.enter_context(work_folder())
        settings = Settings.model_validate({"database": str(folder / "memory.db"), "embedder": {"provider": embedder}})
        with kept_provider():
            self._memory = self._closing.enter_context(recollect.open_memory(settings))
        self._embeds = embedder != "none"
        self._users = itertools.count()
        self._mine = self._memory
        self._items: dict[int, list[str]] = {}
        self.variant = "hybrid" if self._embeds else "lexical"
        self.versions = f"recollect {version('recollect')}"
        kind = "embedder builtin" if self._embeds else "no embedder"
        self.configured = f"{kind}; save_many, then recall(limit=k, min_score=0); abstention: recall(limit=5)"

    def index(self, items: Sequence[Item]) -> None:
        self._mine = self._memory.within(user=f"scope-{next(self._users)}", agent="")
        self._items = {}
        for item, one in zip(items, self._save(items), strict=True):
            self._items.setdefault(one.record.id, []).append(item.id)  # a text that comes twice is kept once
        if self._embeds:
            self._memory.upkeep.reindex()
        self._memory.upkeep.drain()

    def search(self, text: str, k: int, time: str) -> Ranked:
        return self._ranked(self._mine.recall(text, limit=k, min_score=0))

    def answers(self, text: str, k: int, time: str) -> Ranked | None:
        return self._ranked(self._mine.recall(text, limit=k))

    def close(self) -> None:
        self._closing.close()

    def _save(self, items: Sequence[Item]) -> list[recollect.Saved]:
        saved: list[recollect.Saved] = []
        for start in range(0, len(items), _BATCH):
            batch = [{"content": item.text} for item in items[start : start + _BATCH]]
            saved += self._mine.notes.save_many(batch, allow_secret=True)
        return saved

    def _ranked(self, found: recollect.Found) -> Ranked:
        return [(item, hit.score) for hit in found.hits for item in self._items[hit.record.id]]


class Edited(Recollect):
    """The same items after 30 % of the notes were edited or deleted: what is found should stay the same.

    A sixth of the notes first said something else and is then given its text; beside each of another sixth stood a
    note that is then deleted. What they said before is the text of some other item and a word more.
    """

    name = "recollect-edited"

    def __init__(self, embedder: str, seed: int = 1) -> None:
        super().__init__(embedder)
        self._random = random.Random(seed)
        self.configured += f"; a sixth of the notes edited, as many more deleted, chosen by seed {seed}"

    def _save(self, items: Sequence[Item]) -> list[recollect.Saved]:
        count = len(items) // 6
        edited = set(self._random.sample(range(len(items)), count))
        before = [self._outdated(item, items) if at in edited else item for at, item in enumerate(items)]
        doomed = [self._outdated(item, items) for item in self._random.sample(items, count)]
        saved = super()._save([*before, *doomed])
        for one in saved[len(items) :]:
            self._mine.notes.delete(one.record.id)
        for at in sorted(edited):
            self._mine.notes.update(saved[at].record.id, content=items[at].text, allow_secret=True)
        return saved[: len(items)]

    def _outdated(self, item: Item, items: Sequence[Item]) -> Item:
        return replace(item, text=f"{self._random.choice(items).text} outdated{self._random.randrange(10**9)}")


VARIANTS = ("none", KEPT)
"""The embedders to measure."""

"""What the checks of the door start from: memories opened on one place, a clock that can be moved, all that is kept."""

import json
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from recollect.domain import clock
from recollect.domain.record import Record
from recollect.memory import Memory

T = TypeVar("T")

THREADS = 8
WORDS_ALONE = {"embedder": {"provider": "none"}}
"""What `open_memory` chooses where a check names no embedder."""


class OpenMemory(Protocol):
    """Opens a Memory, always on the same place, with settings of its own where some are named."""

    def __call__(self, **choices: Any) -> Memory:
        """Return an open Memory; `choices` are keys of `Settings`, such as `writing={"secrets": "mask"}`.

        Without a choice of `embedder` it has none: `WORDS_ALONE`.
        """
        ...


class DoorChecks:
    """The fixtures of the checks below; `open_memory` is the one that a subclass gives."""

    @pytest.fixture
    def open_memory(self) -> OpenMemory:
        """Return what opens memories on one new and empty place."""
        raise NotImplementedError("a subclass of a conformance class gives the fixture open_memory")

    @pytest.fixture
    def memory(self, open_memory: OpenMemory) -> Iterator[Memory]:
        """Give an open and empty memory."""
        with open_memory() as memory:
            yield memory

    @pytest.fixture
    def mine(self, memory: Memory) -> Memory:
        """Return the memory of one user and agent."""
        return memory.within(user="u1", agent="coach")

    def stored_bytes(self, memory: Memory, folder: Path) -> bytes:
        """Return everything that the place of `memory` holds: its files, or where it has none, an export of all.

        A back end that can say more of itself overrides this.
        """
        place = Path(memory.upkeep.check().database.place)
        files = sorted(place.parent.glob(place.name + "*")) if place.is_file() else []
        if not files:
            files = [folder / "everything.jsonl"]
            memory.export(files[0], all_owners=True)
        return b"\n".join(file.read_bytes() for file in files)


@contextmanager
def later(**apart: float) -> Generator[datetime]:
    """Stop the clock inside the block at a moment that lies `apart` from now, as `later(days=31)`."""
    moment = clock.now() + timedelta(**apart)
    with clock.running(lambda: moment):
        yield moment


def everything(memory: Memory, status: str = "active") -> list[Record]:
    """Return all notes that a scope lists, newest first."""
    page = memory.notes.list(status=status, limit=100)
    found = list(page.items)
    while page.next_cursor is not None:
        page = memory.notes.list(status=status, limit=100, cursor=page.next_cursor)
        found += page.items
    return found


def in_threads(work: Callable[[int], T], count: int = THREADS) -> list[T]:
    """Return what `work` gives for each number below `count`, all at the same time, each in a thread of its own."""
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def ids(records: Sequence[Record]) -> list[int]:
    """Return the ids of records in their order."""
    return [record.id for record in records]


def searching(examples: int) -> settings:
    """Return how hard a property is tried: `examples` times, or 20 times as often with RECOLLECT_FULL=1."""
    full = os.environ.get("RECOLLECT_FULL") == "1"
    checks = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
    return settings(max_examples=examples * (20 if full else 1), deadline=None, suppress_health_check=checks)


def call(memory: Memory, tool: str, **arguments: object) -> Any:
    """Return what a model is answered when it calls a tool of the scope of `memory`: the words of an agent."""
    return json.loads(memory.tools(split=True).call(tool, arguments).content)

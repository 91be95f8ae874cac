"""What waits in the queue: whoever drains it has everything done that was queued before, whoever does it."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect import Settings, open_memory
from recollect.domain.cards import ModelCard, Role
from recollect.models.base import EmbedderChoice
from recollect.models.fake import FakeEmbedder
from recollect.registry import register
from tests.integration.programs import needs_fork, run


class Slow:
    """An embedder that takes its time, and tells when it began."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.go_on = threading.Event()
        self._inner = FakeEmbedder()

    @property
    def card(self) -> ModelCard:
        return self._inner.card

    def embed(self, texts: Sequence[str], *, role: Role) -> Any:
        self.began.set()
        assert self.go_on.wait(20)
        return self._inner.embed(texts, role=role)


def test_draining_waits_for_the_job_in_hand(tmp_path: Path) -> None:
    embedder = Slow()

    def make(_: EmbedderChoice) -> Slow:
        return embedder

    settings = Settings.model_validate({"data": str(tmp_path), "embedder": {"provider": "slow"}})
    with register("recollect.embedders", "slow", make), open_memory(settings) as memory:
        memory.notes.save_many({"content": f"tea of day {number}"} for number in range(150))
        assert embedder.began.wait(20)
        threading.Timer(0.5, embedder.go_on.set).start()
        memory.upkeep.drain()
        assert memory.upkeep.lag() == 0


CHILD = """
import os, sys, threading, time
from recollect import Settings, open_memory
settings = Settings.model_validate({"data": sys.argv[1], "embedder": {"provider": "fake"}})
with open_memory(settings) as memory:
    stop = threading.Event()
    def write():
        while not stop.is_set():
            memory.within(user="busy").notes.save_many([{"content": f"tea {time.time()}"}] * 8)
    writer = threading.Thread(target=write)
    writer.start()
    for _ in range(10):
        time.sleep(0.05)
        child = os.fork()
        if child == 0:
            memory.upkeep.drain()
            os._exit(0)
        end = time.monotonic() + 20
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            assert time.monotonic() < end or os.kill(child, 9), "a child waits for a thread of its parent"
            time.sleep(0.01)
    stop.set()
    writer.join()
"""


@needs_fork
def test_a_child_drains_while_the_parent_works(tmp_path: Path) -> None:
    run(CHILD, tmp_path)

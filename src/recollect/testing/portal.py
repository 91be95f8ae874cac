"""A door for awaiting, used without: every coroutine is run to its end on one event loop in a thread of its own."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from inspect import iscoroutinefunction
from typing import Any, Self, TypeVar, cast

from recollect.aio import AsyncMemory, AsyncNotes, AsyncRecalls
from recollect.memory import Memory

T = TypeVar("T")

Run = Callable[[Coroutine[Any, Any, Any]], Any]


@contextmanager
def event_loop() -> Generator[Run]:
    """Give what runs a coroutine on a loop of its own and waits for it; any thread may call it."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="event-loop", daemon=True)
    thread.start()
    try:
        yield lambda work: asyncio.run_coroutine_threadsafe(work, loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(loop.shutdown_default_executor(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def awaiting(memory: AsyncMemory, run: Run) -> Memory:
    """Return `memory` as a Memory whose verbs are awaited behind each call."""
    return cast(Memory, _Awaited(memory, run))


class _Awaited:
    """Stands for an AsyncMemory, its notes or its ledger."""

    def __init__(self, target: AsyncMemory | AsyncNotes | AsyncRecalls, run: Run) -> None:
        self._target = target
        self._run = run

    def __getattr__(self, name: str) -> Any:
        return self._called(getattr(self._target, name))

    def __enter__(self) -> Self:
        self._run(cast(AsyncMemory, self._target).__aenter__())
        return self

    def __exit__(self, *problem: Any) -> None:
        self._run(cast(AsyncMemory, self._target).__aexit__(*problem))

    def _called(self, value: Any) -> Any:
        if isinstance(value, AsyncMemory | AsyncNotes | AsyncRecalls):
            return _Awaited(value, self._run)
        if iscoroutinefunction(value):

            def wait_for(*given: Any, **named: Any) -> Any:
                return self._run(value(*given, **named))

            return wait_for
        if not callable(value):
            return value

        def call(*given: Any, **named: Any) -> Any:
            return self._called(value(*given, **named))

        return call

"""How long a model may take while somebody waits for an answer that can do without it."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic

_end: ContextVar[float | None] = ContextVar("recollect_hurry", default=None)


@contextmanager
def hurried(seconds: float) -> Generator[None]:
    """Give everything that is asked of models inside the block so many seconds together, and no more than is left."""
    left = seconds_left()
    token = _end.set(monotonic() + (seconds if left is None else min(seconds, left)))
    try:
        yield
    finally:
        _end.reset(token)


def seconds_left() -> float | None:
    """Return how long a model may still take here; None where nobody is in a hurry."""
    end = _end.get()
    return None if end is None else max(0.0, end - monotonic())

"""A pool of connections: at most so many are open, and the one used last is taken first."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from recollect.domain.errors import StorageError

C = TypeVar("C")


class Pool(Generic[C]):
    """Connections that threads take and give back. Whoever finds none waits for a while."""

    def __init__(self, connect: Callable[[], C], close: Callable[[C], None], size: int, wait_seconds: float) -> None:
        self._connect = connect
        self._close = close
        self._size = size
        self._wait_seconds = wait_seconds
        self._free = threading.BoundedSemaphore(size)
        self._idle: list[C] = []
        self._is_closed = False

    def take(self, *, fresh: bool = False) -> C:
        """Return a connection that nobody else uses; with `fresh` one that was never used."""
        if self._is_closed:
            raise StorageError("closed")
        if not self._free.acquire(timeout=self._wait_seconds):
            raise StorageError("pool_exhausted", size=self._size, seconds=int(self._wait_seconds))
        try:
            if fresh:
                self._close_idle()
            try:
                return self._idle.pop()
            except IndexError:
                return self._connect()
        except BaseException:
            self._free.release()
            raise

    def give(self, connection: C, *, sound: bool) -> None:
        """Take a connection back, to be used again when it is sound."""
        if sound and not self._is_closed:
            self._idle.append(connection)
        else:
            self._close(connection)
        if self._is_closed:
            self._close_idle()  # who closes does not wait for what is in use
        self._free.release()

    def close(self) -> None:
        """Close what is idle now, and each of the others when it is given back."""
        self._is_closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return
            self._close(connection)

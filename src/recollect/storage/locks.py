"""The one module that knows how an operating system locks a file.

The lock lies on its own file beside the database and belongs to one open file, so two Memories of one process exclude
each other as two processes do, and it is gone when its process is, however that ended.
"""

import os
import random
import sys
import time
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        os.lseek(handle, 0, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


_SHORTEST_NAP = 0.0002
_LONGEST_NAP = 0.003


class FileLock:
    """An exclusive lock between processes. Waiters nap for a random moment of one fixed range, so none starves."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def acquire(self, timeout_seconds: float) -> bool:
        """Take the lock, or tell after `timeout_seconds` that it could not be had."""
        deadline = time.monotonic() + timeout_seconds
        while not _try_lock(self._handle):
            if time.monotonic() >= deadline:
                return False
            time.sleep(random.uniform(_SHORTEST_NAP, _LONGEST_NAP))
        return True

    def release(self) -> None:
        """Give the lock to whoever waits."""
        _unlock(self._handle)

    def close(self) -> None:
        """Close the file; a lock that is still held goes with it."""
        os.close(self._handle)

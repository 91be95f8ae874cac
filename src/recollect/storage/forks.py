"""Forks: what is open comes to rest before one and starts anew in the child.

SQLite counts its locks by process in memory that a child inherits: whoever is open or writing when a process forks
would seem to be so in the child for ever, and the child would take no locks of its own. So connections are closed
before a fork and opened again when they are needed.
"""

import os
import threading
import weakref
from typing import Protocol, Self


class Forkable(Protocol):
    """Something that must not be carried into a child as it is."""

    def rest(self) -> None:
        """Let go of everything that a child must not inherit, and stay so until one of the others is called."""
        ...

    def go_on(self) -> None:
        """Go on in the parent."""
        ...

    def start_anew(self) -> None:
        """Begin again in the child."""
        ...


class Gate:
    """Lets any number through until somebody shuts it, who waits for those inside."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = 0
        self._is_shut = False

    def __enter__(self) -> Self:
        with self._changed:
            while self._is_shut:
                self._changed.wait()
            self._inside += 1
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._inside -= 1
            if self._is_shut:
                self._changed.notify_all()

    def shut(self, timeout_seconds: float) -> bool:
        """Let nobody in any more; tell whether everybody has left in time."""
        with self._changed:
            self._is_shut = True
            return self._changed.wait_for(lambda: self._inside == 0, timeout_seconds)

    def open(self) -> None:
        """Let everybody through again."""
        with self._changed:
            self._is_shut = False
            self._changed.notify_all()


_turn = threading.Lock()
_watched: "weakref.WeakSet[Forkable]" = weakref.WeakSet()
_resting: list[Forkable] = []


def watch(thing: Forkable) -> None:
    """Tell `thing` of every fork from now on."""
    _watched.add(thing)


def forget(thing: Forkable) -> None:
    """Tell `thing` of no fork any more."""
    _watched.discard(thing)


def _before() -> None:
    _turn.acquire()
    _resting.extend(list(_watched))
    for thing in _resting:
        thing.rest()


def _in_parent() -> None:
    while _resting:
        _resting.pop().go_on()
    _turn.release()


def _in_child() -> None:
    global _turn
    _turn = threading.Lock()
    while _resting:
        _resting.pop().start_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)

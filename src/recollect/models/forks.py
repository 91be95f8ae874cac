"""Forks: what must not be shared with a child, locks and connections, begins anew in it."""

import os
import weakref
from typing import Protocol


class StartsAnew(Protocol):
    """Something that holds what a child must not inherit."""

    def start_anew(self) -> None:
        """Begin again; called in the child, before any of its threads runs."""
        ...


_watched: "weakref.WeakSet[StartsAnew]" = weakref.WeakSet()


def watch(thing: StartsAnew) -> None:
    """Let `thing` start anew in every child that is forked from now on."""
    _watched.add(thing)


def _in_child() -> None:
    for thing in list(_watched):
        thing.start_anew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)

"""What a system is to the quality bench."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from bench.known import Item

DEPTH = 100  # results asked for, where a system lets one ask

Ranked = list[tuple[str, float]]
"""Ids of items, best first, each with its score."""


class System(ABC):
    """Something that keeps the items of one user and ranks them for a question.

    `name` and `variant` tell it apart, `versions` and `configured` say what was measured.
    """

    name: str
    variant: str
    versions: str
    configured: str
    repeatable = True
    """Whether the same versions give the same answers, so that an earlier run may stand for another."""

    @abstractmethod
    def index(self, items: Sequence[Item]) -> None:
        """Forget what was there and keep these."""

    @abstractmethod
    def search(self, text: str, k: int, time: str) -> Ranked:
        """Return up to k items, best first; `time` is when the question is asked, where the set says so."""

    def answers(self, text: str, k: int, time: str) -> Ranked | None:
        """Return what the system gives when it may stay silent; None where it has no such notion."""
        return None

    def sources(self) -> list[Path]:
        """Return the files that make it what it is: when one changes, what it answered before no longer stands."""
        return [Path(inspect.getfile(type(self)))]

    def close(self) -> None:  # noqa: B027
        """Let go of everything; many hold nothing."""

    @property
    def label(self) -> str:
        """The system as rows and plots name it."""
        return f"{self.name}, {self.variant}" if self.variant else self.name

"""The door whole: every check of a Memory, and the same for one that is awaited."""

from collections.abc import Coroutine, Iterator
from typing import Any, Protocol

import pytest

from recollect.aio import AsyncMemory
from recollect.memory import Memory
from recollect.testing.acting import ActingChecks
from recollect.testing.changing import ChangingChecks
from recollect.testing.explaining import ExplainingChecks
from recollect.testing.finding import FindingChecks
from recollect.testing.isolation import IsolationChecks
from recollect.testing.ledger import LedgerChecks
from recollect.testing.listing import ListingChecks
from recollect.testing.meaning import MeaningChecks
from recollect.testing.opening import OpenMemory
from recollect.testing.portal import awaiting, event_loop
from recollect.testing.prompting import PromptingChecks
from recollect.testing.refusing import RefusingChecks
from recollect.testing.removing import RemovingChecks
from recollect.testing.saving import SavingChecks
from recollect.testing.secrecy import SecrecyChecks
from recollect.testing.undoing import UndoingChecks


class OpenAsyncMemory(Protocol):
    """Opens an AsyncMemory, always on the same place, with settings of its own where some are named."""

    def __call__(self, **choices: Any) -> Coroutine[Any, Any, AsyncMemory]:
        """Return an open AsyncMemory; `choices` are keys of `Settings`."""
        ...


class DoorConformance(
    SavingChecks,
    ChangingChecks,
    ListingChecks,
    RemovingChecks,
    UndoingChecks,
    FindingChecks,
    ExplainingChecks,
    LedgerChecks,
    PromptingChecks,
    SecrecyChecks,
    RefusingChecks,
    ActingChecks,
    IsolationChecks,
    MeaningChecks,
):
    """Whatever stands behind a Memory passes this whole. Subclasses give the fixture `open_memory`."""


class AsyncDoorConformance(DoorConformance):
    """The same for an AsyncMemory. Subclasses give the fixture `open_async_memory`."""

    @pytest.fixture
    def open_async_memory(self) -> OpenAsyncMemory:
        """Return what opens async memories on one new and empty place."""
        raise NotImplementedError("a subclass of AsyncDoorConformance gives the fixture open_async_memory")

    @pytest.fixture
    def open_memory(self, open_async_memory: OpenAsyncMemory) -> Iterator[OpenMemory]:
        """Give what opens memories that are awaited behind each call."""
        with event_loop() as run:

            def open_awaited(**choices: Any) -> Memory:
                return awaiting(run(open_async_memory(**choices)), run)

            yield open_awaited

"""Taking times: what each call cost, and which part of the calls took at most how long."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from bench.report import Row, say

_SAY_EVERY_SECONDS = 10.0

T = TypeVar("T")


@dataclass(slots=True)
class Laps:
    """The milliseconds that calls took."""

    milliseconds: list[float] = field(default_factory=list)

    def time(self, call: Callable[[], object]) -> object:
        """Make one call and note what it took."""
        began = time.perf_counter()
        answer = call()
        self.milliseconds.append((time.perf_counter() - began) * 1e3)
        return answer

    def at(self, share: float) -> float:
        """Return the time that this share of the calls did not exceed."""
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    def row(self) -> Row:
        """Return count, p50, p95, p99 and the longest, in milliseconds."""
        found = {f"p{round(share * 100)} ms": round(self.at(share), 3) for share in (0.5, 0.95, 0.99)}
        return {"calls": len(self.milliseconds), **found, "max ms": round(max(self.milliseconds), 3)}

    def rate(self, things: int = 1) -> float:
        """Return things a second, when each call did `things`."""
        return round(things * len(self.milliseconds) / (sum(self.milliseconds) / 1e3), 1)


def told(things: Iterable[T], count: int, what: str) -> Iterator[T]:
    """Yield the things and say now and then how many are done."""
    last = time.monotonic()
    for at, thing in enumerate(things):
        if time.monotonic() - last >= _SAY_EVERY_SECONDS:
            last = time.monotonic()
            say(f"{what}: {at:,} of {count:,}")
        yield thing

"""The one place that reads the time; UTC everywhere, kept as whole microseconds."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MICROSECONDS_A_DAY = 86_400_000_000


def _system_time() -> datetime:
    return datetime.now(UTC)


_source: Callable[[], datetime] = _system_time


def now() -> datetime:
    """Return the present moment, aware and in UTC."""
    return _source()


def zone() -> tzinfo:
    """Return the zone of this machine, in which "yesterday" is meant as long as nobody says another."""
    return datetime.now().astimezone().tzinfo or UTC


@contextmanager
def running(source: Callable[[], datetime]) -> Generator[None]:
    """Let `source` tell the time inside the block, for tests and for replays."""
    global _source
    before, _source = _source, source
    try:
        yield
    finally:
        _source = before


def to_micros(moment: datetime) -> int:
    """Return `moment` as whole microseconds since 1970, the form in which every database keeps it."""
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return the moment that `to_micros` made `micros` from."""
    return _EPOCH + timedelta(microseconds=micros)


def to_text(moment: datetime) -> str:
    """Return `moment` as ISO 8601 in UTC with a Z."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def days_between(earlier: datetime, later: datetime) -> float:
    """Return the days from one moment to another, never negative."""
    return max(0.0, (to_micros(later) - to_micros(earlier)) / _MICROSECONDS_A_DAY)

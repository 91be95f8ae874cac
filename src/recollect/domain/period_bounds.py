"""The present of the one who asks, and the bounds of what lies around it on a clock without a zone."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

SAID = 1.0  # nothing else can be meant
CHOSEN = 0.7  # one of several readings: which March, which Friday
VAGUE = 0.4  # its borders are ours
REACH = 24  # characters around an expression in which a word can bend it
DAY = timedelta(days=1)

_LENGTHS = {"day": DAY, "week": 7 * DAY, "weekend": 7 * DAY, "hour": DAY / 24, "minute": DAY / 1440}
_MARGIN = timedelta(minutes=5)
_MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}

Bounds = tuple[datetime, datetime]  # half-open, and without a zone, which comes in at the very end


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What one expression says, and its place in the text."""

    start: int
    end: int
    bounds: Bounds
    certainty: float = SAID
    cycle: str = ""  # "week" or "year" where that one is not said
    weak: bool = False  # says a time only beside another: from March to May


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A text, also folded so that every character keeps its place, and the present of the one who asks."""

    text: str
    folded: str
    now: datetime
    zone: tzinfo
    today: datetime

    def before(self, place: int) -> str:
        """Return the few folded characters before a place."""
        return self.folded[max(0, place - REACH) : place]

    def moment(self, ago: timedelta) -> datetime:
        """Return what the clock showed so long ago; the time that passed counts, not what the clock skipped."""
        return (self.now.astimezone(UTC) - ago).astimezone(self.zone).replace(tzinfo=None)

    def whole(self, unit: str, steps: int) -> Bounds:
        """Return the calendar unit that is so many units from the present one."""
        first = self.today
        if unit in {"week", "weekend"}:
            first -= first.weekday() * DAY
        elif unit != "day":
            first = first.replace(day=1, month=first.month - (first.month - 1) % _MONTHS_IN[unit])
        since, until = step(first, unit, steps), step(first, unit, steps + 1)
        return (since + 5 * DAY, until) if unit == "weekend" else (since, until)

    def ago(self, unit: str, fewest: int, most: int) -> Bounds:
        """Return the whole units from `most` to `fewest` ago; negative numbers lie ahead."""
        length = _LENGTHS.get(unit, DAY)
        if length < DAY:
            margin = max(length / 2, _MARGIN)
            return self.moment(length * most + margin), self.moment(length * fewest - margin)
        return self.whole(unit, -most)[0], self.whole(unit, -fewest)[1]

    def back(self, unit: str, count: int) -> Bounds:
        """Return today and what reaches so many units back from it."""
        length = _LENGTHS.get(unit, DAY)
        since = self.moment(length * count) if length < DAY else step(self.today, unit, -count)
        return since, self.today + DAY

    def ahead(self, unit: str, count: int) -> Bounds:
        """Return today and so many units after it; hours and minutes begin now."""
        length = _LENGTHS.get(unit, DAY)
        if length < DAY:
            return self.moment(timedelta()), self.moment(-length * count)
        return self.today, step(self.today + DAY, unit, count)


def step(moment: datetime, unit: str, steps: int) -> datetime:
    """Return the moment so many units later; a month that is too short gives its last day."""
    if unit not in _MONTHS_IN:
        return moment + _LENGTHS[unit] * steps
    year, month = divmod(moment.year * 12 + moment.month - 1 + _MONTHS_IN[unit] * steps, 12)
    first = moment.replace(year=year, month=month + 1, day=1)
    last = (first + 31 * DAY).replace(day=1) - DAY
    return first.replace(day=min(moment.day, last.day))

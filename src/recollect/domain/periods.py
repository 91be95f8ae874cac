"""What a question says about time, in Chinese and English, as periods on the owner's clock.

- A day, week, month, quarter or year is the whole of it, from midnight to midnight; a week begins on Monday.
- "N units ago" is the whole unit that many units back; hours and minutes allow half an hour and five minutes
  to either side.
- "The last N units" begin at the midnight or moment so far back; they and "recently" (30 days) end with today.
- "Last week" is the calendar week before this one, "the past week" the last seven days. 上周五 and "next Friday" count
  in calendar weeks; "last Friday" is the latest one before today, "coming Friday" the first one after it.
- A weekday, date, month, quarter or holiday without its week or year is the latest one that has begun.
- "Last March" is the latest that is over, "next March" the first still to begin; so are holidays.
- Few, several, 几 and 两三 are spans of counts; half a unit ago allows the next smaller unit to either side.
- Morning is 5 to 12, noon 11 to 14, afternoon 12 to 18, evening 17 to 24, night and 晚上 18 to 4, 凌晨 0 to 6.
- "Since A" ends with today, or never where A is still to come; "after A" is the same from A's end on.
- "Before A" reaches from the beginning of the calendar to A's beginning, "until A" to its end.
- In a range, an end without a year is the first after the beginning, a beginning without one the last before the end.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from heapq import merge
from itertools import islice

from recollect.domain import period_words as words
from recollect.domain.dates import find_dates
from recollect.domain.period_bounds import DAY, REACH, Bounds, Question, Reading, step
from recollect.domain.period_readings import ENGLISH_RULES, HAN_RULES, Reader, day_in
from recollect.domain.traditional import TO_SIMPLIFIED

MOST_PERIODS = 4

_MOST_MATCHES = 512  # of one rule; more are no question
_FOLDED = TO_SIMPLIFIED | {ord(upper): upper.lower() for upper in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}  # keeps every place


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of time and its place in the text; `until` is the first moment that is no longer in it.

    `certainty` is SAID, CHOSEN among several readings, or VAGUE about its borders.
    """

    start: int
    end: int
    since: datetime
    until: datetime
    certainty: float


def find_periods(text: str, now: datetime, zone: tzinfo) -> tuple[Period, ...]:
    """Return the first periods the text speaks of, in its order; never raises, in time that grows with the length."""
    try:
        local = now.astimezone(zone)
    except (OverflowError, ValueError):  # the first and the last day of the calendar
        return ()
    today = local.replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0, fold=0)
    question = Question(text=text, folded=text.translate(_FOLDED), now=local, zone=zone, today=today)
    readings = _readings(question)
    periods: list[Period] = []
    while readings and len(periods) < MOST_PERIODS:
        joined: Reading | None = None
        try:
            joined = _range(question, *readings[:2]) if len(readings) > 1 else None
            reading = joined or _bent(question, readings[0])
        except (OverflowError, ValueError):  # over the rim of the calendar
            reading = readings[0]
        period = None if reading.weak else _period(reading, zone)
        periods += [period] if period else []
        readings = readings[2 if joined else 1 :]
    return tuple(periods)


def _period(reading: Reading, zone: tzinfo) -> Period | None:
    since, until = (_to_utc(bound, zone) for bound in reading.bounds)
    if since >= until:  # a day that the zone left out
        return None
    return Period(start=reading.start, end=reading.end, since=since, until=until, certainty=reading.certainty)


def _to_utc(clock: datetime, zone: tzinfo) -> datetime:
    if clock in {datetime.min, datetime.max}:
        return clock.replace(tzinfo=UTC)
    try:
        return clock.replace(tzinfo=zone).astimezone(UTC)
    except (OverflowError, ValueError):
        return (datetime.min if clock.year == 1 else datetime.max).replace(tzinfo=UTC)


# single readings


def _readings(question: Question) -> list[Reading]:
    """Return the readings that do not overlap, the earlier before the longer, each cut to the part of the day."""
    kept: list[Reading] = []
    end = 0
    rules = ENGLISH_RULES if question.folded.isascii() else ENGLISH_RULES + HAN_RULES
    found = [_candidates(question, pattern, read) for pattern, read in rules]
    for reading in merge(*found, _written_dates(question), key=lambda reading: (reading.start, -reading.end)):
        earlier = bool(kept) and reading.start == end and question.folded[end] == "前"  # 春节前两天 is not 前两天
        if reading.start >= end and not earlier:
            kept.append(_part_of_day(question, reading))
            end = kept[-1].end
    return kept


def _candidates(question: Question, pattern: re.Pattern[str], read: Reader) -> Iterator[Reading]:
    for match in islice(pattern.finditer(question.folded), _MOST_MATCHES):
        try:
            reading = read(match, question)
        except (OverflowError, ValueError):  # no such day, or none that a calendar holds
            continue
        if reading is not None:
            yield reading


def _written_dates(question: Question) -> Iterator[Reading]:
    # Only where a year stands in figures; the rules read the other dates, and more of them.
    for match in islice(words.YEAR_IN_FIGURES.finditer(question.text), _MOST_MATCHES):
        start = max(0, match.start() - 2)
        for date in find_dates(question.text[start : match.start() + REACH]):
            bounds = day_in(date.month, date.day)(date.year) if date.year else None
            if bounds is not None and start + date.start == match.start():
                yield Reading(start=match.start(), end=start + date.end, bounds=bounds)


def _part_of_day(question: Question, reading: Reading) -> Reading:
    since, until = reading.bounds
    before = words.PART_BEFORE.search(question.before(reading.start))
    part = before or words.PART_AFTER.match(question.folded, reading.end)
    if part is None or until - since != DAY:
        return reading
    first, last = words.HOURS[part.groupdict().get("han") or part["word"]]
    bounds = (since + timedelta(hours=first), since + timedelta(hours=last))
    if before:
        return replace(reading, bounds=bounds, start=reading.start - len(before.group()))
    return replace(reading, bounds=bounds, end=part.end())


# what stands around them


def _range(question: Question, first: Reading, last: Reading) -> Reading | None:
    """Return what reaches from one reading to the other, or None where the text does not say so."""
    gap = question.folded[first.end : last.start][:REACH]
    opening = words.RANGE_BEGINS.search(question.before(first.start))
    closing = words.RANGE_ENDS.match(question.folded, last.end)
    between = closing or (opening and (opening["word"] or opening["han"]) in {"between", "在"})
    if not words.RANGE.fullmatch(gap) and not (between and words.BETWEEN.fullmatch(gap)):
        return None
    bounds, ends = first.bounds, last.bounds
    if last.cycle:
        ends = _moved(ends, last.cycle, bounds[0], after=True)
    elif first.cycle:
        bounds = _moved(bounds, first.cycle, ends[0], after=False)
    return Reading(
        start=first.start - (len(opening.group()) if opening else 0),
        end=closing.end() if closing else last.end,
        bounds=(min(bounds[0], ends[0]), max(bounds[1], ends[1])),
        certainty=min(first.certainty, last.certainty),
    )


def _moved(bounds: Bounds, cycle: str, beside: datetime, *, after: bool) -> Bounds:
    """Return the bounds in the first week or year in which they do not begin before `beside`, or the last not after."""
    if cycle == "week":
        steps = -((bounds[0] - beside) // (7 * DAY)) if after else (beside - bounds[0]) // (7 * DAY)
    else:
        steps = beside.year - bounds[0].year
        there = step(bounds[0], cycle, steps)
        steps += int(there < beside) if after else -int(there > beside)
    return step(bounds[0], cycle, steps), step(bounds[1], cycle, steps)


def _bent(question: Question, reading: Reading) -> Reading:
    """Return the reading as a word before or after it bends it: since, after, before, until."""
    before = words.BENT_BEFORE.search(question.before(reading.start))
    after = words.BENT_AFTER.match(question.folded, reading.end)
    if after and not after["word"]:  # 从周一开始, from Monday on
        before = words.FROM.search(question.before(reading.start))
        said, unit = ("since", None) if before else (None, None)
    elif after:
        said, unit = after["word"], None
    else:
        said, unit = (before["word"] or before["han"], before["unit"]) if before else (None, None)
    if said is None:
        return reading
    return replace(
        reading,
        start=reading.start - (len(before.group()) if before else 0),
        end=after.end() if after else reading.end,
        bounds=_bent_bounds(question, reading.bounds, words.BENDS[" ".join(said.split())], unit),
        weak=False,
    )


def _bent_bounds(question: Question, bounds: Bounds, bend: str, unit: str | None) -> Bounds:
    since, until = bounds
    if bend == "before":
        return (step(since, unit, -1) if unit else datetime.min), since
    if bend == "until":
        return datetime.min, until
    if unit and bend == "after":
        return until, step(until, unit, 1)
    begin, tomorrow = since if bend == "since" else until, question.today + DAY
    return begin, tomorrow if begin < tomorrow else datetime.max

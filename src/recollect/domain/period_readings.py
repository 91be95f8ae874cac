"""What a single expression of time says, as bounds on the clock of the one who asks.

Each reader takes the match of a pattern and returns its reading, or None where the words only look like a time.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from recollect.domain import period_words as words
from recollect.domain.period_bounds import CHOSEN, DAY, SAID, VAGUE, Bounds, Question, Reading, step

_LEAP_YEARS_APART = 8  # at most

Match = re.Match[str]
Reader = Callable[[Match, Question], Reading | None]
InYear = Callable[[int], Bounds | None]


def _reading(match: Match, bounds: Bounds, certainty: float = SAID, cycle: str = "") -> Reading:
    return Reading(start=match.start(), end=match.end(), bounds=bounds, certainty=certainty, cycle=cycle)


# so many units


def _number(said: str) -> int:
    if said.isdecimal():
        return int(said)
    total = rest = 0
    for character in said:
        if character in words.TENS:
            total, rest = total + (rest or 1) * words.TENS[character], 0
        else:
            rest = rest * 10 + words.FIGURES[character]
    return total + rest


def _span(said: str) -> tuple[int, int]:
    """Return the fewest and the most that are meant."""
    if said in words.SPANS:
        return words.SPANS[said]
    if said in words.COUNTS:
        return words.COUNTS[said], words.COUNTS[said]
    if len(said) == 2 and not said.isdecimal() and words.TENS.keys().isdisjoint(said):
        low, high = _number(said[0]), _number(said[1])
        if high == low + 1:  # 两三
            return low, high
    return _number(said), _number(said)


def _amount(match: Match) -> tuple[str, int, int] | None:
    """Return the unit, and the fewest and the most of it."""
    said, unit = match["n"], match["unit"].removeprefix("个")
    unit = words.UNITS.get(unit, unit)
    if said in {"half", "半"}:
        if unit not in words.HALVES:
            return None
        half, unit = words.HALVES[unit]
        return unit, half - 1, half + 1
    fewest, most = _span(said)
    if fewest == 0 or (unit == "year" and 1900 <= most < 2100):  # 2020年前 names a year
        return None
    return unit, fewest, most


def _ago(match: Match, question: Question) -> Reading | None:
    amount = _amount(match)
    if amount is None:
        return None
    unit, fewest, most = amount
    certainty = SAID if fewest == most else VAGUE
    if match["way"] in {"ago", "back", "前"}:
        return _reading(match, question.ago(unit, fewest, most), certainty)
    return _reading(match, question.ago(unit, -most, -fewest), min(certainty, CHOSEN))


def _window(match: Match, question: Question) -> Reading | None:
    amount = _amount(match)
    if amount is None or (match["rel"] == "这" and match["n"] in {"一", "1"}):  # 这一天
        return None
    unit, fewest, most = amount
    half = match["n"] in {"half", "半"}
    count = most - 1 if half else most
    ahead = match["rel"] in {"next", "coming", "following", "未来", "接下来", "今后"}
    bounds = question.ahead(unit, count) if ahead else question.back(unit, count)
    return _reading(match, bounds, SAID if half or fewest == most else VAGUE)


def _lately(match: Match, question: Question) -> Reading:
    return _reading(match, question.back("day", words.LATELY.get(match.group(), 30)), VAGUE)


# days, weeks and other units beside the present one


def _day(match: Match, question: Question) -> Reading:
    offset = words.RELATIONS[match["rel"]] * (2 if match["twice"] else 1)
    return _reading(match, question.whole("day", offset))


def _part(match: Match, question: Question) -> Reading:
    day = question.whole("day", words.RELATIONS.get(match["rel"], 0))[0]
    first, last = words.HOURS[match["part"]]
    return _reading(match, (day + timedelta(hours=first), day + timedelta(hours=last)))


def _unit(match: Match, question: Question) -> Reading:
    if match["far"]:
        return _reading(match, question.whole(match["unit2"], -2 if match["far"].startswith("before") else 2))
    rel, unit = match["rel"].split()[-1], match["unit"]
    if rel == "past" and unit != "weekend":
        return _reading(match, question.back(unit, 1))
    return _reading(match, question.whole(unit, words.RELATIONS[rel]))


def _past_unit(match: Match, question: Question) -> Reading:
    return _reading(match, question.back(match["unit"], 1))


def _han_unit(match: Match, question: Question) -> Reading:
    since, until = question.whole(words.UNITS[match["unit"]], words.RELATIONS[match["rel"]])
    if match["date"]:
        since = since.replace(day=_number(match["date"]))
        until = since + DAY
    return _reading(match, (since, until))


def _weekend(match: Match, question: Question) -> Reading:
    begun = question.today.weekday() >= words.WEEKDAYS["sat"]
    return _reading(match, question.whole("weekend", 0 if begun else -1), CHOSEN, "week")


def _in_week(question: Question, day: int, steps: int) -> Bounds:
    since = question.whole("week", steps)[0] + day * DAY
    return since, since + DAY


def _latest_weekday(match: Match, question: Question, day: int) -> Reading:
    since = question.today - (question.today.weekday() - day) % 7 * DAY
    return _reading(match, (since, since + DAY), CHOSEN, "week")


def _weekday(match: Match, question: Question) -> Reading | None:
    before, short = question.before(match.start()), match["short"]
    if words.RECURRING.search(before) or (short in {"sat", "sun"} and not _is_capital(match, question, "day")):
        return None
    rel, day = (match["rel"] or "").rpartition(" ")[2].strip(), words.WEEKDAYS[match["day"][:3]]
    if match["week"] or rel in {"this", "current", "next"}:
        return _reading(match, _in_week(question, day, words.RELATIONS[match["week"] or rel]))
    if not rel:
        reading = _latest_weekday(match, question, day)
        said = not short or (short != "sun" and words.ON.search(before))
        return reading if said else replace(reading, weak=True)
    away = day - question.today.weekday()
    days = 1 + (away - 1) % 7 if rel == "coming" else -1 - (-away - 1) % 7
    since = question.today + days * DAY
    return _reading(match, (since, since + DAY))


def _han_week(match: Match, question: Question) -> Reading | None:
    rel, day = match["rel"], match["day"]
    if rel is None:
        if day is None:
            return None
        return _weekend(match, question) if day == "末" else _latest_weekday(match, question, words.WEEKDAYS[day])
    steps = words.RELATIONS[rel]
    if day is None or day == "末":
        return _reading(match, question.whole("week" if day is None else "weekend", steps))
    return _reading(match, _in_week(question, words.WEEKDAYS[day], steps))


# what comes every year


def day_in(month: int, day: int, last: int = 0) -> InYear:
    """Return what gives the month, the day or the days of a year, or None where it has no such day."""

    def bounds(year: int) -> Bounds | None:
        try:
            since = datetime(year, month, day or 1)
            return since, datetime(year, month, last or day) + DAY if day else step(since, "month", 1)
        except ValueError:  # 30 February
            return None

    return bounds


def _months_in(first: int, count: int) -> InYear:
    return lambda year: (datetime(year, first, 1), step(datetime(year, first, 1), "month", count))


def _lunar_day(year: int, after: int) -> datetime | None:
    if not 0 <= year - words.FIRST_NEW_YEAR < len(words.NEW_YEARS):
        return None
    return datetime.strptime(f"{year}{words.NEW_YEARS[year - words.FIRST_NEW_YEAR]}", "%Y%m%d") + after * DAY


def _yearly(match: Match, question: Question, in_year: InYear) -> Reading | None:
    """Read it in the year that is said, or beside the present as "last" and the like say, or where it last began."""
    this, groups = question.today.year, match.groupdict()
    rel = (groups.get("rel") or "").rpartition(" ")[2].strip()
    year = _year(match, question)
    if rel in {"this", "current"}:
        year = this if year is None else year
    if year is not None:
        bounds = in_year(year)
        return _reading(match, bounds) if bounds else None
    ahead = rel in {"next", "coming"}
    years = range(this, this + _LEAP_YEARS_APART + 1) if ahead else range(this, this - _LEAP_YEARS_APART - 1, -1)
    for year in years:
        bounds = in_year(year) if 0 < year < 10_000 else None
        if bounds is None:
            continue
        since, until = bounds
        if since > question.today if ahead else (until if rel else since) <= question.today:
            return _reading(match, bounds) if rel else _reading(match, bounds, CHOSEN, "year")
    return None


def _year(match: Match, question: Question) -> int | None:
    groups = match.groupdict()
    if groups.get("yrel"):
        return question.today.year + words.RELATIONS[groups["yrel"]]
    if not groups.get("year"):
        return None
    year = _number(groups["year"])
    return year + 2000 if year < 100 else year


def _is_capital(match: Match, question: Question, group: str) -> bool:
    return question.text[match.start(group)].isupper()


def _month(match: Match, question: Question) -> Reading | None:
    standing = _month_standing(match, question)
    if standing is None:
        return None
    day, last = (int((said or "0").rstrip("dhnrst")) for said in (match["before"] or match["day"], match["last"]))
    reading = _yearly(match, question, day_in(words.MONTHS[match["month"][:3]], day, last))
    return replace(reading, weak=True) if reading and standing == "weak" else reading


def _month_standing(match: Match, question: Question) -> str | None:
    """Say whether that is a month, only beside another time one ("weak"), or another word (None): May, march, June."""
    name, before = match["month"].rstrip("."), question.before(match.start())
    day = match["before"] or match["day"]
    other_word = name in {"may", "march", "mar"} and not _is_capital(match, question, "month")
    if match["year"] or match["yrel"] or words.INTRODUCED.search(before):
        return "month"
    if day:
        sure = not other_word or not day.isdecimal() or words.ON.search(before)
        return "month" if sure else None
    if match["rel"]:
        unsure = other_word and (name == "may" or not match["rel"].startswith(("last", "next")))
        return None if unsure else "month"
    if other_word:
        return "weak" if words.JOINED.search(before) else None
    if len(name) > 4 and name not in {"march", "april", "june", "august"}:
        return "month"
    owned = words.OWNED.search(before) and _is_capital(match, question, "month")
    return "month" if owned and not question.folded.startswith(" on", match.end()) else "weak"


def _bare_year(match: Match, question: Question) -> Reading:
    year = int(match["year"])
    reading = _reading(match, (datetime(year, 1, 1), datetime(year + 1, 1, 1)))
    return reading if words.INTRODUCED.search(question.before(match.start())) else replace(reading, weak=True)


def _quarter(match: Match, question: Question) -> Reading | None:
    groups = match.groupdict()
    if groups.get("short") and not (match["year"] or match["yrel"]):
        introduced = words.INTRODUCED.search(question.before(match.start()))
        if not introduced and not _is_capital(match, question, "short"):
            return None
    said = groups.get("q") or words.ORDINALS.get(match["nth"]) or match["nth"][0]
    return _yearly(match, question, _months_in(3 * int(said) - 2, 3))


def _holiday(match: Match, question: Question) -> Reading | None:
    month, day, days = words.HOLIDAYS[" ".join(match["holiday"].replace("'", "").replace("’", "").split())]

    def in_year(year: int) -> Bounds | None:
        since = datetime(year, month, day) if month != words.LUNAR else _lunar_day(year, day)
        return (since, since + days * DAY) if since else None

    reading = _yearly(match, question, in_year)
    return replace(reading, cycle="") if reading and month == words.LUNAR else reading  # it moves in the year


def _han_yearly(match: Match, question: Question) -> Reading | None:
    year = match.groupdict().get("year")
    if year and not (1900 <= _number(year) < 2100 or (len(year) == 2 and match["month"])):  # 20年 are twenty of them
        return None
    if match["holiday"]:
        return _holiday(match, question)
    if match["month"]:
        day, last = (_number(match[group]) if match[group] else 0 for group in ("day", "last"))
        in_year = day_in(_number(match["month"]), day, last)
    elif quarter := match["q"] or match.groupdict().get("short"):
        in_year = _months_in(3 * _number(quarter) - 2, 3)
    elif match["half"]:
        in_year = _months_in(1 if match["half"] == "上" else 7, 6)
    else:
        in_year = _months_in(1, 12)
    return _yearly(match, question, in_year)


ENGLISH_RULES: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (words.DAY, _day),
    (words.PART, _part),
    (words.AGO, _ago),
    (words.IN_FUTURE, _ago),
    (words.WINDOW, _window),
    (words.PAST_UNIT, _past_unit),
    (words.LATELY_ENGLISH, _lately),
    (words.UNIT, _unit),
    (words.WEEKEND, _weekend),
    (words.WEEKDAY, _weekday),
    (words.MONTH, _month),
    (words.YEAR, _bare_year),
    (words.QUARTER, _quarter),
    (words.YEAR_QUARTER, _quarter),
    (words.HOLIDAY, _holiday),
)
HAN_RULES: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (words.HAN_DAY, _day),
    (words.HAN_PART, _part),
    (words.HAN_AGO, _ago),
    (words.HAN_EARLIER, _ago),
    (words.HAN_WINDOW, _window),
    (words.LATELY_HAN, _lately),
    (words.HAN_UNIT, _han_unit),
    (words.HAN_CALLED_YEAR, _han_unit),
    (words.HAN_WEEK, _han_week),
    (words.HAN_YEAR, _han_yearly),
    (words.HAN_IN_YEAR_ALONE, _han_yearly),
)

"""Dates as people write them in Chinese, English and figures, brought to the same terms."""

import re
from typing import NamedTuple

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH_NUMBERS = {written: number for number, name in enumerate(_MONTHS, 1) for written in (name, name[:3])}
_MONTH_NUMBERS["sept"] = 9
_MAYBE_NO_MONTH = {"may", "mar", "march"}

MONTH_TERMS = {name: f"{number}月" for number, name in enumerate(_MONTHS, 1) if name != "may"}
"""The term of the month that an English word names; "may" is mostly another word."""

_DIGIT = re.compile(r"\d")
_IN_FIGURES = re.compile(
    r"([12][09]\d\d)(?<![\d.]....)"
    r"(?:([-/.])(\d\d?)\2(\d\d?)(?!\d)|[-/](\d\d?)(?![-/.]?\d)|(\d\d)(\d\d)(?!\d))"  # 2026-4-15  2026/04  20260415
)
_IN_CHINESE = re.compile(r"(\d(?<!\d.)\d?)(?:(\d\d) ?年 ?(\d\d?))? ?月(?:份| ?(\d\d?) ?[日号號])?")
_IN_ENGLISH = re.compile(
    r"([JFMASONDjfmasond](?<![a-zA-Z].)[a-zA-Z]{2,8})(?![a-zA-Z])\.?"
    r"(?: (\d\d?)(?i:st|nd|rd|th)?(?![\w:]))?(?:,? ([12][09]\d\d)(?!\d))?"
)
_DAY_BEFORE = re.compile(r"(?<!\d)(\d\d?)(?:st|nd|rd|th)? (?:of )?$", re.IGNORECASE)
_DAY_BEFORE_LENGTH = 8  # 15th of


class Date(NamedTuple):
    """A date and its place in the text; 0 for a year or a day that is not said."""

    start: int
    end: int
    year: int
    month: int
    day: int

    def terms(self) -> list[str]:
        """Return what the date is found by, from the month of any year to the exact day."""
        terms = [f"{self.month}月"]
        if self.day:
            terms.append(f"{self.month:02}-{self.day:02}")
        if self.year:
            terms.append(f"{self.year}-{self.month:02}")
        if self.year and self.day:
            terms.append(f"{self.year}-{self.month:02}-{self.day:02}")
        return terms

    def variants(self) -> tuple[str, ...]:
        """Return what the date asks for: its most exact term; a full date may also be kept without its year."""
        terms = self.terms()
        return (terms[3], terms[1]) if len(terms) == 4 else (terms[-1],)


def find_dates(text: str) -> list[Date]:
    """Return the dates in the text in its order; what can be no date is left out."""
    if not _DIGIT.search(text):
        return []
    found = [_read_figures(match) for match in _IN_FIGURES.finditer(text)]
    if "月" in text:
        found += [_read_chinese(match) for match in _IN_CHINESE.finditer(text)]
    found += [_read_english(match) for match in _IN_ENGLISH.finditer(text)]
    return sorted(date for date in found if date is not None)


def _read_figures(match: re.Match[str]) -> Date | None:
    year, _, month, day, lone_month, packed_month, packed_day = match.groups()
    return _date(match, year, month or lone_month or packed_month, day or packed_day)


def _read_chinese(match: re.Match[str]) -> Date | None:
    first, second, month, day = match.groups()
    return _date(match, first + second, month, day) if second else _date(match, None, first, day)


def _read_english(match: re.Match[str]) -> Date | None:
    name, day, year = match.groups()
    month = _MONTH_NUMBERS.get(name.lower())
    if month is None:
        return None
    before = _DAY_BEFORE.search(match.string, max(0, match.start() - _DAY_BEFORE_LENGTH), match.start())
    if not before and not year and (not day or name in _MAYBE_NO_MONTH):
        return None
    date = _date(match, year, str(month), before[1] if before else day)
    return date._replace(start=before.start()) if date and before else date


def _date(match: re.Match[str], year: str | None, month: str, day: str | None) -> Date | None:
    date = Date(match.start(), match.end(), int(year or 0), int(month), int(day or 0))
    possible = date.month in range(1, 13) and date.day <= 31 and (year is None or date.year in range(1900, 2100))
    return date if possible and (day is None or date.day) else None

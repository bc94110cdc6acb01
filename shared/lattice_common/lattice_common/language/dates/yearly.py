"""Yearly days, as a sentence names them: "Nora's birthday is on 3 June", "Tom hat am 3. Juni Geburtstag"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date

from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.words import MONTHS_IN_DATES, any_of, yearly

_COMES_BACK = lazy_regex(rf"\b(?:{any_of(yearly('en', 'de', 'fr', 'es', 'it'))})", re.IGNORECASE)
_MONTH = rf"(?P<month{{n}}>{any_of(MONTHS_IN_DATES)})\b\.?"
_DAY_MONTH = lazy_regex(
    r"\b(?P<day1>\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+|di\s+)?" + _MONTH.format(n=1)
    + r"|\b" + _MONTH.format(n=2) + r"\s+(?:the\s+)?(?P<day2>\d{1,2})(?:st|nd|rd|th)?\b(?!:)",
    re.IGNORECASE,
)  # fmt: skip

_LEAP = 8
"""Years within which every day of the calendar comes back."""


def yearly_day(content: str) -> int:
    """Return month and day as one number, 1224 for Christmas Eve; 0 where no yearly day is named."""
    if _COMES_BACK.search(content) is None or (found := _DAY_MONTH.search(content)) is None:
        return 0
    month = MONTHS_IN_DATES[uncased(found["month1"] or found["month2"])]
    day = int(found["day1"] or found["day2"])
    return month * 100 + day if 1 <= day <= 31 else 0


def next_yearly(content: str, today: date) -> date | None:
    """Return the next of the yearly days that a sentence names, today included; None where it names none."""
    return next_of(yearly_day(content), today)


def last_yearly(content: str, today: date) -> date | None:
    """Return the last of the yearly days that a sentence names, before today."""
    return last_of(yearly_day(content), today)


def next_of(month_day: int, today: date) -> date | None:
    """Return the next day with this month and day (see `yearly_day`), today included."""
    return _first(month_day, (today.year + years for years in range(_LEAP + 1)), lambda day: day >= today)


def last_of(month_day: int, today: date) -> date | None:
    """Return the last day with this month and day, before today."""
    return _first(month_day, (today.year - years for years in range(_LEAP + 1)), lambda day: day < today)


def _first(month_day: int, years: Iterable[int], fits: Callable[[date], bool]) -> date | None:
    for year in years if month_day else ():
        try:
            day = date(year, month_day // 100, month_day % 100)
        except ValueError:  # 29 February
            continue
        if fits(day):
            return day
    return None

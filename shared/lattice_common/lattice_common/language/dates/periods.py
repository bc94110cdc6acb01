"""Stretches of the calendar: days, weeks, months, seasons, years, as half-open intervals.

Pure arithmetic on `datetime`; every period begins at midnight in the zone it was asked for. What lies outside the years
1 to 9999 is `None`, like the 30th of February: there is no such period.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Literal, TypeAlias

from lattice_common.language.words import seasons

Precision: TypeAlias = Literal["minute", "hour", "day", "days", "weekend", "week", "month", "season", "year", "decade", "about"]
"""How exactly a phrase gives a time; `days` is from one day to another, `about` is for "a few weeks ago", a guess by its own
words."""

_SEASONS = seasons("en")


@dataclass(frozen=True, slots=True)
class Period:
    """`[start, end)`; both carry the offset of the moment they were counted from."""

    start: datetime
    end: datetime
    precision: Precision


def midnight(moment: datetime) -> datetime:
    """Return the beginning of the day of `moment`."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def day_of(moment: datetime, days: int = 0) -> Period | None:
    """Return the day `days` after the one of `moment`."""
    return _stretch(midnight(moment), timedelta(days), timedelta(days=days + 1), "day")


def day(year: int, month: int, number: int, zone: tzinfo | None) -> Period | None:
    """Return a calendar day, or None where the month has no such day."""
    try:
        start = datetime(year, month, number, tzinfo=zone)
    except (ValueError, OverflowError):
        return None
    return day_of(start)


def week_of(moment: datetime, weeks: int = 0) -> Period | None:
    """Return the week (Monday to Sunday) `weeks` after the one of `moment`."""
    monday = timedelta(days=7 * weeks - moment.weekday())
    return _stretch(midnight(moment), monday, monday + timedelta(days=7), "week")


def weekend_of(moment: datetime, weeks: int = 0) -> Period | None:
    """Return Saturday and Sunday of the week that is `weeks` after the one of `moment`."""
    saturday = timedelta(days=7 * weeks + 5 - moment.weekday())
    return _stretch(midnight(moment), saturday, saturday + timedelta(days=2), "weekend")


def month(year: int, number: int, zone: tzinfo | None) -> Period | None:
    """Return month `number` of `year`; numbers outside 1 to 12 continue into other years."""
    start, end = _first_of(year, number, zone), _first_of(year, number + 1, zone)
    return Period(start, end, "month") if start and end else None


def season(year: int, name: str, zone: tzinfo | None) -> Period | None:
    """Return the three months of a season; a winter has the year in which it begins."""
    first = _SEASONS[name]
    start, end = _first_of(year, first, zone), _first_of(year, first + 3, zone)
    return Period(start, end, "season") if start and end else None


def years(first: int, count: int, zone: tzinfo | None) -> Period | None:
    """Return `count` calendar years from `first` on: one, or a decade."""
    start, end = _first_of(first, 1, zone), _first_of(first + count, 1, zone)
    return Period(start, end, "year" if count == 1 else "decade") if start and end else None


def around(moment: datetime, unit: str, count: int, *, exact: bool) -> Period | None:
    """Return the period `count` units from `moment`: the day for days, the week, month or year for the longer ones.

    `exact=False` marks it as `about`: a guess by its own words ("a few weeks ago" counts as three).
    """
    match unit:
        case "day":
            near = day_of(moment, count)
        case "week":
            near = week_of(moment, count)
        case "weekend":
            near = weekend_of(moment, count)
        case "month":
            near = month(moment.year, moment.month + count, moment.tzinfo)
        case "year":
            near = years(moment.year + count, 1, moment.tzinfo)
        case "decade":
            near = years((moment.year + 10 * count) // 10 * 10, 10, moment.tzinfo)
        case _:
            near = None
    if near is None or exact:
        return near
    return Period(near.start, near.end, "about")


def _first_of(year: int, number: int, zone: tzinfo | None) -> datetime | None:
    carry, index = divmod(number - 1, 12)
    try:
        return datetime(year + carry, index + 1, 1, tzinfo=zone)
    except (ValueError, OverflowError):
        return None


def _stretch(origin: datetime, start: timedelta, end: timedelta, precision: Precision) -> Period | None:
    try:
        return Period(origin + start, origin + end, precision)
    except OverflowError:
        return None

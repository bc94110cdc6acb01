"""Feasts as days of a year: those of a fixed date, and those that are counted from Easter Sunday.

A feast that people keep over several days has all of them ("at Christmas", "over Whitsun"), one that is named as a day has that
day. Easter is that of the Gregorian calendar.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo

from lattice_common.language.dates import periods
from lattice_common.language.dates.periods import Period
from lattice_common.language.words import any_of

_FIXED: Mapping[str, tuple[int, int, int]] = {
    "epiphany": (1, 6, 1), "twelfth night": (1, 5, 2), "new year's day": (1, 1, 1), "burns night": (1, 25, 1),
    "candlemas": (2, 2, 1), "valentine's day": (2, 13, 3), "valentine's": (2, 13, 3), "st patrick's day": (3, 17, 1),
    "april fools' day": (4, 1, 1), "april fool's day": (4, 1, 1), "walpurgis night": (4, 30, 2), "may day": (5, 1, 1),
    "midsummer": (6, 19, 8), "midsummer's eve": (6, 19, 6), "midsummer eve": (6, 19, 6), "midsummer's day": (6, 20, 7),
    "midsummer day": (6, 20, 7), "st john's eve": (6, 23, 1), "assumption day": (8, 15, 1), "halloween": (10, 30, 2),
    "all saints' day": (11, 1, 1), "all saints": (11, 1, 1), "all souls' day": (11, 2, 1), "all souls": (11, 2, 1),
    "bonfire night": (11, 5, 1), "guy fawkes night": (11, 5, 1), "martinmas": (11, 11, 1), "st martin's day": (11, 11, 1),
    "st nicholas' day": (12, 5, 2), "st nicholas": (12, 5, 2), "christmas": (12, 20, 10), "christmas eve": (12, 24, 1),
    "christmas day": (12, 25, 1), "boxing day": (12, 26, 1), "st stephen's day": (12, 26, 1), "new year's eve": (12, 30, 3),
    "hogmanay": (12, 30, 3), "new year": (12, 30, 4), "new year's": (12, 30, 4),
}  # fmt: skip
"""Month and day of the first day, and the number of days. Midsummer is kept on a Friday and Saturday in the north, and elsewhere
on 23 and 24 June."""
_FROM_EASTER: Mapping[str, tuple[int, int]] = {
    "carnival": (-52, 7),
    "mardi gras": (-47, 1),
    "shrove tuesday": (-47, 1),
    "pancake day": (-47, 1),
    "ash wednesday": (-46, 1),
    "lent": (-46, 46),
    "palm sunday": (-7, 1),
    "holy week": (-7, 8),
    "maundy thursday": (-3, 1),
    "good friday": (-2, 1),
    "easter": (-2, 4),
    "easter weekend": (-2, 4),
    "holy saturday": (-1, 1),
    "easter saturday": (-1, 1),
    "easter eve": (-1, 1),
    "easter sunday": (0, 1),
    "easter day": (0, 1),
    "easter monday": (1, 1),
    "ascension": (39, 4),
    "ascension day": (39, 1),
    "ascension weekend": (39, 4),
    "pentecost": (48, 3),
    "whitsun": (48, 3),
    "whitsun weekend": (48, 3),
    "pentecost weekend": (48, 3),
    "pentecost sunday": (49, 1),
    "whit sunday": (49, 1),
    "whit monday": (50, 1),
    "pentecost monday": (50, 1),
    "trinity sunday": (56, 1),
    "corpus christi": (60, 1),
}
"""Days from Easter Sunday to the first day, and the number of days."""
FEAST = any_of((*_FIXED, *_FROM_EASTER)).replace(r"st\ ", r"st\.?\ ").replace("'", "['’]")
"""The names in small letters, as alternatives of a regular expression."""


def feast_near(name: str, moment: datetime, *, future: bool) -> Period | None:
    """Return the days of the feast that is on or was last, seen from `moment`; `future`: that is on or comes next."""
    this = feast(name, moment.year, moment.tzinfo)
    if this is not None and future and this.end <= moment:
        return feast(name, moment.year + 1, moment.tzinfo)
    if this is not None and not future and this.start > moment:
        return feast(name, moment.year - 1, moment.tzinfo)
    return this


def feast(name: str, year: int, zone: tzinfo | None) -> Period | None:
    """Return the days of a feast, named as `FEAST` finds it, in a year; None outside the years 1 to 9999."""
    name = name.lower().replace(".", "").replace("’", "'")
    if name in _FIXED:
        month, day, length = _FIXED[name]
        first = periods.day(year, month, day, zone)
        return None if first is None else Period(first.start, first.start + timedelta(days=length), _precision(length))
    offset, length = _FROM_EASTER[name]
    first_day = _easter_sunday(year, zone) + timedelta(days=offset)
    return Period(first_day, first_day + timedelta(days=length), _precision(length))


def _precision(length: int) -> periods.Precision:
    return "day" if length == 1 else "days"


def _easter_sunday(year: int, zone: tzinfo | None) -> datetime:
    """Return the day by Butcher's rule (Butcher's Ecclesiastical Calendar, 1876)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (a + 11 * h) // 319
    r = (2 * e + 2 * i - k - h + m + 32) % 7
    month = (h - m + r + 90) // 25
    return datetime(year, month, (h - m + r + month + 19) % 32, tzinfo=zone)

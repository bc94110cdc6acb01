"""Days that are named by way of another: "Thursday week", "the last Saturday in January", "ten years ago today".

Read before the plain phrases (`phrases.py`), which would take a part of them for all: "last Saturday", "today".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from datetime import datetime, timedelta

from lattice_common.language.dates import periods
from lattice_common.language.dates.periods import Period
from lattice_common.language.dates.phrases import (
    NUMBERS,
    WEEKDAY_NAMES,
    day_of_month,
    nearest_day,
    nearest_month,
    number_said,
    weekday_near,
)
from lattice_common.language.dates.tense import Tense, comes_back, is_in_one_week, tense, was_moved
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS, any_of, ordinals

_NTH = {**ordinals(1, 5), "last": -1}
_DAY = any_of(ENGLISH_WEEKDAYS)
_MONTH = any_of(ENGLISH_MONTHS)
_ORDINALS = ordinals(1, 31)
_SPELT_WORDS = frozenset(word.rpartition("-")[2] for word in _ORDINALS)
_SPELT = any_of(_ORDINALS).replace(r"\-", "[- ]")
_COUNT = rf"\d{{1,3}}|{any_of(NUMBERS)}"
_NEAR_DAYS = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
_MONTHS_FROM = {"last month": -1, "this month": 0, "next month": 1}


@dataclass(frozen=True, slots=True)
class Compound:
    """Where such a phrase stands, and which days it means; None where it means none of one year. Something may be so `since` or
    `until` these."""

    start: int
    end: int
    period: Period | None
    bound: str = ""


def compounds_in(text: str, moment: datetime, words: Set[str]) -> Iterator[Compound]:
    """Yield those of a text of these words, in small letters, in order, as seen from `moment`. Linear."""
    for match in _PATTERN.finditer(text) if not _SPELT_WORDS.isdisjoint(words) or _CUE.search(text) else ():
        if match["days"] and (was_moved(text, match.start()) or is_in_one_week(text, match)):
            continue  # two days, or those of a week that is named
        told = tense(text, match.start(), match.end(), "", wide=not match["days"])
        if match["days"] and _SINCE.search(text, max(0, match.start() - 60), match.end() + 60):
            told = ""
        try:
            period = _READ[str(match.lastgroup)](match, moment, told)
        except (OverflowError, ValueError):  # a number that leads out of the calendar means nothing
            continue
        yield Compound(match.start(), match.end(), None if comes_back(text, match) else period)


_CUE = lazy_regex(
    r"\bweek|fortnight|\bmonth\b|after next|\bago\b|(?:day|weekend|week) (?:of|in) |\d/\d|"
    r"\d(?:st|nd|rd|th) (?:to|till|until|through|[-–]) |day(?: (?:to|till|until|through) | ?[-–] ?)\w+day\b",
    re.IGNORECASE,
)
_SINCE = lazy_regex(r"\bsince\b", re.IGNORECASE)
_SOME_WEEKS = "a week|a fortnight|two weeks|three weeks"
"""Behind "for" they are how long something lasts ("off for a fortnight from Monday"), unless a day follows at once."""
_PATTERN = lazy_regex(
    rf"\b(?:"
    rf"(?P<of_month>(?:on )?(?:the )?(?P<nth>{any_of(_NTH)}) (?P<nth_day>{_DAY}|weekend|week) (?:of|in) "
    rf"(?P<month>{any_of(ENGLISH_MONTHS)}|{any_of(_MONTHS_FROM)})(?:,? (?P<year>(?:19|20)\d\d))?)"
    rf"|(?<!black )(?<!good )(?P<a_week_after>(?:on )?(?P<first>{_DAY}|today|tomorrow) week)(?! \d)(?=\W|$)"
    rf"|(?P<weeks_from>(?:(?<!\bfor )(?P<weeks>{_SOME_WEEKS}) (?:on |from |this )?"
    rf"|(?P<booked_weeks>{_SOME_WEEKS}) (?:on |this )?)"
    rf"(?P<then>{_DAY}|today|tomorrow))"
    rf"|(?P<days>(?P<from_day>{_DAY})(?: ?[-–] ?| (?:to|till|until|through) )(?P<to_day>{_DAY}))"
    rf"|(?P<weeks_before>(?P<before>a week|a fortnight|two weeks|three weeks) last (?P<last>{_DAY}))"
    rf"|(?P<days_ago>(?P<many>{_COUNT}) (?P<back>{_DAY})s ago)"
    rf"|(?P<after_next>the (?P<unit>weekend|week|month) after next)"
    rf"|(?P<to_the_day>(?P<since>{_COUNT}) (?P<each>year|month|week)s? ago (?P<day>today|yesterday|tomorrow))"
    rf"|(?P<day_of>(?:on )?(?:the )?(?P<number>[0-3]?\d)(?:st|nd|rd|th) of (?P<which>{any_of(_MONTHS_FROM)}))"
    rf"|(?P<stretch>(?:from |for )?the (?P<from>[0-3]?\d)(?:st|nd|rd|th) (?:to|till|until|through|[-–]) "
    rf"(?:the )?(?P<to>[0-3]?\d)(?:st|nd|rd|th)(?=\W*$|[,.;:!?)]| (?:and|at|but|so|with|for|then|in)\b))"
    rf"|(?P<spelt>(?:on )?(?<!one )(?<!a )(?<!two )(?:the )?(?:(?P<spelt_nth>{_SPELT}) (?:day )?of (?P<spelt_month>{_MONTH})"
    rf"|(?P<month_first>{_MONTH}) (?:the |(?<!may )(?<!march )|(?<=on may )|(?<=on march ))(?P<nth_behind>{_SPELT}))"
    r"(?:,? (?P<spelt_year>(?:19|20)\d\d))?)"
    r"|(?P<figures>(?P<led>(?:on|for|due|renews|expires|ends|starts|begins|booked|runs out) )?"
    r"(?P<in_month>1[3-9]|2\d|3[01])/(?P<month_in_year>1[0-2]|0?[1-9])(?![\w/])"
    r"(?(led)|(?=,? (?:at |@ ?)?\d{1,2}(?:[:.]\d\d| ?[ap]m\b|\b(?! ?[/%\w])))))"
    r"|(?P<month_in_figures>(?:(?:in|since|from|due|renews|valid (?:to|until|till)) "
    r"|(?P<ends>exp|expires|expiry)\.?:? (?:in |on )?)"
    r"(?P<figures_month>1[0-2]|0?[1-9])/(?P<figures_year>20\d\d|(?(ends)[2-9]\d|(?!)))(?![\w/]))"
    rf")\b",
    re.IGNORECASE,
)


_SATURDAY = 5


def _of_month(match: re.Match[str], moment: datetime, told: Tense) -> Period | None:
    name, year = uncased(match["month"]), match["year"]
    if year:
        found = periods.month(int(year), ENGLISH_MONTHS.index(name) + 1, moment.tzinfo)
    elif name in _MONTHS_FROM:
        found = periods.around(moment, "month", _MONTHS_FROM[name], exact=True)
    else:
        found = nearest_month(ENGLISH_MONTHS.index(name) + 1, moment, future=told == "future", past=told == "past")
        if found is not None and not told and moment - found.end > JUST:  # what is noted without a verb lies ahead
            found = nearest_month(found.start.month, moment, future=True, past=False)
    if found is None:
        return None
    is_weekend, nth = uncased(match["nth_day"]) == "weekend", _NTH[uncased(match["nth"])]
    if uncased(match["nth_day"]) == "week":
        return _week_of_month(found, nth)
    weekday = _SATURDAY if is_weekend else WEEKDAY_NAMES[uncased(match["nth_day"])]
    length = (found.end - found.start).days
    days = [each for each in range(length) if (found.start.weekday() + each) % 7 == weekday]
    if nth > len(days):
        return None
    first = periods.day_of(found.start, days[nth - 1 if nth > 0 else nth])
    return periods.weekend_of(first.start) if first and is_weekend else first


def _week_of_month(month: Period, nth: int) -> Period | None:
    """Return seven days of a month, counted from its first day or, for the last week, up to its last one."""
    first = month.end - _WEEK if nth < 0 else month.start + (nth - 1) * _WEEK
    return Period(first, min(first + _WEEK, month.end), "days") if first < month.end else None


_WEEK = timedelta(days=7)
JUST = timedelta(days=21)
"""A month so little back may be meant where no verb tells."""


def _day_said(name: str, moment: datetime) -> Period | None:
    near = _NEAR_DAYS.get(uncased(name))
    return weekday_near(name, moment, "after") if near is None else periods.day_of(moment, near)


_WEEKS = {"a week": 1, "a fortnight": 2, "two weeks": 2, "three weeks": 3}


def _later(period: Period | None, weeks: int) -> Period | None:
    return None if period is None else periods.day_of(period.start, 7 * weeks)


def _a_week_after(match: re.Match[str], moment: datetime, _: Tense) -> Period | None:
    return _later(_day_said(match["first"], moment), 1)


def _weeks_from(match: re.Match[str], moment: datetime, told: Tense) -> Period | None:
    return (
        None
        if told == "past"
        else _later(_day_said(match["then"], moment), _WEEKS[uncased(match["weeks"] or match["booked_weeks"])])
    )


def _weeks_before(match: re.Match[str], moment: datetime, _: Tense) -> Period | None:
    return _later(weekday_near(match["last"], moment, "last"), -_WEEKS[uncased(match["before"])])


def _days_ago(match: re.Match[str], moment: datetime, _: Tense) -> Period | None:
    return _later(weekday_near(match["back"], moment, "last"), 1 - number_said(match["many"]))


def _after_next(match: re.Match[str], moment: datetime, _: Tense) -> Period | None:
    return periods.around(moment, uncased(match["unit"]), 2, exact=True)


def _month_in_figures(match: re.Match[str], moment: datetime, _: Tense) -> Period | None:
    return periods.month(2000 + int(match["figures_year"]) % 100, int(match["figures_month"]), moment.tzinfo)


def _spelt(match: re.Match[str], moment: datetime, told: Tense) -> Period | None:
    month = ENGLISH_MONTHS.index(uncased(match["spelt_month"] or match["month_first"])) + 1
    number = _ORDINALS[uncased(match["spelt_nth"] or match["nth_behind"]).replace(" ", "-")]
    if match["spelt_year"]:
        return periods.day(int(match["spelt_year"]), month, number, moment.tzinfo)
    return nearest_day(month, number, moment, future=told == "future", past=told == "past")


def _figures(match: re.Match[str], moment: datetime, told: Tense) -> Period | None:
    """Return the day of "14/12", which can be no month and day; "24/7" is none."""
    month, number = int(match["month_in_year"]), int(match["in_month"])
    if (number, month) == _ROUND_THE_CLOCK:
        return None
    is_ahead = told == "future" or (not told and uncased(match["led"] or "").strip() in _AHEAD)
    return nearest_day(month, number, moment, future=is_ahead, past=told == "past")


_AHEAD = ("due", "renews", "expires", "ends", "runs out", "booked")
_ROUND_THE_CLOCK = (24, 7)


def _to_the_day(match: re.Match[str], moment: datetime, _: Tense) -> Period | None:
    count, unit = number_said(match["since"]), uncased(match["each"])
    anchor = periods.day_of(moment, _NEAR_DAYS[uncased(match["day"])])
    if anchor is None:
        return None
    if unit == "week":
        return _later(anchor, -count)
    months = anchor.start.year * 12 + anchor.start.month - 1 - count * (12 if unit == "year" else 1)
    return periods.day(months // 12, months % 12 + 1, anchor.start.day, moment.tzinfo)


def _day_of(match: re.Match[str], moment: datetime, _: Tense) -> Period | None:
    found = periods.around(moment, "month", _MONTHS_FROM[uncased(match["which"])], exact=True)
    return periods.day(found.start.year, found.start.month, int(match["number"]), moment.tzinfo) if found else None


def _stretch(match: re.Match[str], moment: datetime, told: Tense) -> Period | None:
    first = day_of_month(int(match["from"]), moment, past=told == "past")
    last = periods.day(first.start.year, first.start.month, int(match["to"]), moment.tzinfo) if first else None
    return Period(first.start, last.end, "days") if first and last and first.start < last.start else None


def _days(match: re.Match[str], moment: datetime, told: Tense) -> Period | None:
    """Return the last days of these names, if they were: "in Leeds Monday to Wednesday" is each week."""
    first, last = (WEEKDAY_NAMES[uncased(match[name])] for name in ("from_day", "to_day"))
    begins = periods.day_of(moment, -((moment.weekday() - first) % 7 or 7))
    if told != "past" or begins is None:
        return None
    if (begins.end - moment).days + (last - first) % 7 > 0:
        begins = _later(begins, -1)
    ends = begins and periods.day_of(begins.start, (last - first) % 7)
    return Period(begins.start, ends.end, "days") if begins and ends and begins.start.month == ends.start.month else None


_READ: dict[str, Callable[[re.Match[str], datetime, Tense], Period | None]] = {
    "of_month": _of_month,
    "a_week_after": _a_week_after,
    "weeks_from": _weeks_from,
    "days": _days,
    "weeks_before": _weeks_before,
    "days_ago": _days_ago,
    "after_next": _after_next,
    "to_the_day": _to_the_day,
    "day_of": _day_of,
    "stretch": _stretch,
    "spelt": _spelt,
    "figures": _figures,
    "month_in_figures": _month_in_figures,
}

"""The grammar of dates in words: one regular expression, and the meaning of each of its alternatives.

Separate from `dates` so that the words stand together; nothing else uses it.
"""

# ruff: noqa: E501 - each way of naming a time stands on one line, as in a grammar; lists of quoted words read worse

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from lattice_common.language.dates import periods, romance
from lattice_common.language.dates.periods import Period
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.tables.german import AUSTRIAN_MONTHS
from lattice_common.language.words import (
    ENGLISH_MONTHS,
    MONTHS_IN_DATES,
    UNMISTAKABLE_MONTHS,
    about,
    any_of,
    days,
    months,
    number_words,
    seasons,
    short_months,
    short_weekdays,
    stretches,
    units,
    weekdays,
)

SEASONS = seasons("en")
CUE_MONTHS = (*(name for name in short_months("en") if name != "mar"), *months("de"), *AUSTRIAN_MONTHS, *romance.MONTHS)
NUMBERS = number_words(0, 50) | {"a": 1, "an": 1}
VAGUE = about()
DAY_WORDS = days("en", "de", "fr", "es", "it", "ru")
_CJK_WORDS = stretches("ja", "zh")
"""Written without spaces, so they are found anywhere."""
MISTAKEN_WITHIN = timedelta(days=45)
"""Of now: a weekday that does not fit a day and month so near is likelier wrong than the year."""
WEEKDAY_NAMES = weekdays("en", "de")
SHORT_WEEKDAYS = short_weekdays("en")
_WEEKDAYS = {**WEEKDAY_NAMES, **SHORT_WEEKDAYS}
GERMAN_UNITS = units("de")
_STEPS = {
    "last": -1, "past": -1, "previous": -1, "this past": -1, "next": 1, "coming": 1, "this coming": 1, "upcoming": 1,
    **dict.fromkeys(("letzten", "letzte", "letztes", "letzter"), -1),
    **dict.fromkeys(("nächsten", "nächste", "nächstes", "nächster", "kommenden", "kommende", "kommendes"), 1),
}  # fmt: skip
GERMAN_WHICH = [*(word for word in _STEPS if word.startswith(("letz", "nächs", "komm"))), "diesen", "diese", "dieses"]


_MONTH = f"(?:{any_of(MONTHS_IN_DATES)})\\b\\.?"
_YEAR = r"(?:19|20)\d\d"
_YEARS_FROM = {
    "last year": -1, "this year": 0, "next year": 1,
    "letzten jahres": -1, "vorigen jahres": -1, "dieses jahres": 0, "nächsten jahres": 1, "kommenden jahres": 1,
}  # fmt: skip
"""Years that stand behind a day or a month: "9 September next year"."""
_YEAR_FROM = f"(?:{'|'.join(_YEARS_FROM)})".replace(" ", r"\ ")
BOUNDS = ("since", "until", "till", "til", "before", "after", "by", "starting", "from")
_COUNT = rf"\d{{1,3}}|{any_of(NUMBERS)}"
UNIT = r"day|night|weekend|week|fortnight|month|year|decade"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th|er|º)?"
_WEEKDAY = any_of(WEEKDAY_NAMES)
_NAMED = rf"(?:{any_of([*WEEKDAY_NAMES, *SHORT_WEEKDAYS])})"
_CLOCK = r"(?:,? (?:at |um |@ )?(?P<{0}>(?:1[0-2]|0?[1-9])(?:[:.][0-5]\d)? ?(?:[ap]m\b|[ap]\.m\.)|(?:[01]?\d|2[0-3]):[0-5]\d))"

_LEADS_TO_FIGURES = ("am", "ab", "bis", "den", "dem", "zum", "vom", *weekdays("de"), *(f"{day}," for day in weekdays("de")))
_BEFORE_FIGURES = "|".join(rf"(?<=\b{lead}\ )" for lead in _LEADS_TO_FIGURES)
"""Before the day and month that Germans write without a year: "am 20.2.", not "3.1. Scope"."""
_ABSOLUTE = rf"""
    (?P<iso>(?<![\d-])\d{{4}}-\d{{2}}-\d{{2}}(?:[T ]\d{{2}}:\d{{2}}(?::\d{{2}})?)?(?![\d-]))
  | (?P<dotted>(?<![\d.])\d{{1,2}}\.\ ?\d{{1,2}}\.\ ?\d{{4}}(?![\d.]*\d))
  | (?P<dm>(?:{_BEFORE_FIGURES})(?P<dm_d>0?[1-9]|[12]\d|3[01])\.\ ?(?P<dm_m>0?[1-9]|1[0-2])\.(?!\ ?\d))
  | (?P<slashed>(?<![\d/])\d{{1,2}}/\d{{1,2}}/\d{{4}}(?![\d/]))
  | (?P<dmy>(?:the\ )?(?P<dmy_d>{_DAY})\.?(?:\ of|\ de)?\ (?P<dmy_m>{_MONTH})(?:,?\ (?:de\ |of\ )?(?P<dmy_y>{_YEAR}|\d{{4}}|{_YEAR_FROM})\b)?)
  | (?P<mdy>(?P<mdy_m>{_MONTH})\ (?:the\ )?(?P<mdy_d>{_DAY})\b(?!:)(?:(?:,|\ of)?\ (?P<mdy_y>{_YEAR}|{_YEAR_FROM})\b)?)
  | (?P<my>(?:(?:early|late|mid|anfang|mitte|ende|(?:the\ )?(?:beginning|start|middle|end)\ of)[\ -])?(?P<my_m>{_MONTH}),?(?:\ of)?\ (?P<my_y>{_YEAR}|{_YEAR_FROM})\b)
  | (?P<sy>(?P<sy_s>spring|summer|autumn|fall|winter)(?:\ of|\ in|\ (?:term|block|semester|half[\ -]term|session|quarter|course|break|programme|program))?\ (?P<sy_y>{_YEAR})\b)
"""
_UNMISTAKABLE = (*UNMISTAKABLE_MONTHS, *(name for name in months("de") if name not in ("märz", "mai")), *AUSTRIAN_MONTHS)
"""Months that are meant in small letters, too."""
_COMING = "coming comes due arrives arriving back home leaving starting starts is was be now"
_MOVED = "moved pushed shifted changed postponed rescheduled rebooked"
_COMES = "|".join(
    (*(rf"(?<=\b{verb}\ )" for verb in _COMING.split()), *(rf"(?<=\b{verb}\ to\ )" for verb in _MOVED.split()), r"(?<=['’]s\ )")
)
"""Before "the 12th" they need no "on"."""
_TO_A_MONTH = "|".join(
    (
        *(rf"(?<=\b{verb}\ {by}to\ )" for verb in _MOVED.split() for by in ("", "back\\ ", "forward\\ ")),
        *(rf"(?<=\b{verb}\ auf\ )" for verb in ("verschoben", "verlegt", "vorgezogen")),
        r"(?<=\bauf\ )(?=\w+\ (?:verschoben|verlegt|vorgezogen)\b)",
    )
)
"""Before a month that something was put off to."""
BOUND_WEEKDAYS = tuple(name for name in SHORT_WEEKDAYS if name not in ("sun", "wed"))
"""Weekdays in short that are read behind "by" or "until"; elsewhere it needs more to tell them from other words."""
WEEKS_OF_A_YEAR = 53
PHRASE = lazy_regex(
    rf"""(?<![\w@/.#-])(?<!\d:)
    (?:(?P<bound>{any_of(BOUNDS)}|seit|bis|ab|{romance.BOUND})\ (?:(?:dem|zum|den|at\ least|at\ the\ latest)\ )?)?
    (?:
      (?:{_NAMED}\.?,?\ )?(?P<range_a>{_DAY})\.?\ ?(?:to|until|till|through|bis|(?<=\ )(?:au|al|ao|a)(?=\ )|[-–—])\ ?(?:the\ )?(?:{_NAMED}\.?,?\ (?:the\ )?)?(?P<range_b>{_DAY})\.?(?:\ of|\ de)?\ (?P<range_m>{_MONTH})(?:,?\ (?:of\ )?(?P<range_y>{_YEAR}|{_YEAR_FROM})\b)?
    | (?:the\ )?(?P<before_last>{UNIT}|{_WEEKDAY}|{any_of(SEASONS)})\ before\ last(?!\w)
    | (?:the\ )?(?P<beside>week|weekend|day|month|year|{_WEEKDAY})\ (?P<side>before|after|of|prior\ to|following)\ (?:the\ )?(?:{_ABSOLUTE.replace("?P<", "?P<b_")})
    | (?:(?:on\ |am\ )?(?P<named>{_NAMED})(?:,|\.)?\ (?:den\ |dem\ )?)?(?:{_ABSOLUTE})(?:{_CLOCK.format("absolute_t").replace(" ", chr(92) + " ")})?
    | (?P<dayword>{any_of(DAY_WORDS)}|(?<!\bguten\ )(?<!\bheute\ )(?<!\bam\ )(?<!\bjeden\ )(?<!\bgestern\ )(?-i:morgen))(?![\w])(?:\ (?:morning|afternoon|evening|night))?{_CLOCK.format("dayword_t").replace(" ", chr(92) + " ")}?
    | (?:the\ )?(?P<ago_n>{_COUNT}|{any_of(VAGUE)})[\ -](?P<ago_u>{UNIT})s?\ (?P<ago>ago|back|earlier|from\ (?:now|today|tomorrow)(?!\ on\b))(?!\w)
    | (?P<in>in|within)\ (?:about\ |around\ )?(?P<in_n>{_COUNT}|{any_of(VAGUE)})\ (?P<in_u>{UNIT})s?(?:'\ time)?(?!\w)(?!\ (?:ago|back|earlier)\b)
    | (?:over|during|in|for|within)?\ ?(?:the\ )?(?P<span>last|past|next|coming)\ (?P<span_n>{_COUNT}|{any_of(VAGUE)})\ (?P<span_u>{UNIT})s(?!\w)
    | (?P<which>last|this\ past|this\ coming|this|next|past|previous|coming|upcoming|{any_of(GERMAN_WHICH)})\ (?P<which_u>{UNIT}|{any_of(GERMAN_UNITS)}|{_WEEKDAY}|{any_of(ENGLISH_MONTHS)}|{any_of(SEASONS)})(?![\w])
      (?:\ (?:morning|afternoon|evening|night)(?![\w]))?{_CLOCK.format("which_t").replace(" ", chr(92) + " ")}?
    | (?:(?:on|this|am)\ )?(?P<dated>{_NAMED})\.?,?\ (?:the\ |den\ )?(?P<dated_d>(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th))(?![\w]){_CLOCK.format("dated_t").replace(" ", chr(92) + " ")}?
    | (?(bound)the\ |(?:on\ |{_COMES})the\ )(?P<nth>(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th))(?!\w){_CLOCK.format("nth_t").replace(" ", chr(92) + " ")}?(?=\W*$|[,.;:!?)]|\ (?:and|at|but|so|with|for|from|then|–|—|-)\b)
    | (?:(?:on|this|am)\ )?(?P<weekday>{_WEEKDAY}|(?(bound)(?:{any_of(BOUND_WEEKDAYS)})(?!\ ?(?:to|till?|until|and|[-–&])\ ?{_NAMED})|(?!)))(?![\w])(?:\ (?:morning|afternoon|evening|night)(?![\w]))?{_CLOCK.format("weekday_t").replace(" ", chr(92) + " ")}?
    | {romance.DAY}
    | {romance.MONTH}
    | (?:(?(bound)|(?:in|during|for|im)\ )(?:(?:early|late|mid|anfang|mitte|ende)[\ -])?|(?:at\ )?(?:the\ )?(?:early|late|mid|anfang|mitte|ende|(?:end|start|beginning|middle)\ of)[\ -]|(?:{_TO_A_MONTH})(?!\w+\ (?-i:[A-Z])))(?=(?-i:[A-ZÀ-Þ])|(?:{any_of(_UNMISTAKABLE)})\b)(?P<month>{any_of(MONTHS_IN_DATES)})(?![\w-])(?!\ \d|\ (?:of\ )?{_YEAR_FROM})
    | (?:(?:in|during|back\ in|around|about|year|of|for|late|early|mid|circa)[\ -](?:late\ |early\ |mid[\ -])?)?(?P<year>(?<![\d.,$€£-])(?<!EUR\ )(?<!USD\ )(?<!GBP\ )(?<!CHF\ ){_YEAR})(?![\w%/.,:-]*\d)(?!-\w)(?!\s?(?:%|[€$£¥]|Uhr\b|h\b|hrs?\b|euros?|EUR\b|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|JPY|pounds|kWh|hours|minutes|pages|pieces|pcs|units|litres|liters|Hz|rpm|[kMGT]B\b|mm\b|cm\b|dollars|people|km|miles|words|steps|calories|kcal|kg|g\b|ml|members|followers|subscribers|points|piece|square|m\b|mAh|W\b))
    | (?:the\ )?(?P<decade>(?:19|20)\d0)s\b
    )
  | (?P<cjk>{any_of(_CJK_WORDS)})
  | (?:(?P<cjk_y>{_YEAR})年)?(?P<cjk_m>1[0-2]|0?[1-9])月(?P<cjk_d>[12]\d|3[01]|0?[1-9])日""",
    re.IGNORECASE | re.VERBOSE,
)
"""Every way of naming a time that is understood, tried in this order."""

CUE = lazy_regex(
    rf"\d|\b(?:ago|last|next|this|past|coming|previous|upcoming)\b|day\b|{any_of(ENGLISH_MONTHS)}"
    rf"|{any_of(SEASONS)}|{any_of(DAY_WORDS)}|{any_of(_CJK_WORDS)}|{any_of(WEEKDAY_NAMES)}|{any_of(romance.DAYS)}|\bmorgen\b|\b(?:{any_of(BOUNDS)})\ (?:{any_of(BOUND_WEEKDAYS)})\b|{any_of(GERMAN_UNITS)}|\b(?:{any_of(CUE_MONTHS)}|back|earlier|now|in)\b",
    re.IGNORECASE,
)
"""A text without any of these names no time; most sentences end here."""


def period_of(match: re.Match[str], moment: datetime, *, future: bool, past: bool) -> tuple[Period, bool] | None:
    """Return the period a match of `PHRASE` means, seen from `moment`, and whether it is relative to it.

    `future` and `past` say what the sentence tells of; where it tells neither, a weekday is the coming one (people note what is
    to come), a month or a day of one the nearest. "On Friday" said on a Friday is the next one: of today one says "today".

    Raise `OverflowError` or `ValueError` where the numbers lead out of the calendar.
    """
    if word := match["cjk"]:
        unit, steps = _CJK_WORDS[word]
        return _relative(periods.around(moment, unit, steps, exact=True))
    if match["cjk_m"]:
        return _month_day(match["cjk_y"], int(match["cjk_m"]), int(match["cjk_d"]), None, moment, future=future, past=past)
    if match["range_a"]:
        return _range(match, moment, future=future, past=past)
    if match["beside"]:
        anchor = _absolute(match, "b_", moment, future=future, past=past)
        return _beside(match, anchor[0]) if anchor else None
    if read := _absolute(match, "", moment, future=future, past=past):
        if match["absolute_t"] and (timed := _timed(read[0], match["absolute_t"])):
            return timed[0], read[1]
        return read
    return _counted_from(match, moment) or _named_from(match, moment, future=future, past=past)


def _counted_from(match: re.Match[str], moment: datetime) -> tuple[Period, bool] | None:
    """Return so many days, weeks, months or years from `moment`: "yesterday", "three weeks ago", "the last two months"."""
    if word := match["dayword"]:
        return _timed(periods.day_of(moment, DAY_WORDS.get(uncased(word), 1)), match["dayword_t"])
    if match["ago"]:
        sign = -1 if uncased(match["ago"]) in ("ago", "back", "earlier") else 1
        return _counted(match["ago_n"], match["ago_u"], sign, moment)
    if match["in"]:
        return _counted(match["in_n"], match["in_u"], 1, moment) if uncased(match["in"]) == "in" else None
    return _span(match, moment) if match["span"] else None


def _named_from(match: re.Match[str], moment: datetime, *, future: bool, past: bool) -> tuple[Period, bool] | None:
    """Return the period that a name means at `moment`: "last spring", "on Friday", "in March", "2019"."""
    if match["which"]:
        return _which(match, moment, future=future)
    if name := match["dated"]:
        return _timed(_dated_weekday(name, int(match["dated_d"][:-2]), moment, past=past), match["dated_t"])
    if name := match["before_last"]:
        return _relative(_before_last(uncased(name), moment))
    if number := match["nth"]:
        return _timed(day_of_month(int(number[:-2]), moment, past=past), match["nth_t"])
    if name := match["weekday"]:
        said = uncased(match[0])
        way = "last" if past and not said.startswith("this") else "after" if said.startswith(("on ", "am ")) else "next"
        return _timed(weekday_near(name, moment, way), match["weekday_t"])
    if match["r_day"] or match["r_month"]:
        return _romance(match, moment, future=future, past=past) if romance.is_meant(match) else None
    if name := match["month"]:
        number = MONTHS_IN_DATES.get(uncased(name))
        found = nearest_month(number, moment, future=future, past=past) if number else None
        return _relative(_part_of_month(match, found)) if found else None
    if year := match["year"]:
        return _fixed(periods.years(int(year), 1, moment.tzinfo))
    if decade := match["decade"]:
        return _fixed(periods.years(int(decade), 10, moment.tzinfo))
    return None


_END_OF = lazy_regex(r"\b(?:end of|ende) ", re.IGNORECASE)


def _part_of_month(match: re.Match[str], month: Period) -> Period:
    """Return the last day of a month where a phrase is about its end: "the end of November"; else the month."""
    return periods.day_of(month.end, -1) or month if _END_OF.search(match[0]) else month


def _romance(match: re.Match[str], moment: datetime, *, future: bool, past: bool) -> tuple[Period, bool] | None:
    if name := match["r_day"]:
        is_last = match["r_last"] or (past and not (match["r_next"] or match["r_coming"]))
        ahead = (romance.DAYS[uncased(name)] - moment.weekday()) % 7
        return _relative(periods.day_of(moment, ahead - 7 if is_last else ahead or 7))
    number = romance.MONTHS[uncased(match["r_month"])]
    if year := match["r_year"]:
        return _fixed(periods.month(int(year), number, moment.tzinfo))
    return _relative(nearest_month(number, moment, future=future, past=past))


def _fixed(period: Period | None) -> tuple[Period, bool] | None:
    return (period, False) if period else None


def _relative(period: Period | None) -> tuple[Period, bool] | None:
    return (period, True) if period else None


def _absolute(match: re.Match[str], prefix: str, moment: datetime, *, future: bool, past: bool) -> tuple[Period, bool] | None:
    zone = moment.tzinfo
    if text := match[f"{prefix}iso"]:
        return _fixed(_iso(text, zone))
    if text := match[f"{prefix}dotted"]:
        number, month, year = (int(part) for part in text.replace(" ", "").split("."))
        return _fixed(periods.day(year, month, number, zone))
    if text := match[f"{prefix}slashed"]:
        first, second, year = (int(part) for part in text.split("/"))
        if first > 12 or first == second:
            return _fixed(periods.day(year, second, first, zone))
        return _fixed(periods.day(year, first, second, zone)) if second > 12 else None
    if match[f"{prefix}dm"]:
        month, number = int(match[f"{prefix}dm_m"]), int(match[f"{prefix}dm_d"])
        return _month_day(None, month, number, None if prefix else match["named"], moment, future=future, past=past)
    for order in ("dmy", "mdy"):
        if match[f"{prefix}{order}"]:
            number = int(re.sub(r"\D", "", match[f"{prefix}{order}_d"]))
            month = MONTHS_IN_DATES[uncased(match[f"{prefix}{order}_m"]).rstrip(".")]
            named = None if prefix else match["named"]
            return _month_day(match[f"{prefix}{order}_y"], month, number, named, moment, future=future, past=past)
    if match[f"{prefix}my"]:
        year, is_relative = _year_of(match[f"{prefix}my_y"], moment)
        found = periods.month(year, MONTHS_IN_DATES[uncased(match[f"{prefix}my_m"]).rstrip(".")], zone)
        return (_part_of_month(match, found), is_relative) if found else None
    if match[f"{prefix}sy"]:
        return _fixed(periods.season(int(match[f"{prefix}sy_y"]), uncased(match[f"{prefix}sy_s"]), zone))
    return None


def _month_day(
    year: str | None, month: int, number: int, named: str | None, moment: datetime, *, future: bool, past: bool
) -> tuple[Period, bool] | None:
    """Return a day of a month; without a year the one that falls on the weekday `named`, else the nearest, which also is meant where
    it is only weeks away: then somebody took Friday for Saturday."""
    if year:
        of_year, is_relative = _year_of(year, moment)
        found = periods.day(of_year, month, number, moment.tzinfo)
        return (found, is_relative) if found else None
    near = nearest_day(month, number, moment, future=future, past=past)
    return _relative(near if named is None or near is None else on_weekday(near, _WEEKDAYS[uncased(named)], moment))


def on_weekday(near: Period, weekday: int, moment: datetime) -> Period:
    """Return that day of its year, the next or the last one that falls on a weekday, from 0, Monday; `near` where none does, or
    where it is only weeks away from `moment`."""
    if abs(near.start - moment) < MISTAKEN_WITHIN:
        return near
    month, number = near.start.month, near.start.day
    around = [periods.day(near.start.year + step, month, number, moment.tzinfo) for step in (0, 1, -1)]
    return next((day for day in around if day and day.start.weekday() == weekday), near)


def _year_of(said: str, moment: datetime) -> tuple[int, bool]:
    """Return the year that a number or "next year" means, and whether it is relative to `moment`."""
    return (int(said), False) if said.isdigit() else (moment.year + _YEARS_FROM[uncased(said)], True)


def _range(match: re.Match[str], moment: datetime, *, future: bool, past: bool) -> tuple[Period, bool] | None:
    """Return the period from a day to a later one of the same month: "3 to 17 August"."""
    first, last = (int(re.sub(r"\D", "", match[name])) for name in ("range_a", "range_b"))
    month = MONTHS_IN_DATES[uncased(match["range_m"]).rstrip(".")]
    end = _month_day(match["range_y"], month, last, None, moment, future=future, past=past)
    start = periods.day(end[0].start.year, month, first, moment.tzinfo) if end else None
    if end is None or start is None or start.start >= end[0].start:
        return None
    return Period(start.start, end[0].end, "days"), end[1]


def _iso(text: str, zone: tzinfo | None) -> Period | None:
    start = datetime.fromisoformat(text).replace(tzinfo=zone)
    if len(text) == 10:
        return periods.day_of(start)
    return Period(start, start + timedelta(minutes=1), "minute")


def _beside(match: re.Match[str], anchor: Period) -> tuple[Period, bool] | None:
    unit, side = uncased(match["beside"]), uncased(match["side"])
    steps = {"before": -1, "prior to": -1, "of": 0}.get(side, 1)
    if unit in WEEKDAY_NAMES:
        return _fixed(weekday_near(unit, anchor.start, "next" if steps > 0 else "last")) if steps else None
    if unit == "day" and steps == 0:
        return _fixed(anchor)
    return _fixed(periods.around(anchor.start, unit, steps, exact=True))


def _counted(count: str, unit: str, sign: int, moment: datetime) -> tuple[Period, bool] | None:
    name, each = _unit(unit)
    exact = uncased(count) not in VAGUE or "couple" in uncased(count)
    return _relative(periods.around(moment, name, sign * each * number_said(count), exact=exact))


def _unit(word: str) -> tuple[str, int]:
    """Return a unit that the calendar knows, and how many of it a unit is: a fortnight is two weeks."""
    unit = uncased(word)
    return ("week", 2) if unit == "fortnight" else ("day", 1) if unit == "night" else (unit, 1)


def number_said(count: str) -> int:
    lowered = uncased(count)
    return int(lowered) if lowered.isdigit() else NUMBERS.get(lowered) or VAGUE.get(lowered) or 0


def _span(match: re.Match[str], moment: datetime) -> tuple[Period, bool] | None:
    back = uncased(match["span"]) in ("last", "past")
    unit, each = _unit(match["span_u"])
    far = periods.around(moment, unit, (-each if back else each) * number_said(match["span_n"]), exact=True)
    near = periods.day_of(moment)
    if far is None or near is None:
        return None
    return (Period(far.start, near.end, "about") if back else Period(near.start, far.end, "about")), True


def _which(match: re.Match[str], moment: datetime, *, future: bool) -> tuple[Period, bool] | None:
    which, unit = uncased(match["which"]), uncased(match["which_u"])
    step = _STEPS.get(which, 0)
    unit = GERMAN_UNITS.get(unit, unit)
    if unit in WEEKDAY_NAMES:
        following = which == "next" or which.startswith("nächst")
        return _timed(weekday_near(unit, moment, "last" if step < 0 else "following" if following else "next"), match["which_t"])
    if unit in ENGLISH_MONTHS:
        number = ENGLISH_MONTHS.index(unit) + 1
        if step == 0:
            return _relative(periods.month(moment.year, number, moment.tzinfo))
        year = moment.year
        if step < 0 and number >= moment.month:
            year -= 1
        if step > 0 and number <= moment.month:
            year += 1
        return _relative(periods.month(year, number, moment.tzinfo))
    if unit in SEASONS:
        return _relative(_season(unit, step, moment))
    if unit == "night":
        return _timed(periods.day_of(moment, -1 if step < 0 else 0), match["which_t"])
    if unit == "day":
        return None
    if unit == "weekend" and step == 0 and not future and moment.weekday() in (0, 1):
        # "This weekend" said on a Monday or Tuesday, and not about the future, is the one just over.
        step = -1
    if unit == "weekend" and which in ("coming", "this coming", "upcoming"):
        step = 0
    unit, steps = ("week", 2 * step) if unit == "fortnight" else (unit, step)
    return _relative(periods.around(moment, unit, steps, exact=True))


def _before_last(unit: str, moment: datetime) -> Period | None:
    """Return the period before the last one: "the weekend before last"."""
    if unit in WEEKDAY_NAMES:
        last = weekday_near(unit, moment, "last")
        return periods.day_of(last.start, -7) if last else None
    if unit in SEASONS:
        last = _season(unit, -1, moment)
        return periods.season(last.start.year - 1, unit, moment.tzinfo) if last else None
    name, each = _unit(unit)
    return periods.around(moment, name, -2 * each, exact=True)


def _season(name: str, step: int, moment: datetime) -> Period | None:
    year = moment.year - (1 if name == "winter" and moment.month <= 2 else 0)
    this = periods.season(year, name, moment.tzinfo)
    if this is None or step == 0:
        return this
    if step < 0:
        return this if this.end <= moment else periods.season(year - 1, name, moment.tzinfo)
    return this if this.start > moment else periods.season(year + 1, name, moment.tzinfo)


def weekday_near(name: str, moment: datetime, way: str) -> Period | None:
    """Return the last such day before, the next one on or after (`next`) or after (`after`), or the day that "next Tuesday" means
    (`following`).

    "Next Tuesday" is the coming one, unless that is at most two days away: then one would say "tomorrow" or "on Wednesday", so
    "next" is the one after. (Others count from the week after this one: between Wednesday and Sunday both readings agree for most
    days.)
    """
    ahead = (_WEEKDAYS[uncased(name)] - moment.weekday()) % 7
    match way:
        case "last":
            return periods.day_of(moment, ahead - 7)
        case "following":
            return periods.day_of(moment, ahead + 7 if ahead <= 2 else ahead)
        case "after":
            return periods.day_of(moment, ahead or 7)
        case _:
            return periods.day_of(moment, ahead)


def _dated_weekday(name: str, number: int, moment: datetime, *, past: bool) -> Period | None:
    """Return the day of that number which falls on the weekday, "Friday 16th": the coming one or, told of what is past, the last;
    None where none does within a year."""
    weekday = _WEEKDAYS[uncased(name)]
    first = (weekday - moment.weekday()) % 7 - (7 if past else 0)
    days = (periods.day_of(moment, first + week * (-7 if past else 7)) for week in range(WEEKS_OF_A_YEAR))
    return next((day for day in days if day and day.start.day == number), None)


def day_of_month(number: int, moment: datetime, *, past: bool) -> Period | None:
    """Return the day that "the 4th" means: the coming one or, told of what is past, the last; of months that have it."""
    months = (moment.year * 12 + moment.month - 1 + step * (-1 if past else 1) for step in range(3))
    found = (periods.day(month // 12, month % 12 + 1, number, moment.tzinfo) for month in months)
    today = moment.date()
    return next((day for day in found if day and (day.start.date() <= today if past else day.start.date() >= today)), None)


def nearest_month(number: int, moment: datetime, *, future: bool, past: bool) -> Period | None:
    this = periods.month(moment.year, number, moment.tzinfo)
    if this is None:
        return None
    if future:
        return this if this.end > moment else periods.month(moment.year + 1, number, moment.tzinfo)
    if past:
        return this if this.start <= moment else periods.month(moment.year - 1, number, moment.tzinfo)
    if number - moment.month > 6:
        return periods.month(moment.year - 1, number, moment.tzinfo)
    return periods.month(moment.year + 1, number, moment.tzinfo) if moment.month - number > 6 else this


def nearest_day(month: int, number: int, moment: datetime, *, future: bool, past: bool) -> Period | None:
    near = nearest_month(month, moment, future=future, past=past)
    if near is None:
        return None
    found = periods.day(near.start.year, month, number, moment.tzinfo)
    if found is not None and future and found.end <= moment:
        return periods.day(near.start.year + 1, month, number, moment.tzinfo)
    if found is not None and past and found.start > moment:
        return periods.day(near.start.year - 1, month, number, moment.tzinfo)
    return found


_TIME = lazy_regex(r"(\d{1,2})(?:[:.](\d\d))? ?([ap])?", re.IGNORECASE)


_EITHER_HALF = range(1, 7)


def _timed(period: Period | None, clock: str | None) -> tuple[Period, bool] | None:
    if period is None or clock is None:
        return _relative(period)
    read = _TIME.match(clock)
    if read is None:
        return _relative(period)
    hour, minute, half = int(read[1]), int(read[2] or 0), (read[3] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    elif hour in _EITHER_HALF and not read[1].startswith("0"):
        return _relative(period)  # an exam at 2:20 is in the afternoon, a flight may be at night
    start = period.start.replace(hour=hour, minute=minute)
    return Period(start, start + timedelta(minutes=1), "minute"), True

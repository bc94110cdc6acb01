"""How often an event repeats, in words: "every second Tuesday of the month", "every year on 12 May, except on 12 May 2026"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from lattice_common.capture.readers.calendar_zones import BY_DAY, rule_of
from lattice_common.capture.readers.content_lines import Line, moment_in, shown
from lattice_common.language.words import ENGLISH_MONTHS, ordinals

MOST_DAYS = 20
"""Days on which something that repeats is left out, or comes as well, and that are told."""

_DAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday", "SU": "Sunday"}
_EVERY = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_NTH = {
    **{str(number): word for word, number in ordinals(1, 5).items()},
    "-1": "last",
    **{str(-number): f"{word} to last" for word, number in ordinals(2, 5).items()},
}
_WORKDAYS = {"MO", "TU", "WE", "TH", "FR"}


def repeats(lines: Sequence[Line], home: tzinfo | None) -> str:
    """Return how often an event repeats, by its rule, its exceptions and the days that it names, and which day it replaces."""
    rule = next((line for line in lines if line.name == "RRULE"), None)
    said = _ruled(rule_of(rule.value), home) if rule else ""
    if others := _days((line for line in lines if line.name == "RDATE"), home):
        said = f"{said}, also on {others}" if said else f"also on {others}"
    if said and (left_out := _days((line for line in lines if line.name == "EXDATE"), home)):
        said = f"{said}, except on {left_out}"
    replaced = _days((line for line in lines if line.name == "RECURRENCE-ID"), home)
    return f"this time only, in place of {replaced}" if replaced and not said else said


def _days(lines: Iterator[Line], home: tzinfo | None) -> str:
    days = [
        shown(moment[0], timed=False)
        for line in lines
        for value in line.value.split(",")[:MOST_DAYS]
        if (moment := moment_in(replace(line, value=value), home)) is not None
    ]
    return ", ".join(dict.fromkeys(days[:MOST_DAYS]))


def _ruled(parts: Mapping[str, str], home: tzinfo | None) -> str:
    unit = _EVERY.get(parts.get("FREQ", ""))
    if unit is None:
        return ""
    said = _how_often(parts, unit)
    until = moment_in(Line("UNTIL", {}, parts["UNTIL"]), home) if "UNTIL" in parts else None
    if until:
        return f"{said} until {shown(until[0], timed=False)}"
    return f"{said}, {parts['COUNT'][:6]} times" if "COUNT" in parts else said


def _how_often(parts: Mapping[str, str], unit: str) -> str:
    """Return how often, by a rule's parts. What of a rule has no words is left away, so that less is told and nothing wrong."""
    interval = parts.get("INTERVAL", "1")
    every = f"every {unit}" if interval == "1" else f"every {interval[:4]} {unit}s"
    months = [ENGLISH_MONTHS[int(each) - 1].capitalize() for each in _numbers(parts, "BYMONTH") if each in _MONTHS]
    dated = [int(each) for each in _numbers(parts, "BYMONTHDAY") if each.lstrip("-") in _DAYS_OF_MONTH]
    days = [found for each in parts.get("BYDAY", "").split(",") if (found := BY_DAY.fullmatch(each.strip()))]
    if unit in ("day", "week"):
        said = f"{every} on {_listed([_DAYS[day[2]] for day in days], ', ')}" if days else every
        return f"{said} in {_listed(months)}" if months else said
    if "BYWEEKNO" in parts or "BYYEARDAY" in parts or (days and dated):
        return every
    within = "the month" if unit == "month" and not months else _listed(months)
    if named := _nth_days(parts, days):
        if interval == "1":
            return f"every {_listed(named)} of {within}" if within else every
        said = f"{every} on the {_listed(named, ' and the ')}"
        return f"{said} of {_listed(months)}" if months else said
    if days or "BYSETPOS" in parts:
        return every
    if dated and unit == "year" and len(months) == 1 and min(dated) > 0:
        return f"{every} on {_listed([str(day) for day in dated])} {months[0]}"
    said = f"{every} on {_listed([_day_of_month(day) for day in dated])}" if dated and (unit == "month" or months) else every
    return f"{said} in {_listed(months)}" if months else said


_MONTHS = {str(number) for number in range(1, 13)}
_DAYS_OF_MONTH = {str(number) for number in range(1, 32)}


def _numbers(parts: Mapping[str, str], name: str) -> list[str]:
    return [each.strip().removeprefix("+") for each in parts.get(name, "").split(",")]


def _nth_days(parts: Mapping[str, str], days: Sequence[re.Match[str]]) -> list[str]:
    """Return which of the weekdays of a month: "second Tuesday", "last working day"; none where that has no words."""
    place = parts.get("BYSETPOS", "").removeprefix("+")
    if place and len(days) > 1:
        all_of = {day[2] for day in days}
        called = {5: "working day", 7: "day"}.get(len(all_of)) if all_of >= _WORKDAYS else None
        return [f"{_NTH[place]} {called}"] if called and place in _NTH else []
    nth = [(_NTH.get((day[1] or place).removeprefix("+")), _DAYS[day[2]]) for day in days]
    return [f"{which} {day}" for which, day in nth] if all(which for which, _ in nth) else []


def _day_of_month(day: int) -> str:
    if day < 0:
        return f"the {_NTH.get(str(day), f'{-day}th to last')} day"
    ending = "th" if 10 < day < 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"the {day}{ending}"


def _listed(words: Sequence[str], comma: str = " and ") -> str:
    return comma.join(words)

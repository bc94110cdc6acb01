"""On which days an entry of a calendar takes place that repeats, by the words that say how often: "every second Tuesday of the
month until 3 May 2027, except on 12 May 2026".

These are the words of `capture.readers.recurrences`; what they do not say for sure has no days here.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from itertools import takewhile
from types import MappingProxyType

from dateutil import rrule

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS, any_of, ordinals

MOST_DAYS = 400
"""Days of one entry that are told: one a day for a year."""

_CELL = lazy_regex(r"(?:^|; |: )When: (?P<when>[^;]+); Repeats: (?P<rule>[^;]+)")
_MONTH = f"(?:{any_of(name.capitalize() for name in ENGLISH_MONTHS)})"
_DAY = lazy_regex(rf"(?P<day>\d{{1,2}}) (?P<month>{_MONTH}) (?P<year>\d{{4}})")
_WEEKDAY = f"(?:{any_of(name.capitalize() for name in ENGLISH_WEEKDAYS)})"
_NTH = f"(?:{any_of((*ordinals(1, 5), 'last'))})"
_FREQUENCY = MappingProxyType(
    {"day": rrule.DAILY, "week": rrule.WEEKLY, "month": rrule.MONTHLY, "year": rrule.YEARLY},
)
_RULE = lazy_regex(
    rf"every (?:(?P<interval>\d+) )?(?:(?P<unit>day|week|month|year)s?"
    rf"(?: on (?P<weekdays>{_WEEKDAY}(?:, {_WEEKDAY})*))?"
    rf"(?: on (?P<dated>(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: and (?:the )?\d{{1,2}}(?:st|nd|rd|th)?)*))?"
    rf"(?: on the (?P<the>{_NTH}) (?P<of>{_WEEKDAY}|day|working day)(?: of the month)?)?"
    rf"(?: (?:in )?(?P<months>{_MONTH}(?: and {_MONTH})*))?"
    rf"|(?P<nth>{_NTH}) (?P<nth_of>{_WEEKDAY}|day|working day) of (?P<within>the month|{_MONTH}(?: and {_MONTH})*))"
    rf"(?: until (?P<until>\d{{1,2}} {_MONTH} \d{{4}})|, (?P<count>\d+) times)?(?=,|$)"
)
_ALSO, _EXCEPT = lazy_regex(r"also on (?P<days>.+?)(?:, except on |$)"), lazy_regex(r"except on (?P<days>.+)$")
_DAYS_OF = MappingProxyType({"working day": range(5), "day": range(7)})


def repeats(content: str) -> bool:
    """Return whether a memory is an entry of a calendar that says how often it repeats."""
    return "; Repeats: every " in content and _CELL.search(content) is not None


def days_of(content: str, begin: date, end: date) -> tuple[date, ...]:
    """Return the days from `begin` to before `end` on which an entry takes place, in order, `MOST_DAYS` at most; none where it
    does not repeat, or its words do not say on which days it does."""
    cell = _CELL.search(content)
    first = _day_in(cell["when"]) if cell else None
    if cell is None or first is None or (rule := _RULE.match(cell["rule"])) is None:
        return ()
    left_out = _EXCEPT.search(cell["rule"])
    missing = _days_in(left_out["days"]) if left_out else frozenset()
    also = _ALSO.search(cell["rule"])
    more = {day for day in (_days_in(also["days"]) if also else ()) if begin <= day < end}
    found = takewhile(lambda at: at.date() < end, _ruled(first, rule).xafter(_at(begin) - timedelta(seconds=1), count=MOST_DAYS))
    return tuple(sorted(({at.date() for at in found} | more) - missing))


def next_day(content: str, today: date) -> date | None:
    """Return the next day on which an entry takes place, today included; None where it has none within two years."""
    return next(iter(days_of(content, today, today + timedelta(days=2 * 366))), None)


def _ruled(first: date, rule: re.Match[str]) -> rrule.rrule:
    monthly = rule["nth"] is not None
    months = rule["months"] or (rule["within"] if rule["within"] != "the month" else None)
    nth, of = rule["nth"] or rule["the"], rule["nth_of"] or rule["of"]
    by: dict[str, object] = {}
    if rule["weekdays"]:
        by["byweekday"] = [_weekday(name) for name in rule["weekdays"].split(", ")]
    if nth and of in _DAYS_OF:
        by["byweekday"], by["bysetpos"] = list(_DAYS_OF[of]), _place(nth)
    elif nth:
        by["byweekday"] = [rrule.weekday(_weekday(of), _place(nth))]
    if rule["dated"]:
        by["bymonthday"] = [int(number) for number in re.findall(r"\d+", rule["dated"])]
    if months:
        by["bymonth"] = [ENGLISH_MONTHS.index(name.lower()) + 1 for name in months.split(" and ")]
    frequency = rrule.MONTHLY if monthly else _FREQUENCY[rule["unit"]]
    until = _day_in(rule["until"]) if rule["until"] else None
    return rrule.rrule(
        frequency,
        dtstart=_at(first),
        interval=int(rule["interval"] or 1),
        until=_at(until) if until else None,
        count=int(rule["count"]) if rule["count"] else None,
        **by,
    )


def _place(nth: str) -> int:
    return -1 if nth == "last" else ordinals(1, 5)[nth]


def _weekday(name: str) -> int:
    return list(ENGLISH_WEEKDAYS).index(name.lower())


def _at(day: date) -> datetime:
    return datetime.combine(day, time())


def _day_in(words: str) -> date | None:
    found = _DAY.search(words)
    return None if found is None else _date(found)


def _days_in(words: str) -> frozenset[date]:
    return frozenset(day for found in _DAY.finditer(words) if (day := _date(found)) is not None)


def _date(found: re.Match[str]) -> date | None:
    try:
        return date(int(found["year"]), ENGLISH_MONTHS.index(found["month"].lower()) + 1, int(found["day"]))
    except ValueError:
        return None

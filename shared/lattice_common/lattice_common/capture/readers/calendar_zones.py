"""The zones that a calendar names: of the time zone database, as Windows calls them, or as the file itself describes them.

The names of Windows are those of CLDR, as tzlocal keeps them; a description is a `VTIMEZONE` (RFC 5545, 3.6.5).
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo

from tzlocal.windows_tz import win_tz

from lattice_common.capture.readers.content_lines import Component, Line, moment_in

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
BY_DAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_OFFSET = re.compile(r"([+-])(\d\d)(\d\d)(?:\d\d)?")


@cache
def zone_named(name: str) -> tzinfo | None:
    """Return a zone by its name, by the one that Windows has for it, or by the end of a path ("/mozilla.org/1/Europe/Berlin").

    None for one that only the program knew that wrote the file.
    """
    name = name.strip()
    parts = name.split("/")
    ends = ("/".join(parts[-count:]) for count in (3, 2)) if len(parts) > 3 else ()
    for each in (name, win_tz.get(name, ""), *ends):
        try:
            return ZoneInfo(each)
        except (ValueError, LookupError, OSError):
            continue
    return None


def zones_of(components: Sequence[Component]) -> dict[str, tzinfo]:
    """Return the zones that a calendar describes and that are not known by their name."""
    found: dict[str, tzinfo] = {}
    changes: list[_Change] = []
    for kind, lines in components:
        if kind in ("STANDARD", "DAYLIGHT"):
            changes += filter(None, [_change(lines)])
        elif kind == "VTIMEZONE":
            name = next((line.value.strip() for line in lines if line.name == "TZID"), "")
            if changes and zone_named(name) is None:
                found[name] = DescribedZone(tuple(changes))
            changes = []
    return found


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of the clock: from and to which offset, when for the first time, and on which days again."""

    before: timedelta
    after: timedelta
    first: datetime
    month: int = 0
    """The month in which it comes each year; 0: it came on the days in `also` only."""
    day: int = 1
    """The day of the month; from its end where it is below 0."""
    weekday: int | None = None
    """Where it comes on a weekday, its number: the first one from `day` on, or the last one up to a `day` from the end."""
    until: int = 9999
    also: tuple[datetime, ...] = ()

    def last_before(self, moment: datetime) -> datetime | None:
        """Return when it came last, up to a moment by the clock."""
        days = [self.first, *self.also]
        if self.month:
            years = (moment.year, moment.year - 1)
            days += [self._in(year) for year in years if self.first.year <= year <= self.until]
        return max((each for each in days if each <= moment), default=None)

    def _in(self, year: int) -> datetime:
        last = monthrange(year, self.month)[1]
        day = min(self.day, last) if self.day > 0 else last + 1 + self.day
        moment = self.first.replace(year=year, month=self.month, day=day)
        if self.weekday is None:
            return moment
        if self.day > 0:
            return moment + timedelta(days=(self.weekday - moment.weekday()) % 7)
        return moment - timedelta(days=(moment.weekday() - self.weekday) % 7)


class DescribedZone(tzinfo):
    """A zone as a calendar describes it, by the changes of its clock."""

    def __init__(self, changes: tuple[_Change, ...]) -> None:
        self._changes = changes

    def utcoffset(self, moment: datetime | None) -> timedelta:
        """Return how far the clock is ahead of UTC at a moment that it shows."""
        first = min(self._changes, key=lambda change: change.first)
        if moment is None:
            return first.before
        moment = moment.replace(tzinfo=None)
        came = [(at, change.after) for change in self._changes if (at := change.last_before(moment)) is not None]
        return max(came, key=lambda each: each[0])[1] if came else first.before

    def dst(self, _moment: datetime | None) -> timedelta:
        """Return nothing: which part of the offset is for the summer is not told."""
        return timedelta(0)

    def tzname(self, _moment: datetime | None) -> str | None:
        """Return nothing: it is called by the name that the calendar has for it."""
        return None

    def fromutc(self, moment: datetime) -> datetime:
        """Return what the clock shows at a moment in UTC."""
        return moment + self.utcoffset(moment + self.utcoffset(moment))


def _change(lines: list[Line]) -> _Change | None:
    of = {line.name: line for line in reversed(lines)}
    before, after, first = _offset(of.get("TZOFFSETFROM")), _offset(of.get("TZOFFSETTO")), moment_in(of.get("DTSTART"))
    if after is None or first is None:
        return None
    moments = (moment_in(line) for line in lines if line.name == "RDATE")
    also = tuple(each[0].replace(tzinfo=None) for each in moments if each)
    start = first[0].replace(tzinfo=None)
    rule = rule_of(of["RRULE"].value) if "RRULE" in of else {}
    if rule.get("FREQ") != "YEARLY":
        return _Change(before if before is not None else after, after, start, also=also)
    month, until = rule.get("BYMONTH", ""), rule.get("UNTIL", "")[:4]
    day, weekday = _day_of(rule, start)
    return _Change(
        before if before is not None else after,
        after,
        start,
        month=int(month) if month.isdigit() and 1 <= int(month) <= 12 else start.month,
        day=day,
        weekday=weekday,
        until=int(until) if until.isdigit() else 9999,
        also=also,
    )


def _day_of(rule: Mapping[str, str], start: datetime) -> tuple[int, int | None]:
    """Return the day of a yearly rule, and the weekday: -1 and Sunday's for the last Sunday of the month (`BYDAY=-1SU`), 8 and
    Sunday's for the first one from the 8th on (`BYDAY=SU;BYMONTHDAY=8,9,10,11,12,13,14`)."""
    dated = re.match(r"([1-9]|[12]\d|3[01])\b", rule.get("BYMONTHDAY", ""))
    day = int(dated[1]) if dated else start.day
    weekday = BY_DAY.fullmatch(rule.get("BYDAY", ""))
    if weekday is None:
        return day, None
    nth = max(-4, min(5, int(weekday[1] or 0)))
    if nth > 0:
        day = 7 * nth - 6
    elif nth < 0:
        day = 7 * nth + 6
    elif not dated:
        day = 1
    return day, WEEKDAYS.index(weekday[2])


def rule_of(value: str) -> Mapping[str, str]:
    """Return the parts of a rule by which something repeats (RFC 5545, 3.3.10)."""
    return dict(part.partition("=")[::2] for part in value.upper().strip().split(";"))


def _offset(line: Line | None) -> timedelta | None:
    found = _OFFSET.fullmatch(line.value.strip()) if line else None
    if found is None:
        return None
    ahead = timedelta(hours=int(found[2]), minutes=int(found[3]))
    return (ahead if found[1] == "+" else -ahead) if ahead < timedelta(days=1) else None

"""Events and tasks of a calendar (iCalendar, RFC 5545) as rows: what, when, how often, where and with whom.

Times are told by the clock at home: that of this machine where it has a zone of its own, else the calendar's (`X-WR-TIMEZONE`, or
the zone that most of its times are in). What repeats elsewhere keeps its own clock, by which it repeats, and the zone is named.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

from lattice_common.capture.readers.content_lines import Line, moment_in, said_in, shown

LONGEST_NOTE = 1000
MOST_EXCEPTIONS = 20
"""Days on which something that repeats is left out, and that are told."""
COLUMNS = ("Event", "When", "Repeats", "Where", "With", "Status", "Notes")

_DAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday", "SU": "Sunday"}
_EVERY = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_NTH = {"1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "-1": "last", "-2": "second to last"}
_BY_DAY = re.compile(r"([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_LENGTH = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?")
_TIMED = ("DTSTART", "DTEND", "DUE")


def home_of(components: Sequence[tuple[str, list[Line]]]) -> tzinfo | None:
    """Return the zone in which the times of a calendar are told; None for this machine's."""
    if time.timezone or time.daylight:
        return None
    stated = [line.value for kind, lines in components if kind == "VCALENDAR" for line in lines if line.name == "X-WR-TIMEZONE"]
    events = (line for kind, lines in components if kind in ("VEVENT", "VTODO") for line in lines if line.name in _TIMED)
    used = Counter(line.parameters["TZID"] for line in events if "TZID" in line.parameters)
    names = [*stated[:1], *(name for name, _ in used.most_common(1))]
    return next((zone for name in names if (zone := _zone(name)) is not None), None)


def event_row(lines: list[Line], kind: str, home: tzinfo | None) -> list[str]:
    """Return the cells of an event, a task or a note of a day, by `COLUMNS`."""
    of = {line.name: line for line in reversed(lines)}
    who = [
        line.parameters.get("CN") or line.value.removeprefix("mailto:").removeprefix("MAILTO:")
        for line in lines
        if line.name in ("ORGANIZER", "ATTENDEE")
    ]
    status = of["STATUS"].text.lower() if "STATUS" in of else ""
    return [
        said_in(of.get("SUMMARY")) or ("Task" if kind == "VTODO" else ""),
        _when(of, kind, home),
        _repeats(of["RRULE"].value, [line for line in lines if line.name == "EXDATE"], home) if "RRULE" in of else "",
        said_in(of.get("LOCATION")),
        ", ".join(dict.fromkeys(each for each in who if each)),
        "" if status == "confirmed" else status,
        said_in(of.get("DESCRIPTION"))[:LONGEST_NOTE],
    ]


def _zone(name: str) -> ZoneInfo | None:
    """Return a zone by its name; None for one that only the program knew that wrote the file."""
    try:
        return ZoneInfo(name.strip())
    except (ValueError, LookupError, OSError):
        return None


def _when(of: dict[str, Line], kind: str, home: tzinfo | None) -> str:
    own = "RRULE" in of
    begins = _moment(of.get("DTSTART"), home, own=own)
    due = _moment(of.get("DUE"), home, own=own)
    if begins is None:
        return f"due {shown(*due)}" if due and kind == "VTODO" else ""
    ends = _moment(of.get("DTEND"), home, own=own) or _after(begins, of.get("DURATION"))
    where = _elsewhere(of["DTSTART"], begins, home) if own else ""
    if ends is None or ends[0] <= begins[0]:
        return shown(*begins) + where
    if not begins[1]:  # the end of days without a time is the day after
        last = ends[0] - timedelta(days=1)
        return shown(*begins) if last <= begins[0] else f"{shown(*begins)} to {shown(last, timed=False)}"
    if ends[0].date() == begins[0].date():
        return f"{shown(*begins)} to {ends[0]:%H:%M}{where}"
    return f"{shown(*begins)} to {shown(*ends)}{where}"


def _moment(line: Line | None, home: tzinfo | None, *, own: bool) -> tuple[datetime, bool] | None:
    """Return a moment by the clock at home, or by its `own` zone's, and whether it has a time of day."""
    found = moment_in(line, home)
    if line is None or found is None or own or not found[1] or (zone := _zone(line.parameters.get("TZID", ""))) is None:
        return found
    try:
        return (found[0] if line.value.strip().endswith("Z") else _at_home(found[0], zone, home)), True
    except OverflowError:
        return found


def _at_home(moment: datetime, zone: tzinfo, home: tzinfo | None) -> datetime:
    return moment.replace(tzinfo=zone).astimezone(home).replace(tzinfo=UTC)


def _elsewhere(line: Line, begins: tuple[datetime, bool], home: tzinfo | None) -> str:
    """Return the name of the zone of a time whose clock is not that at home."""
    name = line.parameters.get("TZID", "").strip()
    zone = _zone(name) if begins[1] and not line.value.strip().endswith("Z") else None
    return "" if zone is None or _at_home(begins[0], zone, home) == begins[0] else f" ({name})"


def _after(begins: tuple[datetime, bool], line: Line | None) -> tuple[datetime, bool] | None:
    found = _LENGTH.fullmatch(line.value.strip()) if line else None
    if found is None:
        return None
    weeks, days, hours, minutes = (min(int(part or 0), 10_000) for part in found.groups())
    return begins[0] + timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes), begins[1]


def _repeats(rule: str, exceptions: list[Line], home: tzinfo | None) -> str:
    parts = dict(part.partition("=")[::2] for part in rule.upper().strip().split(";"))
    unit = _EVERY.get(parts.get("FREQ", ""))
    if unit is None:
        return ""
    said = _how_often(parts, unit)
    until = moment_in(Line("UNTIL", {}, parts["UNTIL"]), home) if "UNTIL" in parts else None
    if until:
        said = f"{said} until {shown(until[0], timed=False)}"
    elif "COUNT" in parts:
        said = f"{said}, {parts['COUNT'][:6]} times"
    left_out = [
        shown(moment[0], timed=False)
        for line in exceptions
        for value in line.value.split(",")[:MOST_EXCEPTIONS]
        if (moment := moment_in(replace(line, value=value), home)) is not None
    ]
    return f"{said}, except on {', '.join(dict.fromkeys(left_out[:MOST_EXCEPTIONS]))}" if left_out else said


def _how_often(parts: dict[str, str], unit: str) -> str:
    """Return how often, by a rule's parts: "every 2 weeks on Monday", "every second Tuesday of the month"."""
    interval = parts.get("INTERVAL", "1")
    said = f"every {unit}" if interval == "1" else f"every {interval[:4]} {unit}s"
    days = [found for each in parts.get("BYDAY", "").split(",") if (found := _BY_DAY.fullmatch(each.strip()))]
    if unit == "week":
        return f"{said} on {', '.join(_DAYS[day[2]] for day in days)}" if days else said
    if unit != "month" or not days:
        return said
    place = parts.get("BYSETPOS", "") if len(days) == 1 else ""
    nth = [(_NTH.get((day[1] or place).removeprefix("+")), _DAYS[day[2]]) for day in days]
    if not all(which for which, _ in nth):
        return said
    named = " and ".join(f"{which} {day}" for which, day in nth)
    return f"every {named} of the month" if interval == "1" else f"{said} on the {' and the '.join(f'{w} {d}' for w, d in nth)}"

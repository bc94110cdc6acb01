"""Events and tasks of a calendar (iCalendar, RFC 5545) as rows: what, when, how often, where and with whom.

Times are told by the clock at home: that of this machine where it has a zone of its own, else the calendar's (`X-WR-TIMEZONE`, or
the zone that most of its times are in). What repeats elsewhere keeps its own clock, by which it repeats, and the zone is named.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from lattice_common.capture.readers.calendar_zones import zone_named, zones_of
from lattice_common.capture.readers.content_lines import Component, Line, moment_in, said_in, shown
from lattice_common.capture.readers.recurrences import repeats

LONGEST_NOTE = 1000
COLUMNS = ("Event", "When", "Repeats", "Where", "With", "Status", "Notes")

_LENGTH = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?")
_TIMED = ("DTSTART", "DTEND", "DUE")


@dataclass(frozen=True, slots=True)
class Clocks:
    """The clock at home, None for this machine's, and those that a calendar describes itself."""

    home: tzinfo | None
    described: Mapping[str, tzinfo]

    def named(self, name: str) -> tzinfo | None:
        """Return a zone by the name that the calendar has for it; None for one that nobody describes."""
        return zone_named(name) or self.described.get(name.strip())


def clocks_of(components: Sequence[Component]) -> Clocks:
    """Return the clocks by which the times of a calendar are told."""
    described = zones_of(components)
    if time.timezone or time.daylight:
        return Clocks(None, described)
    stated = [line.value for kind, lines in components if kind == "VCALENDAR" for line in lines if line.name == "X-WR-TIMEZONE"]
    events = (line for kind, lines in components if kind in ("VEVENT", "VTODO") for line in lines if line.name in _TIMED)
    used = Counter(line.parameters["TZID"] for line in events if "TZID" in line.parameters)
    names = [*stated[:1], *(name for name, _ in used.most_common(1))]
    known = Clocks(None, described)
    return Clocks(next((zone for name in names if (zone := known.named(name)) is not None), None), described)


def event_row(lines: list[Line], kind: str, clocks: Clocks) -> list[str]:
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
        _when(of, kind, clocks),
        repeats(lines, clocks.home),
        said_in(of.get("LOCATION")),
        ", ".join(dict.fromkeys(each for each in who if each)),
        "" if status == "confirmed" else status,
        said_in(of.get("DESCRIPTION"))[:LONGEST_NOTE],
    ]


def _when(of: dict[str, Line], kind: str, clocks: Clocks) -> str:
    own = "RRULE" in of
    begins = _moment(of.get("DTSTART"), clocks, own=own)
    due = _moment(of.get("DUE"), clocks, own=own)
    if begins is None:
        return f"due {shown(*due)}" if due and kind == "VTODO" else ""
    ends = _moment(of.get("DTEND"), clocks, own=own) or _after(begins, of.get("DURATION"))
    where = _elsewhere(of["DTSTART"], begins, clocks) if own else ""
    if ends is None or ends[0] <= begins[0]:
        return shown(*begins) + where
    if not begins[1]:  # the end of days without a time is the day after
        last = ends[0] - timedelta(days=1)
        return shown(*begins) if last <= begins[0] else f"{shown(*begins)} to {shown(last, timed=False)}"
    if ends[0].date() == begins[0].date():
        return f"{shown(*begins)} to {ends[0]:%H:%M}{where}"
    return f"{shown(*begins)} to {shown(*ends)}{where}"


def _moment(line: Line | None, clocks: Clocks, *, own: bool) -> tuple[datetime, bool] | None:
    """Return a moment by the clock at home, or by its `own` zone's, and whether it has a time of day."""
    found = moment_in(line, clocks.home)
    if line is None or found is None or own or not found[1] or (zone := clocks.named(line.parameters.get("TZID", ""))) is None:
        return found
    return (found[0] if line.value.strip().endswith("Z") else _at_home(found[0], zone, clocks.home)), True


def _at_home(moment: datetime, zone: tzinfo, home: tzinfo | None) -> datetime:
    """Return a moment of a zone by the clock at home; as it is at the ends of time."""
    try:
        return moment.replace(tzinfo=zone).astimezone(home).replace(tzinfo=UTC)
    except OverflowError:
        return moment


def _elsewhere(line: Line, begins: tuple[datetime, bool], clocks: Clocks) -> str:
    """Return the name of the zone of a time whose clock is not that at home."""
    name = line.parameters.get("TZID", "").strip()
    zone = clocks.named(name) if begins[1] and not line.value.strip().endswith("Z") else None
    return "" if zone is None or _at_home(begins[0], zone, clocks.home) == begins[0] else f" ({name})"


def _after(begins: tuple[datetime, bool], line: Line | None) -> tuple[datetime, bool] | None:
    found = _LENGTH.fullmatch(line.value.strip()) if line else None
    if found is None:
        return None
    weeks, days, hours, minutes = (min(int(part or 0), 10_000) for part in found.groups())
    return begins[0] + timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes), begins[1]

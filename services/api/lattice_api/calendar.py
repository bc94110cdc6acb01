"""Days to come as an iCalendar feed (RFC 5545), for a calendar program that asks for it now and then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from lattice_common.recall.today import Due

LINE_OCTETS = 75
"""RFC 5545, 3.1: longer lines are folded."""
REFRESH = "PT6H"


def feed(due: Sequence[Due], now: datetime) -> str:
    """Return one all-day event for each; what comes back every year says so."""
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Lattice//Memory//EN", "CALSCALE:GREGORIAN", "X-WR-CALNAME:Lattice"]
    lines += [f"REFRESH-INTERVAL;VALUE=DURATION:{REFRESH}", f"X-PUBLISHED-TTL:{REFRESH}"]
    for each in due:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{each.atom.atom_id}-{each.by}@lattice",
            f"DTSTAMP:{stamp}",
            f"DTSTART;VALUE=DATE:{_day(each.on)}",
            f"DTEND;VALUE=DATE:{_day(each.on + timedelta(days=1))}",
            f"SUMMARY:{_escaped(each.atom.content)}",
            *(["RRULE:FREQ=YEARLY"] if each.by == "yearly" else []),
            "TRANSP:TRANSPARENT",
            "END:VEVENT",
        ]
    return "".join(f"{folded}\r\n" for line in [*lines, "END:VCALENDAR"] for folded in _folded(line))


def _day(day: date) -> str:
    return day.strftime("%Y%m%d")


def _escaped(text: str) -> str:
    words = " ".join(text.split())
    return words.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")


def _folded(line: str) -> Iterator[str]:
    """Yield a line in pieces of at most 75 octets, never cut within a character; each further piece begins with a space."""
    rest, lead = line, ""
    while len((lead + rest).encode()) > LINE_OCTETS:
        end = LINE_OCTETS - len(lead)
        while len((lead + rest[:end]).encode()) > LINE_OCTETS:
            end -= 1
        yield lead + rest[:end]
        rest, lead = rest[end:], " "
    yield lead + rest

"""Content lines of calendars (iCalendar, RFC 5545) and address books (vCard, RFC 6350), folded and escaped."""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import TypeAlias

from lattice_common.capture.readers.text import decoded
from lattice_common.language.words import ENGLISH_MONTHS

DEEPEST = 10

_ESCAPE = re.compile(r"\\([\\;,nN:])")
_MOMENT = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?\d\d)?(?:\.\d+)?(Z)?)?")


@dataclass(frozen=True, slots=True)
class Line:
    """A content line: `NAME;PARAM=x:value`."""

    name: str
    parameters: dict[str, str]
    value: str
    group: str = ""
    """What a line shares with those that belong to it: `item1` of `item1.X-ABLabel`."""

    @property
    def text(self) -> str:
        """Return its value without escapes."""
        return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], self.value)

    def fields(self) -> list[str]:
        """Return its parts between semicolons, those that are empty too."""
        return [
            _ESCAPE.sub(lambda found: " " if found[1] in "nN" else found[1], part) for part in re.split(r"(?<!\\);", self.value)
        ]


Component: TypeAlias = tuple[str, list[Line]]
"""A component's name, and the lines that are its own."""


def components(text: str) -> Iterator[Component]:
    """Yield each component with its own lines, when it ends; what has no end (a file cut short) ends with the file."""
    open_ones: list[Component] = []
    for line in _lines(text):
        if line.name == "BEGIN" and len(open_ones) < DEEPEST:
            open_ones.append((line.value.strip().upper(), []))
        elif line.name == "END":
            if open_ones:
                yield open_ones.pop()
        elif open_ones:
            open_ones[-1][1].append(line)
    yield from reversed(open_ones)


def _lines(text: str) -> Iterator[Line]:
    text = re.sub(r"\n[ \t]", "", text.replace("\r\n", "\n").replace("\r", "\n"))
    waiting = ""
    for raw in text.split("\n"):
        line = waiting + raw
        waiting = ""
        head, colon, value = _parted(line)
        if not colon:
            continue
        name, *given = head.split(";")
        pairs = (each.partition("=") for each in given)
        parameters = {key.upper(): found.strip('"') for key, _, found in pairs}
        quoted = "QUOTED-PRINTABLE" in (*parameters, parameters.get("ENCODING", "").upper())
        if quoted and value.endswith("="):  # vCard 2.1: goes on in the next line
            waiting = line[:-1]
            continue
        if quoted:
            value = decoded(quopri.decodestring(value.encode()))[0].replace("\n", "\\n")
        group, _, name = name.rpartition(".")
        yield Line(name.strip().upper(), parameters, value, group.strip().lower())


def _parted(line: str) -> tuple[str, str, str]:
    """Return a content line cut at the first colon outside of quotes: `ATTENDEE;CN="Roe: Ada":mailto:…`."""
    quoted = False
    for at, letter in enumerate(line[:2000]):
        if letter == '"':
            quoted = not quoted
        elif letter == ":" and not quoted:
            return line[:at], ":", line[at + 1 :]
    return line, "", ""


def said_in(line: Line | None) -> str:
    """Return the words of a line without tags, in one line."""
    return " ".join(re.sub(r"<[^<>]{1,200}>", " ", line.text).split()) if line else ""


def moment_in(line: Line | None, home: tzinfo | None = None) -> tuple[datetime, bool] | None:
    """Return the moment, and whether it has a time of day: UTC in the zone `home` (None: this machine's), others as written."""
    found = _MOMENT.match(line.value.strip()) if line else None
    if found is None:
        return None
    year, month, day = (int(part) for part in found.groups()[:3])
    try:
        moment = datetime(year, month, day, int(found[4] or 0), int(found[5] or 0), tzinfo=UTC)
        return (moment.astimezone(home).replace(tzinfo=UTC) if found[6] else moment), found[4] is not None
    except (ValueError, OverflowError):
        return None


def shown(moment: datetime, timed: bool) -> str:
    """Return a day in words ("12 May 2026"), with the time of day where it is `timed`."""
    day = f"{moment.day} {ENGLISH_MONTHS[moment.month - 1].capitalize()} {moment.year}"
    return f"{day}, {moment:%H:%M}" if timed else day

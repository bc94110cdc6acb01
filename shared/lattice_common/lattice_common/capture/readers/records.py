"""Calendars (iCalendar, RFC 5545) and address books (vCard, RFC 6350): one row of a table for each event, task and person.

A row is one fact with the names of its columns, whose subject is the event's or the person's name.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.tables import Cell, Row, write_table
from lattice_common.capture.readers.text import decoded
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.domain.reading import ReadResult, Unreadable
from lattice_common.language.words import ENGLISH_MONTHS

LONGEST_NOTE = 1000
DEEPEST = 10

_ESCAPE = re.compile(r"\\([\\;,nN:])")
_MOMENT = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?\d\d)?(?:\.\d+)?(Z)?)?")
_DAYS = {"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday", "SU": "Sunday"}
_EVERY = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}
_LENGTH = re.compile(r"P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?")

_EVENT = ("Event", "When", "Repeats", "Where", "With", "Status", "Notes")
_PERSON = ("Name", "Nickname", "Phone", "E-mail", "Address", "Organisation", "Role", "Birthday", "Website", "Notes")


@dataclass(frozen=True, slots=True)
class _Line:
    """A content line: `NAME;PARAM=x:value`."""

    name: str
    parameters: dict[str, str]
    value: str

    @property
    def text(self) -> str:
        return _ESCAPE.sub(lambda found: "\n" if found[1] in "nN" else found[1], self.value)

    def fields(self) -> list[str]:
        """Return its parts between semicolons, those that are empty too."""
        return [
            _ESCAPE.sub(lambda found: " " if found[1] in "nN" else found[1], part) for part in re.split(r"(?<!\\);", self.value)
        ]


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    """Return the text of a calendar or of contacts, whichever the first words say."""
    content = path.read_bytes()
    text, notes = decoded(content[: limits.text_bytes])
    calendar = "BEGIN:VCALENDAR" in text[:1000].upper()
    builder = TextBuilder(limits)
    for note in notes:
        builder.note(note)
    if len(content) > limits.text_bytes:
        builder.note(f"partial:the first {limits.text_bytes / 1_000_000:g} MB of the file")
    rows: list[Row] = []
    title = None
    for kind, lines in _components(text):
        if kind in ("VEVENT", "VTODO", "VJOURNAL"):
            rows.append(Row(tuple(map(Cell, _event(lines, kind))), f"event {len(rows) + 1}"))
        elif kind == "VCARD":
            rows.append(Row(tuple(map(Cell, _person(lines))), f"contact {len(rows) + 1}"))
        elif kind == "VCALENDAR":
            title = next((line.text for line in lines if line.name == "X-WR-CALNAME"), None)
    rows = [row for row in rows if row.cells[0].text]
    if not rows:
        what = "no event" if calendar else "no person"
        return Unreadable("no-text", f"{name} holds {what}. Export it anew from the program it is from, and put it in again.")
    if title:
        builder.add(f"# {title}")
    write_table(builder, rows, _EVENT if calendar else _PERSON)
    on_progress(1, 1)
    return builder.build("ics" if calendar else "vcf", title=title)


def _components(text: str) -> Iterator[tuple[str, list[_Line]]]:
    """Yield each component with its own lines, when it ends; what has no end (a file cut short) ends with the file."""
    open_ones: list[tuple[str, list[_Line]]] = []
    for line in _lines(text):
        if line.name == "BEGIN" and len(open_ones) < DEEPEST:
            open_ones.append((line.value.strip().upper(), []))
        elif line.name == "END":
            if open_ones:
                yield open_ones.pop()
        elif open_ones:
            open_ones[-1][1].append(line)
    yield from reversed(open_ones)


def _lines(text: str) -> Iterator[_Line]:
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
        yield _Line(name.rpartition(".")[2].strip().upper(), parameters, value)


def _parted(line: str) -> tuple[str, str, str]:
    """Return a content line cut at the first colon outside of quotes: `ATTENDEE;CN="Roe: Ada":mailto:…`."""
    quoted = False
    for at, letter in enumerate(line[:2000]):
        if letter == '"':
            quoted = not quoted
        elif letter == ":" and not quoted:
            return line[:at], ":", line[at + 1 :]
    return line, "", ""


def _event(lines: list[_Line], kind: str) -> list[str]:
    of = {line.name: line for line in reversed(lines)}
    who = [
        line.parameters.get("CN") or line.value.removeprefix("mailto:").removeprefix("MAILTO:")
        for line in lines
        if line.name in ("ORGANIZER", "ATTENDEE")
    ]
    status = of["STATUS"].text.lower() if "STATUS" in of else ""
    return [
        _said(of.get("SUMMARY")) or ("Task" if kind == "VTODO" else ""),
        _when(of, kind),
        _repeats(of["RRULE"].value) if "RRULE" in of else "",
        _said(of.get("LOCATION")),
        ", ".join(dict.fromkeys(each for each in who if each)),
        "" if status == "confirmed" else status,
        _said(of.get("DESCRIPTION"))[:LONGEST_NOTE],
    ]


def _said(line: _Line | None) -> str:
    return " ".join(re.sub(r"<[^<>]{1,200}>", " ", line.text).split()) if line else ""


def _when(of: dict[str, _Line], kind: str) -> str:
    begins = _moment(of.get("DTSTART"))
    due = _moment(of.get("DUE"))
    if begins is None:
        return f"due {_shown(*due)}" if due and kind == "VTODO" else ""
    ends = _moment(of.get("DTEND")) or _after(begins, of.get("DURATION"))
    if ends is None or ends[0] <= begins[0]:
        return _shown(*begins)
    if not begins[1]:  # the end of days without a time is the day after
        last = ends[0] - timedelta(days=1)
        return _shown(*begins) if last <= begins[0] else f"{_shown(*begins)} to {_shown(last, timed=False)}"
    if ends[0].date() == begins[0].date():
        return f"{_shown(*begins)} to {ends[0]:%H:%M}"
    return f"{_shown(*begins)} to {_shown(*ends)}"


def _moment(line: _Line | None) -> tuple[datetime, bool] | None:
    """Return the moment, and whether it has a time of day: local times as written, UTC in the local time zone."""
    found = _MOMENT.match(line.value.strip()) if line else None
    if found is None:
        return None
    year, month, day = (int(part) for part in found.groups()[:3])
    try:
        moment = datetime(year, month, day, int(found[4] or 0), int(found[5] or 0), tzinfo=UTC)
        return (moment.astimezone() if found[6] else moment), found[4] is not None
    except ValueError:
        return None


def _after(begins: tuple[datetime, bool], line: _Line | None) -> tuple[datetime, bool] | None:
    found = _LENGTH.fullmatch(line.value.strip()) if line else None
    if found is None:
        return None
    weeks, days, hours, minutes = (min(int(part or 0), 10_000) for part in found.groups())
    return begins[0] + timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes), begins[1]


def _shown(moment: datetime, timed: bool) -> str:
    day = f"{moment.day} {ENGLISH_MONTHS[moment.month - 1].capitalize()} {moment.year}"
    return f"{day}, {moment:%H:%M}" if timed else day


def _repeats(rule: str) -> str:
    parts = dict(part.partition("=")[::2] for part in rule.upper().split(";"))
    unit = _EVERY.get(parts.get("FREQ", ""))
    if unit is None:
        return ""
    interval = parts.get("INTERVAL", "1")
    said = f"every {unit}" if interval == "1" else f"every {interval[:4]} {unit}s"
    days = [_DAYS[day[-2:]] for day in parts.get("BYDAY", "").split(",") if day[-2:] in _DAYS]
    said += f" on {', '.join(days)}" if days and unit == "week" else ""
    until = _moment(_Line("UNTIL", {}, parts["UNTIL"])) if "UNTIL" in parts else None
    if until:
        return f"{said} until {_shown(until[0], timed=False)}"
    return f"{said}, {parts['COUNT'][:6]} times" if "COUNT" in parts else said


def _person(lines: list[_Line]) -> list[str]:
    def every(name: str) -> str:
        return "; ".join(dict.fromkeys(filter(None, (_labelled(line) for line in lines if line.name == name))))

    named = next((_said(line) for line in lines if line.name == "FN"), "")
    if not named and (parts := next((line.fields() for line in lines if line.name == "N"), None)):
        family, given, between, before = [*parts, "", "", "", ""][:4]
        named = " ".join(part for part in (before, given, between, family) if part.strip())
    born = next((_moment(line) for line in lines if line.name == "BDAY"), None)
    addresses = (", ".join(part.strip() for part in line.fields() if part.strip()) for line in lines if line.name == "ADR")
    organisation = next((", ".join(part for part in line.fields() if part.strip()) for line in lines if line.name == "ORG"), "")
    role = next((_said(line) for line in lines if line.name in ("TITLE", "ROLE")), "")
    shown = [every("NICKNAME"), every("TEL"), every("EMAIL"), "; ".join(filter(None, addresses)), organisation, role]
    day = _shown(born[0], timed=False) if born else ""
    return [named or organisation, *shown, day, every("URL"), every("NOTE")[:LONGEST_NOTE]]


_LABELS = {"CELL": "mobile", "HOME": "home", "WORK": "work", "FAX": "fax"}


def _labelled(line: _Line) -> str:
    said = _said(line).removeprefix("tel:").removeprefix("mailto:")
    types = f"{line.parameters.get('TYPE', '')},{','.join(line.parameters)}".upper()
    label = next((shown for word, shown in _LABELS.items() if word in types.replace(";", ",").split(",")), "")
    return f"{said} ({label})" if said and label else said

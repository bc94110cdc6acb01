"""Calendars (iCalendar, RFC 5545) and address books (vCard, RFC 6350): one row of a table for each event, task and person.

A row is one fact with the names of its columns, whose subject is the event's or the person's name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from lattice_common.capture.readers.content_lines import Line, components, moment_in, said_in, shown
from lattice_common.capture.readers.events import COLUMNS, clocks_of, event_row
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.tables import Cell, Row, write_table
from lattice_common.capture.readers.text import decoded
from lattice_common.capture.readers.text_builder import TextBuilder
from lattice_common.domain.reading import ReadResult, Unreadable

LONGEST_NOTE = 1000
_ADDRESS = re.compile(r"(?i)(?:urn|mailto|https?|tel|uuid):")
"""What stands for somebody in place of a name."""

_PERSON = ("Name", "Nickname", "Phone", "E-mail", "Address", "Organisation", "Role", "Birthday", "Anniversary", "Related",
           "Website", "Notes")  # fmt: skip


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
    found = list(components(text))
    clocks = clocks_of(found)
    for kind, lines in found:
        if kind in ("VEVENT", "VTODO", "VJOURNAL"):
            rows.append(Row(tuple(map(Cell, event_row(lines, kind, clocks))), f"event {len(rows) + 1}"))
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
    write_table(builder, rows, COLUMNS if calendar else _PERSON)
    on_progress(1, 1)
    return builder.build("ics" if calendar else "vcf", title=title)


def _person(lines: list[Line]) -> list[str]:
    def every(name: str) -> str:
        return "; ".join(dict.fromkeys(filter(None, (_labelled(line) for line in lines if line.name == name))))

    named = next((said_in(line) for line in lines if line.name == "FN"), "")
    if not named and (parts := next((line.fields() for line in lines if line.name == "N"), None)):
        family, given, between, before = [*parts, "", "", "", ""][:4]
        named = " ".join(part for part in (before, given, between, family) if part.strip())
    labels = {line.group: line.text.strip("_$!<>") for line in lines if line.name == "X-ABLABEL"}
    addresses = (", ".join(part.strip() for part in line.fields() if part.strip()) for line in lines if line.name == "ADR")
    organisation = next((", ".join(part for part in line.fields() if part.strip()) for line in lines if line.name == "ORG"), "")
    role = next((said_in(line) for line in lines if line.name in ("TITLE", "ROLE")), "")
    said = [every("NICKNAME"), every("TEL"), every("EMAIL"), "; ".join(filter(None, addresses)), organisation, role]
    dated = [(labels.get(line.group, "") if line.name == "X-ABDATE" else line.name, line) for line in lines]
    born = _day(line for name, line in dated if name == "BDAY")
    married = _day(line for name, line in dated if name.upper() in ("ANNIVERSARY", "X-ANNIVERSARY"))
    related = "; ".join(dict.fromkeys(filter(None, (_related(line, labels) for line in lines))))
    return [named or organisation, *said, born, married, related, every("URL"), every("NOTE")[:LONGEST_NOTE]]


def _day(lines: Iterable[Line]) -> str:
    """Return the first day of some lines in words."""
    found = next((moment for line in lines if (moment := moment_in(line)) is not None), None)
    return shown(found[0], timed=False) if found else ""


def _related(line: Line, labels: Mapping[str, str]) -> str:
    """Return who is related, and how: "Ida Weber (spouse)"; "" for another line, and for one that names nobody in words."""
    apples = line.name == "X-ABRELATEDNAMES"
    said = said_in(line)
    if not (apples or line.name == "RELATED") or _ADDRESS.match(said):
        return ""
    how = labels.get(line.group, "") if apples else line.parameters.get("TYPE", "")
    return f"{said} ({how.partition(',')[0].lower()})" if said and how else said


_LABELS = {"CELL": "mobile", "HOME": "home", "WORK": "work", "FAX": "fax"}


def _labelled(line: Line) -> str:
    said = said_in(line).removeprefix("tel:").removeprefix("mailto:")
    types = f"{line.parameters.get('TYPE', '')},{','.join(line.parameters)}".upper()
    label = next((named for word, named in _LABELS.items() if word in types.replace(";", ",").split(",")), "")
    return f"{said} ({label})" if said and label else said

"""Times of calendars: by whose clock they are told, how often something repeats, and when it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.reading import Reading

DENTIST = "DTSTART:20260512T070000Z\nDTEND:20260512T080000Z\nSUMMARY:Dentist"
NEW_YORK = "DTSTART;TZID=America/New_York:20260512T190000\nSUMMARY:Call"


def told(folder: Path, *events: str, head: str = "") -> list[list[str]]:
    """Return what is told of events, when and how often, by a reader of its own: it keeps the zone in which it was started."""
    inside = "".join(f"BEGIN:VEVENT\n{event}\nEND:VEVENT\n" for event in events)
    path = folder / "a.ics"
    path.write_text(f"BEGIN:VCALENDAR\n{head}{inside}END:VCALENDAR\n", encoding="utf-8")
    reader = SandboxedReader(Limits())
    try:
        found = reader.read(path, "a.ics")
    finally:
        reader.close()
    assert isinstance(found, Reading), found
    rows = [line for line in found.text.splitlines() if line.startswith("| ")][1:]
    return [[cell.strip() for cell in row.split("|")[2:4]] for row in rows]


@pytest.mark.parametrize(("zone", "expected"), [("Europe/Berlin", "09:00 to 10:00"), ("UTC", "07:00 to 08:00")])
def test_a_time_in_utc_is_told_by_the_clock_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str, expected: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    assert told(tmp_path, DENTIST) == [[f"12 May 2026, {expected}", ""]]


def test_where_this_machine_has_no_zone_the_calendars_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    assert told(tmp_path, DENTIST, NEW_YORK, head="X-WR-TIMEZONE:Europe/Berlin\n") == [
        ["12 May 2026, 09:00 to 10:00", ""],
        ["13 May 2026, 01:00", ""],
    ]
    assert told(tmp_path, DENTIST, NEW_YORK) == [["12 May 2026, 03:00 to 04:00", ""], ["12 May 2026, 19:00", ""]]


def test_what_repeats_elsewhere_keeps_its_clock_and_names_the_zone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    weekly = f"{NEW_YORK}\nRRULE:FREQ=WEEKLY;BYDAY=TU\nEXDATE;TZID=America/New_York:20260519T190000,20260526T190000"
    here = weekly.replace("America/New_York", "Europe/Berlin")
    repeats = "every week on Tuesday, except on 19 May 2026, 26 May 2026"
    assert told(tmp_path, weekly, here, "DTSTART;TZID=Ours/Own:20260512T190000\nSUMMARY:Tea") == [
        ["12 May 2026, 19:00 (America/New_York)", repeats],
        ["12 May 2026, 19:00", repeats],
        ["12 May 2026, 19:00", ""],
    ]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("FREQ=MONTHLY;BYDAY=2TU", "every second Tuesday of the month"),
        ("FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1;COUNT=4", "every last Friday of the month, 4 times"),
        ("FREQ=MONTHLY;BYDAY=1MO,3MO", "every first Monday and third Monday of the month"),
        ("FREQ=MONTHLY;INTERVAL=3;BYDAY=+2TU", "every 3 months on the second Tuesday"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1", "every month"),
        ("FREQ=MONTHLY", "every month"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "every 2 weeks on Tuesday"),
        ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every fourth Thursday of November"),
        ("FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYSETPOS=-1", "every last Sunday of March"),
        ("FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=1TU", "every 4 years on the first Tuesday of November"),
        ("FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=12", "every year on 12 May"),
        ("FREQ=YEARLY;BYMONTH=3,9", "every year in March and September"),
        ("FREQ=YEARLY;BYMONTH=1,7;BYMONTHDAY=1", "every year on the 1st in January and July"),
        ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "every year"),
        ("FREQ=YEARLY", "every year"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,22", "every month on the 1st and the 22nd"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"),
        ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "every month"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every last working day of the month"),
        ("FREQ=DAILY;BYDAY=MO,FR;UNTIL=20260601T000000Z", "every day on Monday, Friday until 1 June 2026"),
    ],
)
def test_how_often_something_repeats_is_told(tmp_path: Path, rule: str, expected: str) -> None:
    assert told(tmp_path, f"DTSTART:20260512T190000\nSUMMARY:Club\nRRULE:{rule}") == [["12 May 2026, 19:00", expected]]


OUTLOOK = "DTSTART;TZID=W. Europe Standard Time:20260512T190000\nSUMMARY:Call"
ZONE = """BEGIN:VTIMEZONE
TZID:Our clock
X-LIC-LOCATION:Nowhere
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31
END:DAYLIGHT
END:VTIMEZONE
"""


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("W. Europe Standard Time", "13:00"),
        ("Tokyo Standard Time", "06:00"),
        ("/freeassociation.sourceforge.net/Europe/Berlin", "13:00"),
        ("/mozilla.org/20050126_1/America/Argentina/Buenos_Aires", "18:00"),
    ],
)
def test_a_zone_by_the_name_that_a_program_has_for_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, expected: str
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    assert told(tmp_path, OUTLOOK.replace("W. Europe Standard Time", named)) == [[f"12 May 2026, {expected}", ""]]


@pytest.mark.parametrize(("day", "expected"), [("20260328", 18), ("20260329", 17), ("20261024", 17), ("20261025", 18)])
def test_a_zone_is_as_the_calendar_describes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, day: str, expected: int) -> None:
    monkeypatch.setenv("TZ", "UTC")
    event = f"DTSTART;TZID=Our clock:{day}T190000\nSUMMARY:Call"
    [[when, _]] = told(tmp_path, event, head=f"X-WR-TIMEZONE:Etc/UTC\n{ZONE}")
    assert when.partition(", ")[2] == f"{expected}:00"


def test_days_that_a_calendar_names_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    named = "DTSTART:20260512T190000\nSUMMARY:Club\nRDATE:20260520T190000,20260603T190000"
    ruled = f"{named}\nRRULE:FREQ=WEEKLY\nEXDATE:20260519T190000"
    moved = "DTSTART:20260521T190000\nSUMMARY:Club\nRECURRENCE-ID:20260519T190000"
    assert told(tmp_path, named, ruled, moved) == [
        ["12 May 2026, 19:00", "also on 20 May 2026, 3 June 2026"],
        ["12 May 2026, 19:00", "every week, also on 20 May 2026, 3 June 2026, except on 19 May 2026"],
        ["21 May 2026, 19:00", "this time only, in place of 19 May 2026"],
    ]

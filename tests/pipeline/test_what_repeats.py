"""Entries of a calendar that repeat: on the days on which they take place, and on no others."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.readers.limits import Limits
from lattice_common.composition import Embedded
from lattice_common.domain.recall import Query

from tests.pipeline.living import finished, send_file, started

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Tests//EN
BEGIN:VEVENT
UID:1@tests
SUMMARY:Book club
DTSTART:20261006T193000Z
DTEND:20261006T210000Z
RRULE:FREQ=MONTHLY;BYDAY=1TU
LOCATION:The Alma Café
END:VEVENT
BEGIN:VEVENT
UID:2@tests
SUMMARY:Theo swimming lesson
DTSTART:20260910T171500Z
DTEND:20260910T174500Z
RRULE:FREQ=WEEKLY;BYDAY=TH;UNTIL=20261217T235959Z
LOCATION:Horfield pool
END:VEVENT
BEGIN:VEVENT
UID:3@tests
SUMMARY:Dentist Clara
DTSTART:20261209T153000Z
DTEND:20261209T160000Z
LOCATION:Whiteladies Dental
END:VEVENT
END:VCALENDAR
"""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    reader = SandboxedReader(Limits())
    with started(tmp_path / "data", clock=FixedClock(NOW), reader=reader) as store:
        finished(store, send_file(store, "family.ics", CALENDAR.replace("\n", "\r\n").encode()))
        yield store


@pytest.mark.parametrize(
    ("question", "told", "silent"),
    [
        ("What is on tomorrow?", "On Tuesday 1 December 2026:", "swimming"),
        ("What is on on Thursday?", "On Thursday 3 December 2026:", "Book club"),
        ("What is on on 9 December 2026?", "Dentist Clara", "swimming"),
        ("When is the next book club?", "Next on Tuesday 1 December 2026:", "swimming"),
    ],
)
def test_it_is_told_on_the_days_on_which_it_takes_place(store: Embedded, question: str, told: str, silent: str) -> None:
    answer = store.lattice.answer(Query(question))
    assert answer.answered
    assert told in answer.answer
    assert silent not in answer.answer


def test_it_is_due_once_on_its_next_day_among_what_a_calendar_says(store: Embedded) -> None:
    due = [(each.on, each.atom.content.split(";")[0]) for each in store.lattice.today(14).due]
    assert [(on, content.rpartition(": ")[2]) for on, content in due] == [
        (date(2026, 12, 1), "Book club"),
        (date(2026, 12, 3), "Theo swimming lesson"),
        (date(2026, 12, 9), "Dentist Clara"),
    ]

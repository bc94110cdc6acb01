"""What a note says of itself: when it was written, its tags and its other names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from lattice_common.ingest.segment.markdown import blocks
from lattice_common.language.dates.notes import noted_on
from lattice_common.language.notes.properties import below_title, filed_as, properties

NOW = datetime(2026, 11, 29, 9, tzinfo=UTC)
GHENT = timezone(timedelta(hours=2))
NOTION = """# Trip

Created: May 4, 2023 10:00 AM
Last edited time: 2024-01-02
Tags: boat, long way
Status: Planned

We leave tomorrow.
"""


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("---\ndate: 2023-05-04\n---\nHello", "2023-05-04T12:00:00+02:00"),
        ("---\r\ncreated: 2023-05-04T10:30\r\n---\r\nHello", "2023-05-04T10:30:00+02:00"),
        ("---\ncreated_at: 2023-05-04T10:30:00Z\n---\nHello", "2023-05-04T10:30:00+00:00"),
        ('---\nupdated: 2024-01-01\ncreated: "[[2023-05-04]]"\n---\nHello', "2023-05-04T12:00:00+02:00"),
        ("---\nupdated: 2024-01-01\n---\nHello", "2024-01-01T12:00:00+02:00"),
        ("---\ndate: May 4, 2023\n---\nHello", "2023-05-04T12:00:00+02:00"),
        (NOTION, "2023-05-04T12:00:00+02:00"),
        ("---\ndate: 2026-11-29\n---\nHello", "2026-11-29T09:00:00+00:00"),
        ("---\ndate: 2027-05-04\ncreated: 2023-05-04\n---\nHello", "2023-05-04T12:00:00+02:00"),
    ],
)
def test_a_note_says_when_it_was_written(text: str, day: str) -> None:
    found = noted_on(text, "Trip.md", NOW, GHENT)
    assert found is not None
    assert found.isoformat() == day


@pytest.mark.parametrize(
    "text",
    [
        "We leave tomorrow.",
        "---\ndate: 1987\n---\nHello",
        "---\ndate:\n---\nHello",
        "---\ndate: someday\nHello",
        "---\ndate: 2027-05-04\n---\nHello",
        "# Dentist\n\nDate: 12 June 2026\nTime: 10:00\n",
        "# Trip\n\nWe leave.\n\nCreated: May 4, 2023\n",
    ],
)
def test_what_is_no_date_of_its_own_is_none(text: str) -> None:
    assert noted_on(text, "Trip.md", NOW, GHENT) is None


def test_the_day_in_its_name_comes_before_that_of_the_file_and_after_its_date() -> None:
    assert noted_on("---\ncreated: 2023-05-04\n---\nHello", "2023-05-01.md", NOW, GHENT) is None
    named = noted_on("---\ndate: 2023-05-04\n---\nHello", "2023-05-01.md", NOW, GHENT)
    assert named is not None
    assert named.day == 4


@pytest.mark.parametrize(
    ("text", "filed"),
    [
        (
            "---\ntags: [boat, \"sea\"]\naliases:\n- Inez Costa\n- 'Nurse'\n---\n",
            (["boat", "sea"], ["Inez Costa", "Nurse"]),
        ),
        ("---\ntags: boat, #sea\nalias: Inez\n---\n", (["boat", "sea"], ["Inez"])),
        (NOTION, (["boat", "long way"], None)),
        ("Hello", (None, None)),
    ],
)
def test_tags_and_other_names_are_read_however_they_are_listed(
    text: str, filed: tuple[list[str] | None, list[str] | None]
) -> None:
    found = filed_as(text)
    assert (found.get("tags"), found.get("aliases")) == filed


def test_lines_of_properties_are_no_paragraph() -> None:
    span = below_title(NOTION)
    assert span is not None
    assert NOTION[slice(*span)].startswith("Created")
    assert [(each.kind, NOTION[each.start : each.end].strip()) for each in blocks(NOTION)] == [
        ("heading", "# Trip"),
        ("field", "Status: Planned"),
        ("paragraph", "We leave tomorrow."),
    ]
    assert properties(NOTION)["status"] == ("Planned",)


def test_lines_that_only_look_like_properties_stay_what_they_are() -> None:
    text = "# Flat\n\nRent: 950 euros\nDeposit: 1900 euros\n"
    assert [each.kind for each in blocks(text)] == ["heading", "paragraph"]

"""What documents say is never turned into what they do not: days nobody named, rows that are dropped, sentences cut in two."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.domain.capture import Capture, SourceType, Trust
from lattice_common.domain.dates import resolve
from lattice_common.domain.document_date import written_on
from lattice_common.domain.reading import Reading, with_reading
from lattice_common.domain.sentences import sentences
from life import atoms_of

GIVEN = datetime(2026, 11, 22, 19, 0, tzinfo=UTC)


def facts(text: str, source_type: SourceType = "html", trust: Trust = "document") -> list[str]:
    source = "user" if trust == "user" else "document"
    capture = Capture("0" * 26, GIVEN, "", GIVEN, source=source, trust=trust)
    return [atom.content for atom in atoms_of(with_reading(capture, Reading(source_type, text)))]


@pytest.mark.parametrize(
    ("head", "day"),
    [
        ("# Minutes\n\nDate: 12 May 2021\n\nPresent: Ada", "2021-05-12"),
        ("Berlin, den 3. März 2024\n\nSehr geehrte Frau Roe,", "2024-03-03"),
        ("Paris, le 12 mai 2021\n\nMadame,", "2021-05-12"),
        ("# Weekly report – 14 March 2026\n\nAll is well.", "2026-03-14"),
        ("# Protokoll vom 3. Mai 2025\n\nAnwesend: Ada", "2025-05-03"),
        ("# News\n\nPosted by Jo Smith on 3 March 2019", "2019-03-03"),
        ("| Invoice date | 12.03.2026 |", "2026-03-12"),
        ("12 November 2025\n\nDear Daniel,", "2025-11-12"),
        ("Date: 12 May 2027", None),  # of something to come
        ("Date of birth: 12 May 1980", None),
        ("Born in Rome, 3 May 1980.", None),
        ("12 November 2025\nmet Bob\n13 November 2025\nmet Eve", None),  # a diary
        ("On 3 May 2020 we met.", None),
        ("| Date | Text |\n|---|---|\n| 01.03.2026 | Coffee |", None),
    ],
)
def test_the_day_a_document_was_written_on_is_read_off_its_head(head: str, day: str | None) -> None:
    found = written_on(head, GIVEN)
    assert (found.date().isoformat() if found else None) == day


def test_what_is_relative_in_a_document_counts_from_the_day_it_was_written_on() -> None:
    text = "# Minutes\n\nDate: 12 May 2021\n\nBob was ill yesterday. The next meeting is next Tuesday."
    assert facts(text)[1:] == [
        "Minutes: Bob was ill yesterday (11 May 2021).",
        "Minutes: The next meeting is next Tuesday (18 May 2021).",
    ]


def test_what_is_relative_in_a_document_without_a_date_is_no_day_at_all() -> None:
    atoms = atoms_of(
        with_reading(
            Capture("0" * 26, GIVEN, "", GIVEN, source="document", trust="document"),
            Reading("pdf", "Bob was ill yesterday. In March the funding ended. Come on Friday. The rent rose on 3 May 2020."),
        )
    )
    assert [atom.content for atom in atoms] == [
        "Bob was ill yesterday.", "In March the funding ended.", "Come on Friday.", "The rent rose on 3 May 2020.",
    ]  # fmt: skip
    assert [atom.valid_from.isoformat()[:10] if atom.valid_from else None for atom in atoms] == [None, None, None, "2020-05-03"]


def test_days_that_are_part_of_a_name_are_no_days_even_where_the_document_has_a_date() -> None:
    found = facts(
        "# Review\n\nPublished 3 March 2019\n\nA report in Physics Today tells of it. He played for Sheffield Wednesday. "
        "The Sunday Times and USA Today agree. We saw The Day After Tomorrow."
    )
    assert not any("2019)" in fact for fact in found), found


def test_the_owners_own_note_counts_from_when_it_was_written_as_before() -> None:
    assert "Bob was ill yesterday (21 November 2026)." in facts("Bob was ill yesterday.", "plain", "user")


@pytest.mark.parametrize(
    "words",
    [
        "the doors open at 10:30", "2015 Uhr", "departs 1945 hrs", "um 20.15 Uhr", "from 9 to 17", "10:12:14", "Section 1983",
        "Room 2015", "Time: 1945", "RFC 2045", "No. 2024", "§ 1983",
    ],
)  # fmt: skip
def test_times_and_numbers_of_things_are_no_dates(words: str) -> None:
    assert resolve(words, GIVEN) == []


def test_the_minutes_of_a_time_are_no_day() -> None:
    assert [mention.phrase for mention in resolve("10:30 March 5", GIVEN)] == ["March 5"]

"""When what a text speaks of ends, as seen from 3 November 2026."""

from datetime import UTC, datetime

import pytest
from lattice_common.ingest.extract.rules import validity
from lattice_common.language.dates.mentions import resolve

SAID_AT = datetime(2026, 11, 3, 12, tzinfo=UTC)


def ends(text: str) -> str | None:
    _, until, _ = validity(text, resolve(text, SAID_AT))
    return until.date().isoformat() if until else None


@pytest.mark.parametrize(
    ("text", "first_day_after"),
    [
        ("Period of insurance: from 00:01 on 19 June 2026 to midnight on 18 June 2027.", "2027-06-19"),
        ("for a term from 12 September 2026 to 11 August 2027", "2027-08-12"),
        ("Versicherungszeit: 1. Juni 2026 bis 31. Mai 2027", "2027-06-01"),
        ("Séjour du 3 juin 2026 au 2 juin 2027", "2027-06-03"),
        ("01.07.2026 – 30.06.2027", "2027-07-01"),
        ("The permit is valid until 9 October 2027.", "2027-10-10"),
    ],
)
def test_a_stretch_between_two_days_ends_with_the_second(text: str, first_day_after: str) -> None:
    assert ends(text) == first_day_after


@pytest.mark.parametrize(
    "text",
    [
        "Instalments: 1 April 2027, 1 May 2027",
        "Paid on 3 May 2026 and on 9 May 2026",
        "18 June 2027 to 19 June 2026",
        "The form is back by 5 June 2027.",
    ],
)
def test_two_days_that_are_no_stretch_end_nothing(text: str) -> None:
    assert ends(text) is None

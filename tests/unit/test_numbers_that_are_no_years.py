"""Numbers that look like years and are amounts, parts of long numbers, or parts of names, and stretches of a year, told on Sunday
8 November 2026."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from lattice_common.language.dates.mentions import resolve

TOLD = datetime(2026, 11, 8, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Toyota Corolla 2017, 61,000 km",
        "2018 model Yaris",
        "Food subtotal – Price (€): 1985",
        "Total: 2019",
        "IBAN: AT61 1904 3002 3457 2019 01",
        "Turnverein Eiche 1898 Stadtlohn e.V.",
        "SV Weser 1908 has a new coach.",
        "Advent 2026",
    ],
)
def test_it_names_no_time(text: str) -> None:
    assert resolve(text, TOLD) == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("We bought the Toyota in 2019.", date(2019, 1, 1)),
        ("TSV Moor 1921 gegründet", date(1921, 1, 1)),
        ("Spring block 2027", date(2027, 3, 1)),
        ("in the last week of May", date(2027, 5, 25)),
        ("the second week of March 2027", date(2027, 3, 8)),
        ("first weekend of April", date(2027, 4, 3)),
        ("We went the first weekend of April.", date(2026, 4, 4)),
        ("I've been in Hove for the last two nights.", date(2026, 11, 6)),
    ],
)
def test_it_names_a_time(text: str, first: date) -> None:
    [mention] = resolve(text, TOLD)
    assert mention.whole[0].date() == first


@pytest.mark.parametrize(
    "text",
    [
        "You catch up in the last week of term.",
        "For the last two nights I would book a room in Ronda.",
        "on the last night of the tour",
    ],
)
def test_the_last_of_something_is_not_the_last_of_the_calendar(text: str) -> None:
    assert resolve(text, TOLD) == []


@pytest.mark.parametrize("text", ["Elected until: 2028", "Gewählt bis: 2028"])
def test_a_label_says_that_something_ends(text: str) -> None:
    [mention] = resolve(text, TOLD)
    assert (mention.valid_from, mention.valid_until) == (None, datetime(2029, 1, 1, tzinfo=UTC))

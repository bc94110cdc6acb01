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
        ("The lease runs out at the end of January 2027.", date(2027, 1, 31)),
        ("Ende März ziehen wir um.", date(2027, 3, 31)),
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


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Dia 28 voltamos, o jantar é na sexta seguinte.", ["2026-11-28", "2026-12-04"]),
        ("We land on 3 December and the following Saturday is the wedding.", ["2026-12-03", "2026-12-05"]),
        ("Am 3. Dezember ist Abgabe, am Freitag darauf feiern wir.", ["2026-12-03", "2026-12-04"]),
        ("Planning Porto in June. The cheap flights are from the 3rd to the 9th.", ["2027-06-01"]),
        ("Planning Porto in June, from the 3rd to the 9th.", ["2027-06-01", "2027-06-03"]),
        ("You might see the castle on the Saturday.", []),
        ("The plumber is coming on the Saturday.", ["2026-11-14"]),
        ("Cake ordered. Collecting Saturday.", ["2026-11-14"]),
    ],
)
def test_a_day_is_counted_from_what_was_named_before(text: str, days: list[str]) -> None:
    assert [f"{each.whole[0]:%F}" for each in resolve(text, TOLD)] == days

"""Days and months of Romance languages and Dutch that are named by a number, or behind what bounds them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.language.dates.mentions import resolve

TOLD = datetime(2026, 3, 11, 9, tzinfo=UTC)
"""A Wednesday."""


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("j'ai quitté le CHU, je commence le 14 à la clinique", "2026-03-14", "2026-03-15"),
        ("on part à Rome, on revient le 9", "2026-04-09", "2026-04-10"),
        ("Le loup est passé le 2, trois bêtes perdues.", "2026-03-02", "2026-03-03"),
        ("je garde le chat du 13 au 17", "2026-03-13", "2026-03-18"),
        ("me han movido lo del dermatólogo al 12, a las 9", "2026-03-12", "2026-03-13"),
        ("el 28 vamos a ver a su familia a Teruel", "2026-03-28", "2026-03-29"),
        ("la tienda está abierta desde el 1, Omar en barra", "2026-03-01", None),
        ("mi hanno presa in biblioteca! comincio il 21", "2026-03-21", "2026-03-22"),
        ("il corso in piscina comincia il 13, corsia 2", "2026-03-13", "2026-03-14"),
        ("restiamo qui fino al 24.", None, "2026-03-25"),
        ("as aulas começam no dia 16, já tenho os livros", "2026-03-16", "2026-03-17"),
        ("weg bij de gemeente! de 15e begin ik bij ProRail", "2026-03-15", "2026-03-16"),
        ("de tocht is verzet naar de 18e, start bij het café", "2026-03-18", "2026-03-19"),
        ("vanaf april heb ik andere werktijden", "2026-04-01", None),
        ("we blijven hier tot zondag", None, "2026-03-16"),
        ("ik woon sinds januari in Gent", "2026-01-01", None),
        ("Zijn rijbewijs is in december ingeleverd.", "2025-12-01", "2026-01-01"),
        ("volgende week donderdag naar de tandarts", "2026-03-19", "2026-03-20"),
        ("Next week Thursday I have the dentist.", "2026-03-19", "2026-03-20"),
        ("Bami hebben we vrijdag moeten laten inslapen", "2026-03-06", "2026-03-07"),
        ("Flight on Sunday 14th, she's got 23kg.", "2026-06-14", "2026-06-15"),
        ("We start on 7 September as discussed.", "2026-09-07", "2026-09-08"),
        ("Tom's coming to stay at Halloween", "2026-10-30", "2026-11-01"),
    ],
)
def test_a_number_or_a_bound_month_is_a_day_of_the_calendar(text: str, start: str | None, end: str | None) -> None:
    (mention,) = resolve(text, TOLD)
    assert (mention.valid_from and f"{mention.valid_from:%F}", mention.valid_until and f"{mention.valid_until:%F}") == (
        start,
        end,
    )


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("el mes que viene vamos a Lisboa, salimos el 20", "2026-04-20", "2026-04-21"),
        ("ad aprile andiamo in Puglia, partiamo il 18", "2026-04-18", "2026-04-19"),
        ("in mei gaan we naar Texel, van de 2e tot de 9e", "2026-05-02", "2026-05-10"),
        ("We're in Texel in May, from the 2nd to the 9th.", "2026-05-02", "2026-05-10"),
    ],
)
def test_a_day_without_its_month_is_of_the_one_that_is_named_before(text: str, start: str, end: str) -> None:
    *_, last = resolve(text, TOLD)
    assert last.valid_from is not None
    assert last.valid_until is not None
    assert (f"{last.valid_from:%F}", f"{last.valid_until:%F}") == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "le loyer, on paye le 5",
        "j'habite au 14",
        "je prends le bus le 12",
        "la tva est le 20 pour cent de tout",
        "il mio armadietto è il 7",
        "vivo en el 4",
        "la pharmacie est rue des Lilas, au 14",
        "la cooperativa prende il 6 per cento",
        "hij woont op de 3e verdieping",
        "de 2e keer ging het beter",
        "hardlopen doen we nu op donderdag",
        "elk jaar naar Lourdes in mei",
        "la poterie passe au jeudi, même heure",
        "je roule en clio grise de 2014",
        "tengo un seat león blanco del 2012",
        "ho una panda rossa del 2010",
        "la furgo es una Berlingo del 2008",
        "me compré una Vito del 2008",
        "2014 Transit, 11 grand.",
        "Opened the hives for the first time this year.",
    ],
)
def test_what_counts_something_else_or_comes_back_is_no_day(text: str) -> None:
    assert resolve(text, TOLD) == []


def test_a_day_is_of_the_year_that_stands_behind_the_last_of_its_stretch() -> None:
    for text, start in (
        ("Our pupils in Quimper: Fri 12 March – Sat 20 March 2027", "2027-03-12"),
        ("Closed 24 December to 4 January 2028", "2027-12-24"),
    ):
        first, *_ = resolve(text, TOLD)
        assert first.valid_from is not None
        assert f"{first.valid_from:%F}" == start


def test_the_year_of_what_happened_stays_a_year() -> None:
    assert [each.phrase for each in resolve("abbiamo superato la crisi del 2008", TOLD)] == ["2008"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Viajamos dia 20/4 e regressamos dia 26.", ["2026-04-20", "2026-04-26"]),
        ("Viajamos dia 20/4 e regressamos dia 4.", ["2026-04-20", "2026-05-04"]),
        ("Começo no trabalho novo dia 1º.", ["2026-04-01"]),
        ("Dia 28 chegam os meus pais.", ["2026-03-28"]),
        ("Pago o ginásio todo dia 8.", []),
        ("Salimos el 20 de abril y volvemos el 4.", ["2026-04-20", "2026-05-04"]),
        ("Dentista 3 de abril. Salimos el 20.", ["2026-04-03", "2026-03-20"]),
    ],
)
def test_a_number_behind_a_day_with_its_month_is_the_next_one(text: str, days: list[str]) -> None:
    assert [f"{each.whole[0]:%F}" for each in resolve(text, TOLD)] == days

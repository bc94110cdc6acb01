"""Months and days as Polish names them behind "w", "od" and "do", told on Monday 16 November 2026."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.language.dates.mentions import resolve

TOLD = datetime(2026, 11, 16, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("W marcu od 3 do 9 jesteśmy w Zakopanem.", [("2027-03-01", "2027-04-01"), ("2027-03-03", "2027-03-10")]),
        ("Jesteśmy w Sopocie od 3 do 9 lipca.", [("2027-07-03", "2027-07-10")]),
        ("Od października biorę nowy lek.", [("2026-10-01", None)]),
        ("Od stycznia pracuję w Opolu.", [("2027-01-01", None)]),
        ("Mieszkam tu od stycznia.", [("2026-01-01", None)]),
        ("Od poniedziałku chodzę na jogę.", [("2026-11-23", None)]),
        ("Jestem chora od czwartku.", [("2026-11-12", None)]),
        ("Umowa jest ważna do marca 2028.", [(None, "2028-04-01")]),
        ("W maju jedziemy do Gdańska.", [("2027-05-01", "2027-06-01")]),
        ("W maju urodziła się nasza Zosia.", [("2026-05-01", "2026-06-01")]),
        ("Pracuję od poniedziałku do piątku.", []),
        ("Pracuję w biurze od 6 do 14.", []),
    ],
)
def test_a_month_behind_its_preposition_is_read(text: str, days: list[tuple[str | None, str | None]]) -> None:
    found = [
        (each.valid_from and f"{each.valid_from:%F}", each.valid_until and f"{each.valid_until:%F}")
        for each in resolve(text, TOLD)
    ]
    assert found == days

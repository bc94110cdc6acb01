"""Which days of the week words speak of."""

from __future__ import annotations

import pytest
from lattice_common.language.dates.days_of_week import days_of_week


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("Mondays to Fridays", {0, 1, 2, 3, 4}),
        ("Mon–Thu 8–5, Fri 8–1", {0, 1, 2, 3, 4}),
        ("Samstag bis Montag", {5, 6, 0}),
        ("Sundays and holidays", {6}),
        ("on a weekday", {0, 1, 2, 3, 4}),
        ("am Wochenende", {5, 6}),
        ("samstags", {5}),
        ("Friday's bus", {4}),
        ("we sat in the sun and wed", set()),
        ("Satellite", set()),
    ],
)
def test_days_and_what_lies_between_them_are_told(words: str, days: set[int]) -> None:
    assert days_of_week(words) == days

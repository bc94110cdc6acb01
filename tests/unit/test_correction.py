"""What one sentence corrects of another."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.correction import corrects


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Tom moved here from York, not Leeds.", "Tom moved here from Leeds."),
        ("The meeting is on Thursday, not on Tuesday.", "The meeting is on Tuesday."),
        ("Anna wohnt in Bonn, nicht in Köln.", "Anna wohnt in Köln."),
    ],
)
def test_what_is_denied_and_said_otherwise_is_corrected(newer: str, older: str) -> None:
    assert corrects(newer, older)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Tom moved here from York.", "Tom moved here from Leeds."),
        ("Anna likes York, not Leeds.", "Tom works at the mill in Leeds on Fridays."),
        ("I like tea, not coffee.", "The coffee machine needs descaling."),
        ("Tom moved here, not Ben.", "Tom moved here from Leeds."),
    ],
)
def test_what_is_not_denied_or_of_something_else_stays(newer: str, older: str) -> None:
    assert not corrects(newer, older)

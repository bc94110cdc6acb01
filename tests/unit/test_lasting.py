"""What hardly ever ends, told by its words."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.lasting import is_lasting


@pytest.mark.parametrize(
    "content",
    [
        "Fiadh is allergic to egg.",
        "No ibuprofen for me, comes up in welts.",
        "I have three children, Ben, Susan and Peter.",
        "We've got two kids.",
        "Anna was born in Ghent.",
        "My blood group is O negative.",
        "Ich habe drei Kinder.",
        "Je suis allergique aux noix.",
        "Mi suegra es alérgica a las nueces.",
        "Mam uczulenie na orzechy.",
    ],
)
def test_what_hardly_ever_ends_is_told_by_its_words(content: str) -> None:
    assert is_lasting(content)


@pytest.mark.parametrize(
    "content",
    [
        "Nine hives on Rab Ogilvie's farm.",
        "I live in Leeds.",
        "The kids go to St Saviour's.",
        "We have a Golf.",
        "My dentist is Dr. Park.",
    ],
)
def test_what_may_end_any_day_is_not(content: str) -> None:
    assert not is_lasting(content)

"""What goes on only today ends nothing that holds on."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.passing import comes_back, is_passing


@pytest.mark.parametrize(
    "content",
    [
        "I'm working from the fifth floor today (28 November 2026).",
        "Today I'm drinking light roast.",
        "The car is in Garage 2 today.",
        "Karim's sister is cleaning for us this week.",
        "We’re all eating at Mum's tonight.",
    ],
)
def test_what_goes_on_for_a_day_is_passing(content: str) -> None:
    assert is_passing(content)


@pytest.mark.parametrize(
    "content",
    [
        "I'm starting at Contoso today.",
        "I moved to York today.",
        "I'm working at Contoso from today.",
        "Barb raised my rent, it's 920 as of this month.",
        "Rashid's inspecting escalators at Changi from this week.",
        "Bill is in York, and the first one came today.",
        "I'm working at Contoso now.",
        "The keys are back at Tom's until further notice.",
        "He will take over the shop.",
    ],
)
def test_what_begins_then_is_not(content: str) -> None:
    assert not is_passing(content)


@pytest.mark.parametrize(
    "sentence",
    [
        "A young man drives the ambulance these days, but the old man will resume.",
        "Dr Lang sees us until Dr Weber is back.",
        "Uschi runs the group till Petra gets back from Kiel.",
        "Meera does the payroll while Aoife’s on leave.",
        "Kofi's covering for Priya.",
    ],
)
def test_what_holds_until_another_is_back_is_passing(sentence: str) -> None:
    assert comes_back(sentence)
    assert is_passing(sentence)

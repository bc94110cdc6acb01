"""Answers speak to their owner: what the owner said of themselves is turned round, or set as a quotation."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from lattice_common.domain.atom import Atom, Span
from lattice_common.language.people.addressed import addressed

NOW = datetime(2026, 5, 1, tzinfo=UTC)
OWN = Atom("a", "", "fact", "me", "c", "", Span(0, 0), NOW, NOW)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I moved from Berlin to Lisbon.", "You moved from Berlin to Lisbon."),
        ("My rent is 1,050 euros a month.", "Your rent is 1,050 euros a month."),
        ("I am allergic to walnuts.", "You are allergic to walnuts."),
        ("I'm allergic to walnuts.", "You’re allergic to walnuts."),
        ("I was born in Turin and was baptised there.", "You were born in Turin and were baptised there."),
        ("I still am a member.", "You still are a member."),
        ("I’ve kept it for myself.", "You’ve kept it for yourself."),
        ("Ingrid in flat 12 has my spare key.", "Ingrid in flat 12 has your spare key."),
        ("Mum and I were in Rome. She gave me a ring.", "Mum and you were in Rome. She gave you a ring."),
        ("We meet on Fridays at our place.", "You meet on Fridays at your place."),
        ("The red one is mine.", "The red one is yours."),
        ("On Monday I saw Tom.", "On Monday you saw Tom."),
        ("Tom said “I will come” to me.", "Tom said “I will come” to you."),
        ("The gas meter is behind the green door.", "The gas meter is behind the green door."),
        ("My sister was ill and was in bed.", "Your sister was ill and was in bed."),
        ("The US office is closed.", "The US office is closed."),
    ],
)
def test_what_the_owner_said_of_themselves_is_said_to_them(said: str, told: str) -> None:
    assert addressed(OWN, said) == told


@pytest.mark.parametrize(
    "said",
    [
        "I told Tom that you will remember it.",
        "Ich wohne in Berlin.",
        "J’habite à Lyon.",
        "I wrote about Elizabeth I of England.",
        "Let's meet at my place.",
        "Me gusta el café solo.",
        "Me duele la rodilla.",
    ],
)
def test_what_cannot_be_turned_round_for_certain_is_a_quotation(said: str) -> None:
    assert addressed(OWN, said) == f"“{said}”"


def test_what_somebody_else_says_of_themselves_is_a_quotation_with_their_name() -> None:
    theirs = replace(OWN, metadata={"speaker": "Kasia"})
    assert addressed(theirs, "I moved to Oslo.") == "Kasia: “I moved to Oslo.”"
    assert addressed(theirs, "The bakery moved to Oslo.") == "The bakery moved to Oslo."
    assert addressed(replace(OWN, trust="document"), "I hereby resign.") == "“I hereby resign.”"

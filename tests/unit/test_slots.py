"""Slots: what sentences claim, and what one claim does to another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.language.slots import Claim, claims_of, contest

SAID = """I we my Tom moved to from in at Berlin not the is are , . and 3 pm don't have live a dog any more"""
WORDS = SAID.split()


def verdict(new: str, old: str, *, author: str = "me") -> str:
    """The strongest of what the claims of `new` do to those of `old`."""
    found = {contest(one, other) for one in claims_of(new, author) for other in claims_of(old, author)}
    return next((verdict for verdict in ("retire", "link", "agree") if verdict in found), "none")


def claimed(sentence: str, slot: str) -> Claim:
    (claim,) = [claim for claim in claims_of(sentence, "me") if claim.slot == slot]
    return claim


def test_a_residence_is_read_from_many_wordings() -> None:
    wordings = [
        "I live in Berlin.",
        "We're based in Berlin",
        "My home is in Berlin",
        "I live in a tiny flat in Berlin, and I like it",
    ]
    assert {claimed(wording, "residence").value for wording in wordings} == {frozenset({"berlin"})}


@pytest.mark.parametrize(
    "sentence",
    [
        "I might move to Lisbon.",
        "If I moved to Lisbon I would surf.",
        "I want to move to Lisbon.",
        "Should I move to Lisbon?",
        "I'll move to Lisbon in May.",
        "I used to live in Lisbon.",
        'She said "I moved to Lisbon".',
        "I moved to the marketing team.",
        "I moved to Notion for my notes.",
    ],
)
def test_what_is_asked_supposed_planned_past_or_no_place_claims_no_residence(sentence: str) -> None:
    assert [claim for claim in claims_of(sentence, "me") if claim.slot == "residence"] == []


def test_people_are_told_apart() -> None:
    assert claimed("Tom moved to Lisbon.", "residence").holder == "tom"
    assert claimed("My wife lives in Lisbon.", "residence").holder == "me/wife"
    assert verdict("My friend moved to Lisbon.", "My friend lives in Berlin.") == "link"
    assert verdict("My friend moved from Berlin to Lisbon.", "My friend lives in Berlin.") == "retire"


def test_a_country_and_a_town_in_it_may_both_be_right() -> None:
    assert verdict("I live in Berlin.", "I live in Germany.") == "link"
    assert verdict("I moved from Germany to Lisbon.", "I live in Germany.") == "retire"


def test_a_part_of_a_value_agrees_with_the_whole() -> None:
    assert verdict("We live in Berlin-Kreuzberg.", "I live in Berlin.") == "agree"


def test_what_is_over_is_no_more_than_what_is_said_to_be_over() -> None:
    assert verdict("I don't eat meat any more.", "I eat meat on Sundays.") == "retire"
    assert verdict("I don't eat meat on Mondays any more.", "I eat meat.") == "none"
    assert verdict("I no longer have a dog.", "I have a dog bed.") == "none"
    assert verdict("I sold the red bike.", "I have a red bike and a blue bike.") == "none"


def test_a_thing_is_the_same_only_under_the_same_name() -> None:
    assert verdict("The wifi password is tulip33.", "The wifi password is sunflower22.") == "retire"
    assert verdict("The guest wifi password is tulip33.", "The wifi password is sunflower22.") == "none"
    assert verdict("The favourite colour is red.", "My favorite color is blue.") == "retire"


def test_a_time_leaves_the_day_of_an_appointment_alone() -> None:
    assert verdict("The meeting was moved to 4pm.", "The meeting is on Tuesday.") == "none"
    assert verdict("The meeting was moved to Thursday.", "The meeting is on Tuesday.") == "retire"
    assert verdict("The meeting is on Thursday.", "The meeting is on Tuesday.") == "link"


def test_context_that_extraction_added_claims_nothing() -> None:
    assert claims_of("Nice! (in reply to: I moved to Lisbon.) ", "me") == ()
    assert claims_of("Look! [shares a photo of my home in Lisbon]", "me") == ()


def test_contact_data_differ_by_sort_and_not_by_spelling() -> None:
    assert verdict("My number is +49 (171) 765-4321.", "My phone number is +49 171 7654321.") == "agree"
    assert verdict("My work number is 555-0199.", "My phone number is 555-0142.") == "none"


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    for claim in claims_of(text, "me"):
        assert claim.keys
        assert claim.sought


@given(
    st.lists(
        st.sampled_from(WORDS),
        max_size=25,
    )
)
def test_claims_that_may_contest_each_other_share_a_key(words: list[str]) -> None:
    sentence = " ".join(words)
    for old in ("I live in Berlin.", "I have a dog.", "Tom is at home.", "I live a lot"):
        for new_claim in claims_of(sentence, "me"):
            for old_claim in claims_of(old, "me"):
                if contest(new_claim, old_claim) in ("retire", "link"):
                    assert set(new_claim.sought) & set(old_claim.keys)
                if contest(old_claim, new_claim) in ("retire", "link"):
                    assert set(new_claim.sought) & set(old_claim.keys)


@pytest.mark.parametrize("town", ["New York", "New Orleans", "New Delhi", "The Hague"])
def test_a_town_whose_name_begins_with_new_or_the_is_one_that_a_person_lives_in(town: str) -> None:
    [here] = claims_of(f"I live in {town}.", "me")
    [there] = claims_of("I moved to San Francisco.", "me")
    assert (here.slot, here.shown, here.change) == ("residence", town, False)
    assert contest(there, here) == "retire"


@pytest.mark.parametrize(
    "newer", ["New address 8 Larch Close, LF4 2QT.", "My new address is 8 Larch Close.", "We moved to 8 Larch Close last week."]
)
@pytest.mark.parametrize("older", ["Live at 14 Tern Street with Callum.", "I live at 14 Tern Street."])
def test_a_new_address_takes_the_place_of_the_one_before(newer: str, older: str) -> None:
    new, old = ([each for each in claims_of(said, "me") if each.slot == "residence"] for said in (newer, older))
    assert contest(new[0], old[0]) == "retire"


@pytest.mark.parametrize(
    "other",
    ["Her address is 3 Oak Lane.", "Work address 5 Mill Lane", "Live at Leeds is playing.", "We moved to 3 Mobile."],
)
def test_another_address_is_no_home(other: str) -> None:
    assert [each for each in claims_of(other, "me") if each.slot == "residence"] == []


def test_a_new_flat_is_no_town() -> None:
    assert claims_of("I live in a new flat.", "me") == ()
    assert claims_of("I moved to new rooms.", "me") == ()

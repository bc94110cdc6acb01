"""Another payment, meal or visit ends none of those before it."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.happenings import both_happened, is_followed, is_over


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Paid 55 for the plumber.", "Paid 40 for the plumber."),
        ("We paid 60 for the gardener.", "I paid 50 for the gardener."),
        ("Anna paid 5 euros at the kiosk.", "Anna and Tom paid 6 euros at the kiosk."),
        ("Bought strawberries for 4 euros.", "I just bought strawberries for 3 euros."),
        ("Had lunch with Karim on 2 May.", "We had a lunch with Karim on 3 March."),
        ("Went to Rome.", "We went to Oslo."),
        ("Nils told me about the lock at Hythe.", "Nils told us about the weir at Ely."),
        ("Read Klara and the Sun, 8/10.", 'Read "Piranesi", loved it. 9/10.'),
        ("Ran 8k in 44 minutes.", "Ran 5k in 27:10."),
        ("Beim Friseur habe ich 42 Euro bezahlt.", "Ich habe beim Friseur 35 Euro bezahlt."),
        ("J'ai payé 40 euros.", "Nous avons payé 30 euros."),
        ("Pagué 20 euros.", "Pagué 15 euros."),
        ("Callum sent me 30 pounds of what he owes.", "Lent Callum 240 pounds for the shoes."),
        ("Lent Callum another 50 euros.", "Callum paid back 40 euros."),
    ],
)
def test_two_happenings_of_one_kind_both_happened(newer: str, older: str) -> None:
    assert both_happened(newer, older)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Actually paid 55 for the plumber.", "Paid 40 for the plumber."),  # takes it back
        ("Paid 55 for the plumber, not 40.", "Paid 40 for the plumber."),
        ("We went with O2.", "We went with Vodafone."),  # what was chosen holds on
        ("Bought a Skoda.", "Bought a Fiat."),
        ("Finished Wolf Hall.", "Started Wolf Hall."),
        ("Sold the Fiat for 900.", "Bought the Fiat for 2,000."),
        ("Paid off the loan.", "I have a loan at Monzo."),
        ("Ate Kring resigned from the call centre.", "Ate Kring works at a call centre."),  # a name
        ("He had the haddock.", "Joel won't eat fish."),
        ("The plumber is 55 an hour.", "The plumber is 40 an hour."),
        ("Callum paid back the 240 pounds.", "Callum owes me 240 pounds."),  # what is owed holds on
        ("Tom gave back the ladder.", "Lent Tom the ladder."),
    ],
)
def test_what_holds_on_or_takes_back_is_no_such_happening(newer: str, older: str) -> None:
    assert not both_happened(newer, older)


@pytest.mark.parametrize(
    ("newer", "older", "next_one"),
    [
        ("Lunch with Karim on 2 May.", "Lunch with Karim was on 3 March.", True),
        ("Zahnarzttermin am 9. September.", "Der Zahnarzttermin war am 3. März.", True),
        ("Lunch with Karim was on 4 March, not the 3rd.", "Lunch with Karim was on 3 March.", False),
        ("Lunch with Karim on 2 May.", "Lunch with Karim is on 3 March.", False),
        ("A seizure at eleven on Thursday.", "The last seizure was in August 2023.", False),
    ],
)
def test_an_event_that_is_over_is_followed_by_another(newer: str, older: str, *, next_one: bool) -> None:
    assert is_followed(newer, older) is next_one


@pytest.mark.parametrize(
    ("older", "newer", "over"),
    [
        ("Ran 5k, 27:10.", "Can run again. Did 3k, no pain.", True),
        ("Paid 40 for the plumber.", "The plumber was rude.", True),
        ("Paid 40 for the plumber.", "It was 55 for the plumber, not 40.", False),
        ("Spent 410k so far.", "Spend at 465.", False),
        ("Paid 13.50 an hour.", "I've a start in Aldi, 14.70", False),
        ("I read The Times.", "It's the Telegraph on my mat.", False),
        ("We bought tickets for Hamilton on the 23rd for 80.", "Sold the Hamilton seats.", False),
        ("I drive a Skoda.", "Sold the Skoda.", False),
    ],
)
def test_what_happened_once_stays_true(older: str, newer: str, over: bool) -> None:
    assert is_over(older, newer) is over

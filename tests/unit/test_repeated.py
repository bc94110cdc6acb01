"""Whether a statement says no more than a known one: the rules beside the judge."""

from __future__ import annotations

import time

import pytest
from lattice_common.ingest.reconcile.judging import LONGEST
from lattice_common.language.claims.repeated import says_no_more


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("My dentist is Dr Roth in Park Street.", "Dr Roth on Park Street is my dentist."),
        ("I'm allergic to penicillin.", "I have a penicillin allergy."),
        ("I'm allergic to penicillin.", "Ich bin allergisch gegen Penicillin."),
        ("The wifi password is tulip-horse-9.", "wifi: tulip-horse-9"),
        ("Rent is due on the first.", "The rent is due on the 1st."),
        ("My brother Ilya lives in Riga.", "Ilya, my brother, lives in Riga."),
        ("Lucía's boyfriend is Iker.", "Iker is Lucía's boyfriend."),
        ("Nora's allergic to sesame.", "Nora is allergic to sesame."),
        ("My sister lives in Graz.", "Meine Schwester wohnt in Graz."),
        ("I take 5 mg of ramipril in the morning.", "In the morning I take ramipril, 5 mg."),
        ("Mum's number is 07700 900123.", "07700 900123 is Mum's number."),
        ("My car is a red Skoda.", "We have a Skoda, red."),
        ("My laptop has 32 GB of RAM.", "32GB of RAM in my laptop."),
        ("We water the tomatoes each evening.", "The tomatoes get watered every evening."),
        ("We moved to Elm Road (3 November 2025).", "We moved to Elm Road."),
    ],
)
def test_what_says_it_in_another_order_or_less_of_it_says_no_more(known: str, new: str) -> None:
    assert says_no_more(new, known)


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("Tom likes Anna.", "Anna likes Tom."),
        ("I lent Tom the drill.", "Tom lent me the drill."),
        ("Anna owes me 50.", "I owe Anna 50."),
        ("Paid Tom 50.", "Tom paid 50."),
        ("Bus from York at nine.", "Bus to York at nine."),
        ("The parcel is for Ada.", "The parcel is from Ada."),
        ("Ada works with Finn.", "Ada works for Finn."),
        ("The heating is on.", "The heating is off."),
        ("Called Mum about the boiler.", "Mum called about the boiler."),
        ("I eat fish but no meat.", "I eat meat but no fish."),
        ("I prefer tea to coffee.", "I prefer coffee to tea."),
        ("My father-in-law farms sheep.", "My father farms sheep."),
        ("Unsere Nachbarin hütet den Hund.", "Wir hüten den Hund der Nachbarin."),
        ("Tom is Anna's boss.", "Anna is Tom's boss."),
        ("Tom is Anna's brother.", "Tom's brother is Anna."),
        ("Tom is older than Anna.", "Anna is older than Tom."),
        ("Switched from Aldi to Lidl.", "Switched from Lidl to Aldi."),
        ("The shop opens at nine.", "The shop closes at nine."),
        ("Priya is vegetarian.", "Priya is vegan."),
        ("Sofia starts school in September.", "Sofia started school in September."),
        ("I want to work at Bosch.", "I work at Bosch."),
        ("I live in Leeds.", "I live near Leeds."),
        ("We have two cats.", "We have a cat."),
        ("Coffee without sugar, please.", "Coffee with sugar, please."),
        ("I take amlodipine in the morning.", "I take amlodipine at night."),
        ("My old GP was Dr Low.", "My GP is Dr Low."),
        ("I'm allergic to penicillin.", "I'm allergic to penicillin and to cats."),
        ("Bins go out on Tuesday.", "Recycling goes out on Tuesday."),
        ("Left rear tyre has a slow puncture.", "Right rear tyre has a slow puncture."),
        ("The rent is 900.", "The rent is 950."),
        ("Mein Bruder wohnt in Graz.", "My sister lives in Graz."),
        ("Tea.", "It is."),
    ],
)
def test_what_has_a_word_of_its_own_or_turns_it_around_is_another_statement(known: str, new: str) -> None:
    assert not says_no_more(new, known)


def test_statements_as_long_as_are_judged_are_compared_at_once() -> None:
    long = " ".join(f"word{number}" for number in range(LONGEST // 7))
    says_no_more("One.", "One.")  # patterns are compiled once
    started = time.process_time()
    says_no_more(long, long[::-1])
    assert time.process_time() - started < 0.5

"""A name and what its bearer is to somebody are one person, whichever comes first."""

from __future__ import annotations

import pytest
from lattice_common.language.people.coreference import candidates, resolve_pronouns


@pytest.mark.parametrize(
    ("before", "text", "told"),
    [
        ("Anna is my best friend", "she lives in Leeds with her boyfriend Mark.", "Anna lives in Leeds with her boyfriend Mark."),
        ("My best friend is Neha", "she lives in Leeds.", "Neha lives in Leeds."),
        ("Tom's our landlord", "he lives upstairs.", "Tom lives upstairs."),
        ("Ines is now my boss", "she starts in May.", "Ines starts in May."),
        ("Ines is now my boss", "I told her we have a snake.", "I told Ines we have a snake."),
    ],
)
def test_a_pronoun_stands_for_the_name(before: str, text: str, told: str) -> None:
    assert resolve_pronouns(text, [before]).text == told


def test_of_two_people_of_one_sort_neither_is_chosen() -> None:
    assert resolve_pronouns("she lives in Leeds.", ["Anna is my sister and Ines is my boss"]).unclear == ("she",)


def test_a_role_of_two_words_is_read_whole_in_every_run() -> None:
    assert [each.words for each in candidates("I met my twin brother")] == ["my twin brother"]


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ("My mother-in-law is ill.", "my mother-in-law has the flu."),
        ("My sister in law is ill.", "my sister in law has the flu."),
        ("My stepmother is ill.", "my stepmother has the flu."),
        ("My ex-wife lives in Bonn.", "my ex-wife has the flu."),
        ("Our half-sister is a cook.", "our half-sister has the flu."),
        ("My great-aunt turned 90.", "my great-aunt has the flu."),
        ("My godmother turned 80.", "my godmother has the flu."),
        ("My ex is in Bonn.", "my ex has the flu."),
        ("Tom's step-daughter is a cook.", "Tom's step-daughter has the flu."),
    ],
)
def test_kin_by_marriage_is_read_whole(before: str, told: str) -> None:
    assert resolve_pronouns("she has the flu.", [before]).text == told


@pytest.mark.parametrize(
    "before", ["My stepfather is ill.", "My ex-husband is ill.", "My half-brother is ill.", "My grandad is ill."]
)
def test_kin_by_marriage_is_of_the_sort_that_its_word_says(before: str) -> None:
    assert resolve_pronouns("she has the flu.", [before]).text == "she has the flu."
    assert resolve_pronouns("he has the flu.", [before]).text == f"my {before[3:-8]} has the flu."


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Anna is in Leeds.", "a nurse told me that she is ill."),
        ("Anna is in Leeds.", "his sister says she is ill."),
        ("Anna met a nurse.", "she is ill."),
        ("Tom met a farmer from Hull.", "he is ill."),
    ],
)
def test_whoever_is_mentioned_without_a_name_may_be_meant(before: str, text: str) -> None:
    assert resolve_pronouns(text, [before]).text == text


def test_what_somebody_is_is_nobody_else() -> None:
    assert resolve_pronouns("she is ill.", ["Anna is a nurse."]).text == "Anna is ill."


def test_who_only_owns_what_is_spoken_of_is_nobody_that_a_pronoun_means() -> None:
    assert resolve_pronouns("she is ill.", ["My mother-in-law's flat is cold."]).text == "she is ill."


def test_who_may_be_she_or_he_is_neither_where_words_speak_of_both() -> None:
    told = "The parrot's new vet is Dr Sundaram in the old bank."
    assert resolve_pronouns("she wants him weighed every Sunday", [told]).text == "she wants him weighed every Sunday"
    assert resolve_pronouns("he's at 412 grams now", [told, "she wants him weighed"]).unclear == ("he's",)
    assert resolve_pronouns("she is on Mill Road", [told]).text == "Dr Sundaram is on Mill Road"


def test_somebody_else_who_can_be_the_other_one_leaves_the_name() -> None:
    told = "My son likes Dr Sundaram a lot."
    assert resolve_pronouns("she gave him a sticker", [told]).text.startswith("Dr Sundaram gave ")

"""The things that a question names."""

from __future__ import annotations

import pytest
from lattice_common.language.questions.asked_nouns import asked_nouns


@pytest.mark.parametrize(
    ("question", "nouns"),
    [
        ("What is Noor's bonus this year?", ("bonus",)),
        ("Who is the treasurer of the chess club?", ("treasurer",)),
        ("When was Tomáš vaccinated against chickenpox?", ("chickenpox",)),
        ("What is the wedding cake made of?", ("wedding", "cake")),
        ("Which hotel is booked in Copenhagen?", ("Copenhagen",)),
    ],
)
def test_what_a_question_is_about_is_named_with_what_describes_it(question: str, nouns: tuple[str, ...]) -> None:
    assert asked_nouns(question) == nouns


@pytest.mark.parametrize(
    ("question", "nouns"),
    [
        ("What is the booking code of the trip to Copenhagen?", ("booking",)),
        ("Where does the key of the crypt hang?", ("key",)),
        ("When was the boiler built?", ("boiler",)),
    ],
)
def test_what_it_is_of_and_what_happens_with_it_are_no_such_thing(question: str, nouns: tuple[str, ...]) -> None:
    assert asked_nouns(question) == nouns


@pytest.mark.parametrize(
    "question",
    [
        "What is the total amount of the invoice?",
        "Until when is the deadline?",
        "What does class 6c have on Friday in the fifth lesson?",
        "How loud is it?",
        "",
    ],
)
def test_words_for_values_days_and_the_document_itself_name_nothing(question: str) -> None:
    assert not {"total", "amount", "invoice", "deadline", "fifth"} & set(asked_nouns(question))


def test_of_a_question_in_another_language_nothing_is_said() -> None:
    assert asked_nouns("Wie hoch ist die Kaution für die Wohnung?") == ()

"""What an answer reckons without a language model: totals that are asked for, and how far a day is from today."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query, Selected
from lattice_common.language.text import query_tokens
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.reckoned import reckoned
from recalled_store import atom, day, recall_over

TODAY = day("2026-11-22")
KITCHEN = [
    atom("The kitchen worktop cost 1,200 euros.", 1),
    atom("Paid the plumber €340.50 for the kitchen sink.", 2),
    atom("The kitchen lamps came to 89,50 EUR.", 3),
    atom("The bathroom tiles cost 700 euros.", 4),
    atom("The kitchen is cleaned for 40 euros a week.", 5),
]


def text_of(question: str, atoms: Sequence[Atom]) -> str | None:
    found = [Selected(each, 1.0) for each in atoms]
    asked = Question(Query(question), question, tokens=tuple(query_tokens(question)))
    made = reckoned(asked, found[:3], found, TODAY)
    return made.text if made else None


def test_amounts_of_what_is_asked_about_are_added_and_shown() -> None:
    text = text_of("What did the kitchen cost in all?", KITCHEN)
    assert text == "In all 1,630 euros: 1,200 [1] + 340.50 [2] + 89,50 [3]."


def test_other_things_are_counted_by_their_unit() -> None:
    runs = [atom("A run of 12 km along the river.", 1), atom("A run of 8.5 km in the rain.", 2), atom("A run of 40 minutes.", 3)]
    assert text_of("How many km was I on a run altogether?", runs) == "In all 20.5 km: 12 [1] + 8.5 [2]."


def test_what_statements_give_in_the_unit_asked_for_is_added_without_a_word_for_a_total() -> None:
    swims = [atom("Swam 800 metres.", 1), atom("Swam 1,200 metres, shoulder fine.", 2), atom("Swam for 40 minutes.", 3)]
    assert text_of("How many metres did I swim?", swims) == "In all 2,000 metres: 800 [1] + 1,200 [2]."
    assert text_of("How many metres did I swim?", swims[:1]) is None


def test_of_several_things_each_counts_also_where_one_statement_names_them() -> None:
    both = atom("The kitchen cost 4200 euros, and the bath cost 1800 euros.", 1)
    roof = atom("The roof cost 3,000 euros.", 2)
    lamps = atom("The bath lamp cost 30 euros and the bath rug cost 30 euros.", 3)
    assert text_of("What did the kitchen and the bath cost in all?", [both, roof]) == "In all 6,000 euros: 4200 [1] + 1800 [1]."
    assert (
        text_of("What did the roof and the kitchen cost together?", [both, roof]) == "In all 7,200 euros: 4200 [1] + 3,000 [2]."
    )
    assert text_of("What did the bath cost in all?", [both, lamps]) == "In all 1,860 euros: 1800 [1] + 30 [2] + 30 [2]."


@pytest.mark.parametrize(
    ("question", "atoms"),
    [
        ("What did the kitchen cost?", KITCHEN),
        ("What did the garden cost in all?", KITCHEN),
        ("What did it cost in all?", KITCHEN),
        ("What did the kitchen cost in all?", [*KITCHEN, atom("The kitchen cost 1,700 euros in total.", 6)]),
        ("What did the kitchen cost in all?", [KITCHEN[0], atom("The kitchen clock cost 30 dollars.", 7)]),
        ("What did the kitchen cost in all?", [KITCHEN[0], atom("The kitchen floor may cost 900 euros.", 8, status="supposed")]),
        ("What did the kitchen cost in all?", [KITCHEN[0], atom("The kitchen cost 1,200 to 1,400 euros, and 3 euros.", 9)]),
    ],
)
def test_nothing_is_added_where_it_is_not_asked_for_or_in_doubt(question: str, atoms: Sequence[Atom]) -> None:
    assert text_of(question, atoms) is None


@pytest.mark.parametrize(
    ("question", "content", "text"),
    [
        ("How long until the dentist?", "The dentist is on 4 December 2026.", "In 12 days, on 4 December 2026 [1]."),
        ("How many days are left until the flight?", "The flight is on 23 November 2026.", "Tomorrow, on 23 November 2026 [1]."),
        (
            "How long ago did we move in?",
            "We moved in on 5 September 2023.",
            "3 years and 2 months ago, on 5 September 2023 [1].",
        ),
        ("How long ago did the boiler break?", "The boiler broke on 16 November 2026.", "6 days ago, on 16 November 2026 [1]."),
        (
            "How long have I lived in York?",
            "I have lived in York since March 2021.",
            "About 5 years and 8 months, since March 2021 [1].",
        ),
        ("How old is Mara?", "Mara was born on 3 May 2019.", "7 years old: born on 3 May 2019 [1]."),
        ("How old is Joel?", "Joel was born on 3 March 2025.", "1 year and 8 months old: born on 3 March 2025 [1]."),
        (
            "How old is Marit?",
            "Tobias and Ines had a baby girl, Marit, on the 9th.",
            "2 months old: born on 9 September 2026 [1].",
        ),
        (
            "How old is Otis?",
            "Pip's twins are born: Otis and Fay, on 19 September 2026.",
            "2 months old: born on 19 September 2026 [1].",
        ),
        ("How long until Mara's birthday?", "Mara was born on 3 May 2019.", "In 162 days, on 3 May 2027 [1]."),
        ("How many days until Nora's birthday?", "Nora's birthday is on 3 December.", "In 11 days, on 3 December 2026 [1]."),
        ("How long until our anniversary?", "Our anniversary is on 22 November.", "Today, on 22 November 2026 [1]."),
        ("How long until Bim's birthday?", "Bim's birthday is on 29 February.", "In 464 days, on 29 February 2028 [1]."),
        ("How long ago was Nora's birthday?", "Nora's birthday is on 20 November.", "2 days ago, on 20 November 2026 [1]."),
        ("How long until Tom's birthday?", "Tom hat am 3. Juni Geburtstag.", "In 193 days, on 3 June 2027 [1]."),
    ],
)
def test_a_day_is_told_by_how_far_it_is(question: str, content: str, text: str) -> None:
    assert text_of(question, [atom(content, 1, "2026-10-01")]) == text


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("How old is Mara?", "Mara started school on 3 September 2025."),
        ("How old is Tobias?", "Tobias and Ines had a baby girl, Marit, on the 9th."),
        ("How old is Pip?", "Pip's twins are born: Otis and Fay, on 19 September 2026."),
        ("How old is Tom?", "Tom was born on 3 May."),
        ("How long until the dentist?", "The dentist was on 4 October 2026."),
        ("How long is the table?", "The table was bought on 4 October 2026."),
        ("How long ago did we move in?", "We moved in on 5 September 2023 and out on 1 May 2024."),
        ("How long may the house stand empty before cover is lost?", "The lease of the house ends on 11 February 2027."),
        ("When is the last payment taken?", "Payments: enquiries Mon to Fri, Wednesday from 10am."),
        ("How long do eggs keep?", "The eggs were laid on 4 October 2026."),
    ],
)
def test_no_distance_is_told_where_the_day_is_of_something_else(question: str, content: str) -> None:
    assert text_of(question, [atom(content, 1, "2026-10-01")]) is None


def test_whoever_asks_for_a_total_is_answered_with_it_and_its_parts() -> None:
    answer = recall_over(KITCHEN).answer(Query("What did the kitchen cost in all?"))
    assert answer.answer.startswith("In all 1,630 euros: ")
    assert {each.quote for each in answer.citations} == {each.content for each in KITCHEN[:3]}


def test_a_yearly_day_is_the_next_one_in_a_span_and_never_the_day_it_was_told() -> None:
    told = [
        atom("Nora's birthday is on 3 December.", 1, "2026-11-22"),
        atom("The dentist appointment is on 9 December 2026.", 2, "2026-11-22"),
    ]
    answer = recall_over(told).answer(Query("How many days between the dentist appointment and Nora's birthday?"))
    assert answer.answer.startswith("6 days: from 3 December 2026 [1] to 9 December 2026 [2]."), answer.answer


SWIMMING = [
    atom("Swimming with Finn, he did a width.", 1, "2026-02-21"),
    atom("Swimming with Finn and Maya.", 2, "2026-03-28"),
    atom("Swimming with Finn, he dived for a brick on 11 April 2026.", 3, "2026-04-12"),
    atom("Swimming gala of the school on 5 December 2026, Finn is in it.", 4, "2026-11-02", status="planned"),
    atom("Maya went swimming with the school.", 5, "2026-05-03"),
    atom("The water of the pool is changed every 90 days.", 6, "2026-06-01"),
]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When did I last go swimming with Finn?", "The last time that I know of: 11 April 2026 [1]."),
        ("When was the last time that I went swimming with Finn?", "The last time that I know of: 11 April 2026 [1]."),
        ("When was I first swimming with Finn?", "The first time that I know of: 21 February 2026 [1]."),
        ("When did Finn and I swim for the first time?", "The first time that I know of: 21 February 2026 [1]."),
        ("When did I last go to the opera?", None),
        ("When was the pool's water last changed?", None),
        ("When was the last day of the swimming course?", None),
    ],
)
def test_the_first_and_the_last_time_are_those_of_what_is_asked_about(question: str, text: str | None) -> None:
    assert text_of(question, SWIMMING) == text

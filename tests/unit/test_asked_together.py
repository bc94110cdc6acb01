"""Which questions ask for several things at once, and for what."""

from __future__ import annotations

import pytest
from lattice_common.language.questions.asked_together import Gathering, asked_together
from lattice_common.language.questions.matter import matter_of


@pytest.mark.parametrize(
    ("question", "sought"),
    [
        (
            "Who sold us the car, when and for how much?",
            ["Who sold us the car", "when sold us the car", "for how much sold us the car"],
        ),
        ("When and where do they marry?", ["When do they marry", "where do they marry"]),
        ("Where is the wedding and what should I wear?", ["Where is the wedding", "what should I wear (wedding)"]),
        ("What did Errol borrow and what is Ines allergic to?", ["What did Errol borrow", "what is Ines allergic to"]),
        ("Who has the drill and when do I get it back?", ["Who has the drill", "when do I get it back (drill)"]),
        ("Tell me who's my therapist and how much per visit", ["who's my therapist", "how much per visit (therapist)"]),
        ("Wo wohne ich und wie viel kostet es?", ["where live I", "how much cost it (live)"]),
    ],
)
def test_a_question_of_several_parts_is_sought_part_by_part(question: str, sought: list[str]) -> None:
    assert [part.text for part in asked_together(question).parts] == sought


@pytest.mark.parametrize(
    "question",
    [
        "Who is Anna and Ben's teacher?",
        "Where did I put the salt and pepper mills?",
        "What did we do, when we were snowed in?",
        "How long have I lived here?",
        "How long is the kitchen table?",
        "How often do I water the cactus?",
        "How many lessons do I have a week?",
        "How many times a week did I swim?",
        "What time is the film?",
        "",
    ],
)
def test_other_questions_ask_for_one_thing(question: str) -> None:
    together = asked_together(question)
    assert (together.gathering, together.parts, together.span) == (None, (), None)


@pytest.mark.parametrize(
    ("question", "gathering"),
    [
        ("What did the kitchen cost in all?", "total"),
        ("How much have I spent on books?", "total"),
        ("Wie viel hat das Dach insgesamt gekostet?", "total"),
        ("How many concerts were we at?", "count"),
        ("How often did I go running?", "count"),
        ("Which books did I read?", "list"),
        ("List the birthdays that I know.", "list"),
        ("What have I lent out?", "list"),
    ],
)
def test_totals_counts_and_lists_are_told_apart(question: str, gathering: Gathering) -> None:
    assert asked_together(question).gathering == gathering


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("How long between the move and the flood?", ("the move", "the flood", None)),
        ("How many days was it from the interview to my first day?", ("the interview", "my first day", None)),
        ("How many weeks after the operation did I ride again?", ("the operation", "I ride again", "weeks")),
        ("How long before the move did we buy the van?", ("we buy the van", "the move", None)),
        ("How long did I work at Veldhuis?", ("I work at Veldhuis", None, None)),
    ],
)
def test_a_span_has_two_ends_or_something_that_lasted(question: str, ends: tuple[str, str | None, str | None]) -> None:
    span = asked_together(question).span
    assert span is not None
    assert (span.first, span.second) == ends[:2]
    assert span.unit == (ends[2] or ("days" if "days" in question else None))


def test_what_is_asked_about_is_found_in_other_forms_of_its_words() -> None:
    swimming = matter_of("How often did I swim in the lido?")
    assert swimming is not None
    assert swimming.is_in("Swam twenty lengths in the lido.", whole=True)
    assert not swimming.is_in("The lido opens in May.", whole=True)


def test_words_beside_each_other_and_names_are_held_to() -> None:
    lessons = matter_of("How much did I pay for cello lessons from Ruben?")
    assert lessons is not None
    assert lessons.is_in("Cello lesson with Ruben, 42 euros.")
    assert not lessons.is_in("Rosin for the cello from Ruben, 11 euros.")
    assert not lessons.is_in("Cello lesson with Ada, 42 euros.")

"""What kind of thing is asked for, and whether a memory holds it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.language.questions.answer_type import AnswerType, answer_type, holds
from lattice_common.language.text import query_tokens
from recalled_store import atom, day


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When is my flight?", "time"),
        ("and when does the library close", "time"),
        ("At what time is the dentist?", "time"),
        ("Until when can I hand it in?", "time"),
        ("What day is the party?", "time"),
        ("How much was the parking ticket?", "number"),
        ("What did the repair cost?", "number"),
        ("what is Karin's phone number", "number"),
        ("How old is Wilma?", "span"),
        ("How long did the ferry take?", "span"),
        ("What is Simone's surname?", "name"),
        ("What is my neighbour called?", "name"),
        ("Who is my lawyer?", "name"),
        ("What did I say when I left?", None),
        ("How much do I like tea?", None),
        ("How many trips did we make?", None),
        ("How big is the flat?", None),
        ("What is the wifi password?", None),
        ("Who has the drill?", None),
        ("Where are the keys?", None),
        ("", None),
    ],
)
def test_the_words_of_a_question_say_what_kind_of_thing_it_asks_for(question: str, kind: str | None) -> None:
    assert answer_type(question) == kind


@pytest.mark.parametrize(
    ("question", "content", "there"),
    [
        ("When is my flight?", "I live in Lisbon.", False),
        ("When is my flight?", "The flight leaves at 7:40.", True),
        ("When does Emil swim?", "Emil has lessons on Tuesdays.", True),
        ("When is the wedding?", "Linnea may marry in Uppsala in August.", True),
        ("How much was the parking ticket?", "I got a parking ticket at the courthouse.", False),
        ("How much was the parking ticket?", "I got a parking ticket on 3 May 2026.", False),
        ("How much was the parking ticket?", "The parking ticket was forty euros.", True),
        ("How old is Alba?", "Alba was born on 3 January 2019.", True),
        ("How old is Alba?", "Alba likes the sea.", False),
        ("What is Simone's surname?", "Simone teaches chemistry on Monday.", False),
        ("What is the name of my sister?", "My sister Karin is a nurse.", True),
        ("What is the name of my sister?", "karin is my sister", True),
        ("Who is my lawyer?", "The lawyer wants the papers.", False),
        ("Who is my lawyer?", "My brother is my lawyer.", True),
        ("What is the dog called?", "The dog has no collar.", False),
        ("What is the cat's name?", "The cat is called miso.", True),
        ("When do they close?", "They close at dusk.", True),
        ("How much milk is in it?", "It takes a cup of milk.", True),
    ],
)
def test_a_memory_holds_such_a_thing_or_not(question: str, content: str, there: bool) -> None:
    kind = answer_type(question)
    assert kind is not None
    assert holds(atom(content, 1), kind, question, query_tokens(question)) is there


@pytest.mark.parametrize(
    ("question", "fields", "there"),
    [
        ("When did I plant the garlic?", {}, True),  # that very thing was told, on the day it was told
        ("When did I move the bed to the shed?", {}, False),
        ("When did I move the bed to the shed?", {"kind": "event"}, True),
        ("When did I move the bed to the shed?", {"speaker": "Marta"}, True),
        ("When is the garlic planted?", {"kind": "event"}, False),  # what is to come is not told by a day in the past
        ("When is the garlic planted?", {"valid_from": day("2026-10-01")}, True),
    ],
)
def test_the_day_something_was_said_tells_when_it_was_only_if_it_was_about_that(
    question: str, fields: dict[str, object], there: bool
) -> None:
    said = atom("I planted the garlic by the fence.", 1, **fields)
    assert holds(said, "time", question, query_tokens(question)) is there


@given(question=st.text(max_size=300), content=st.text(max_size=300))
def test_what_is_asked_for_is_seen_behind_any_text(question: str, content: str) -> None:
    told: dict[AnswerType, str] = {
        "time": "since yesterday",
        "number": "for 42 euros",
        "span": "for two weeks",
        "name": "is called Ada",
    }
    for kind, words in told.items():
        assert holds(atom(f"{content} {words}", 1), kind, question, query_tokens(question))
    assert answer_type(question) in (None, "time", "number", "span", "name")

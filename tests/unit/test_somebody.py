"""The one person or animal that a question is about, and statements about others."""

from __future__ import annotations

import pytest
from lattice_common.language.people import Register
from lattice_common.language.people.somebody import is_about_others, somebody_in
from lattice_common.language.people.tie import Tie, ties_by

from tests.unit.test_who import atom

KNOWN = (
    "My sister Paloma is a nurse.",
    "Jonas is my flatmate.",
    "We adopted a greyhound and named her Biscuit.",
    "My mum is called Helen.",
    "I work at Siemens.",
)


def register() -> Register:
    found = Register()
    for number, content in enumerate(KNOWN, start=1):
        found.put(f"atom{number}", float(number), ties_by(atom(content, number)))
    found.publish()
    return found


def never(atom_id: str) -> float | None:
    return None


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Where does Paloma live?", "Jonas moved in with his girlfriend in Bristol."),
        ("Where does Paloma live?", "Mum moved into a bungalow."),
        ("Where does my sister live?", "Helped Jonas move to Bristol."),
        ("When is Paloma's birthday?", "Picked up a puppy! Her name's Biscuit and she was born on 2 April."),
        ("Where does mum live?", "Jonas moved to Bristol."),
        ("Where does mum live?", "His name is Jonas, he lives in Bristol."),
        ("How old is Biscuit?", "Paloma is 34."),
    ],
)
def test_a_statement_that_names_only_others_is_about_others(question: str, statement: str) -> None:
    known = register()
    somebody = somebody_in(question, known, never)
    assert somebody is not None
    assert is_about_others(statement, somebody, known, never)


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Where does Paloma live?", "My sister moved to Bristol."),
        ("Where does my sister live?", "Paloma moved to Bristol."),
        ("Where does Paloma live?", "Her new flat is near Jonas in Bristol."),
        ("Where does Paloma live?", "Moved the boxes to the flat in Bristol."),
        ("Where does Paloma live?", "Siemens is in Munich."),
        ("Where does mum live?", "Helen moved to Bristol."),
        ("Where do my parents live?", "Mum moved to Bristol."),
        ("How old is Biscuit?", "The dog is two, says Jonas."),
    ],
)
def test_a_statement_about_them_or_about_nobody_is_not(question: str, statement: str) -> None:
    known = register()
    somebody = somebody_in(question, known, never)
    assert somebody is not None
    assert not is_about_others(statement, somebody, known, never)


@pytest.mark.parametrize(
    "question",
    ["Where do Paloma and Jonas live?", "Where do I live?", "Where is Siemens?", "Where is Zoe?", "Who walks Biscuit?"],
)
def test_a_question_about_several_about_nobody_and_about_strangers_is_about_no_one(question: str) -> None:
    assert somebody_in(question, register(), never) is None


def test_another_name_is_theirs_as_well() -> None:
    known = register()
    known.put("corrected", 9.0, (Tie("Paloma", "same", other="Loma"),))
    known.publish()
    somebody = somebody_in("Where does Loma live?", known, never)
    assert somebody is not None
    assert not is_about_others("Paloma moved to Bristol.", somebody, known, never)

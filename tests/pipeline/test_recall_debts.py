"""What somebody owes, reckoned from what was lent, borrowed and paid back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query, Selected
from lattice_common.language.text import query_tokens
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.reckoned import reckoned
from recalled_store import atom, day

TODAY = day("2026-11-22")
JUDE = [
    atom("Lent Jude 300 euros for the van.", 1),
    atom("Jude paid me back 120 euros.", 2),
    atom("Jude gave me another 40 of what he owes.", 3),
]
MIRA = [
    atom("Mira paid for the tickets, 64 pounds, I'll give it back on Friday.", 4, status="planned"),
    atom("Gave Mira 20 pounds for the tickets.", 5),
]


def answered(question: str, atoms: Sequence[Atom]) -> str | None:
    pool = [Selected(each, 1.0) for each in atoms]
    asked = Question(Query(question), question, tokens=tuple(query_tokens(question)))
    made = reckoned(asked, [], pool, TODAY)
    return made.text if made else None


@pytest.mark.parametrize(
    "question",
    [
        "How much does Jude still owe me?",
        "Does Jude owe me anything?",
        "What does Jude owe us?",
        "Wie viel schuldet mir Jude noch?",
    ],
)
def test_a_debt_is_what_was_lent_less_what_was_paid_back(question: str) -> None:
    assert answered(question, [*MIRA, *reversed(JUDE)]) == "Jude owes you 140 euros: 300 [1] − 120 [2] − 40 [3]."


def test_what_the_owner_owes_counts_what_somebody_paid_for_them() -> None:
    assert answered("What do I still owe Mira?", [*JUDE, *MIRA]) == "You owe Mira 44 pounds: 64 [1] − 20 [2]."
    borrowed = [atom("Borrowed 15 pounds from my brother for the taxi.", 1)]
    assert answered("How much do I owe my brother?", borrowed) == "You owe your brother 15 pounds [1]."


def test_what_was_paid_back_without_a_sum_settles_the_debt() -> None:
    paid = [atom("I owe Nadia 35 pounds for the flowers.", 1, is_superseded=True), atom("Paid Nadia back for the flowers.", 2)]
    assert answered("How much do I still owe Nadia?", paid) == "You owe Nadia nothing any more: 35 [1] − all of it [2]."


def test_what_is_said_to_be_left_is_the_debt() -> None:
    left = [*JUDE, atom("Jude still owes me 100 euros.", 6)]
    assert answered("How much does Jude owe me?", left) == "Jude owes you 100 euros [1]."


def test_all_who_owe_something_are_named() -> None:
    others = [
        atom("I lent my brother 50 euros.", 7),
        atom("My brother gave me the 50 euros back.", 8),
        atom("Ida owes me 8 euros.", 9),
    ]
    assert (
        answered("Who owes me money?", [*JUDE, *MIRA, *others])
        == "Jude owes you 140 euros: 300 [1] − 120 [2] − 40 [3]. Ida owes you 8 euros [4]."
    )


def test_what_was_paid_back_is_told() -> None:
    assert answered("How much has Jude paid back so far?", JUDE) == "Jude has paid back 160 euros: 120 [1] + 40 [2]."


def test_other_money_is_named_and_not_counted() -> None:
    bike = atom("Jude paid me 90 euros when he collected the bicycle.", 6)
    text = answered("How much does Jude still owe me?", [*JUDE, bike])
    assert text == "Jude owes you 140 euros: 300 [1] − 120 [2] − 40 [3]. Not counted: [4]."


@pytest.mark.parametrize(
    ("question", "atoms"),
    [
        ("How much does Ida owe me?", JUDE),
        ("What do I owe Jude?", JUDE),
        ("How much does Jude owe me?", [JUDE[0], atom("Jude paid me back 400 euros.", 5)]),
        ("How much does Jude owe me?", [JUDE[0], atom("Jude paid back 20 dollars.", 5)]),
        ("How much does Jude owe me?", [atom("Lent Jude 20 or 30 euros, and 5 euros for the bus.", 5)]),
        ("How much does Jude owe me?", [atom("Lent Jude our tall ladder.", 5)]),
        ("How much does Jude owe me?", [atom("Jude may owe me 20 euros.", 5, status="supposed")]),
        ("What does Jude owe his success to?", JUDE),
    ],
)
def test_in_doubt_nothing_is_computed(question: str, atoms: Sequence[Atom]) -> None:
    assert answered(question, atoms) is None

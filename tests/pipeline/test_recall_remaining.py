"""What is left of something, without a language model: what there was, less what was taken from it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query, Selected
from lattice_common.language.questions.asked_together import asked_together
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.reckoned import reckoned
from lattice_common.recall.synthesize.remaining import not_of_another
from recalled_store import atom, day

TODAY = day("2026-11-22")
OF_HONEY = [
    atom("There are 24 jars of honey in the pantry.", 1),
    atom("Sold six jars of honey to the baker.", 2),
    atom("Made 10 jars of plum chutney.", 3),
    atom("Gave Mum one of the jars of honey and 2 jars to Ines.", 4),
    atom("Sold 4 jars of chutney at the fair.", 5),
]


def left(question: str, atoms: Sequence[Atom]) -> str | None:
    found = [Selected(each, 1.0) for each in atoms]
    made = reckoned(Question(Query(question), question), found[:3], found, TODAY)
    return made.text if made else None


def test_what_was_taken_is_taken_from_what_there_was() -> None:
    assert left("How many jars of honey are left?", OF_HONEY) == "15 left: 24 [1] − 6 [2] − 3 [3]."
    assert left("How many jars of honey do I still have?", OF_HONEY[::-1]) == "15 left: 24 [1] − 6 [2] − 3 [3]."
    assert left("How many jars of chutney have we got left?", OF_HONEY) == "6 left: 10 [1] − 4 [2]."


def test_a_later_count_begins_anew_and_more_is_added() -> None:
    tiles = [
        atom("Bought 60 tiles for the bathroom.", 1),
        atom("Used 22 tiles on the wall, 38 left.", 2),
        atom("Broke three tiles.", 3),
        atom("Got another 10 tiles from Leroy.", 4),
    ]
    assert left("How many tiles are left?", tiles) == "45 left: 38 [1] − 3 [2] + 10 [3]."


def test_an_amount_is_reckoned_in_the_unit_in_which_it_came() -> None:
    flour = [
        atom("Bought 5 kg of flour for 6 euros.", 1),
        atom("Used 1.5 kilos of flour for the loaves.", 2),
        atom("Used half a kilo of flour for the pancakes.", 3),
    ]
    assert left("How much flour is left?", flour) == "3 left: 5 [1] − 1.5 [2] − 0.5 [3]."


def test_a_statement_that_names_nothing_else_counts_where_there_is_one_such_stock() -> None:
    wool = [atom("Bought 20 skeins of wool.", 1), atom("Used 7 skeins on the blue rug.", 2)]
    assert left("How many skeins of wool remain?", wool) == "13 left: 20 [1] − 7 [2]."
    assert left("How many skeins of wool remain?", [*wool, atom("Bought 5 skeins of silk.", 3)]) is None


@pytest.mark.parametrize(
    ("question", "atoms"),
    [
        ("How many jars of honey are left?", [OF_HONEY[0]]),
        ("How many jars of jam are left?", OF_HONEY),
        ("How many jars of honey are left?", [OF_HONEY[0], atom("Sold 30 jars of honey.", 2)]),
        ("How much flour is left?", [atom("Bought 2 bags of flour.", 1), atom("Used 1 kilo of flour.", 2)]),
        ("How many days are left until Easter?", OF_HONEY),
    ],
)
def test_in_doubt_nothing_is_computed(question: str, atoms: Sequence[Atom]) -> None:
    assert left(question, atoms) is None


def test_what_is_told_of_another_stock_does_not_answer() -> None:
    stock = asked_together("How many jars of jam are left?").stock
    assert stock is not None
    note = atom("The jam is in the cellar.", 6)
    assert not_of_another(stock, [Selected(each, 1.0) for each in (*OF_HONEY, note)]) == [Selected(note, 1.0)]

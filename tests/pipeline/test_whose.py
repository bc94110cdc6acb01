"""Whose it is: an answer never gives one person's value for another's. With the packaged models, through the product."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.composition import Embedded
from lattice_common.domain.atom import Relation
from lattice_common.domain.recall import Query
from recalled_store import atom, recall_over

from tests.pipeline.test_not_known import told

TOLD = (
    "My wife is Ifeoma.",
    "Our son Kelechi goes to the school by the river.",
    "My shoe size is 45.",
    "Mum lives in Enugu with aunt Ngozi.",
    "The new boss is a woman called Filipa.",
    "Kelechi's teacher is Senhora Pinto.",
    "Mum's birthday is 4 September, she'll be 70.",
)


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    with told(tmp_path_factory.mktemp("whose"), TOLD) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("What's Kelechi's shoe size?", "45"),
        ("Where do I live?", "Enugu"),
        ("Who is our landlady?", "Filipa"),
        ("Who is our landlady?", "Pinto"),
    ],
)
def test_what_is_somebody_elses_is_not_the_answer(product: Embedded, question: str, never: str) -> None:
    answer = product.lattice.answer(Query(question))
    assert not answer.answered or never not in answer.answer


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What's my shoe size?", "45"),
        ("Where does my mother live?", "Enugu"),
        ("Who is my boss?", "Filipa"),
        ("Who is Kelechi's teacher?", "Pinto"),
        ("How old will mum be?", "70"),
    ],
)
def test_whose_it_is_is_answered(product: Embedded, question: str, said: str) -> None:
    answer = product.lattice.answer(Query(question))
    assert answer.answered
    assert said in answer.answer


def test_what_is_of_others_is_still_found_behind_the_rest(product: Embedded) -> None:
    found = [each.atom.content for each in product.lattice.select(Query("What's Kelechi's shoe size?")).atoms]
    assert "My shoe size is 45." in found
    assert found.index("My shoe size is 45.") > found.index("Our son Kelechi goes to the school by the river.")


def test_what_may_have_ended_something_of_somebody_is_of_the_same_whatever_its_words() -> None:
    works = atom("My son Tom works at the mill.", 1, "2026-01-01")
    hired = atom("Anna hired him for the bakery.", 2, "2026-02-01", relations=(Relation("may_update", works.atom_id),))
    others = [atom("My sister Anna lives in York.", 3, "2026-01-01"), atom("Tom works hard.", 4, "2026-01-01")]
    assert recall_over([works, hired, *others]).select(Query("Where does Tom work?")).atoms[0].atom == hired


@pytest.mark.parametrize(
    "message",
    [
        "From: Sarah\nI've moved to Bath last week, I work at Fabrikam now.",
        "Text from Mum:\nI live in Bath now and work at Fabrikam.",
        "Sarah: I live in Bath now, I work at Fabrikam\nme: congrats!",
        "> I live in Bath now and work at Fabrikam.\nGreat news, must visit.",
        '"I live in Bath now and work at Fabrikam." - Sarah',
    ],
)
def test_what_a_pasted_message_says_of_its_sender_ends_nothing_of_the_owners(message: str, tmp_path: Path) -> None:
    with told(tmp_path, ("I live in Bristol.", "I work at Contoso.", message)) as opened:
        held = {each.content: each.is_superseded for each in opened.stores.catalogue.all()}
        assert not held["I live in Bristol."]
        assert not held["I work at Contoso."]
        assert "Bristol" in opened.lattice.answer(Query("Where do I live?")).answer

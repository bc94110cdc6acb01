"""Exact identifiers in a sentence, and rare words: what stands in few memories as it was asked for is found first."""

from __future__ import annotations

import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition import Model
from lattice_common.domain.recall import Query
from lattice_common.recall.pipeline import Recall
from lattice_common.recall.rarity import is_identifier
from recalled_store import atom, recall_over

STREETS = ("Alder Road", "Mill Lane", "Quay Street", "Garden Row", "Tower Hill")
BOILERS = [
    atom(f"The boiler in flat {at % 60 + 1}, {STREETS[at % 5]}, has serial K{584_329_000 + 7919 * at}.", at) for at in range(300)
]


@pytest.fixture(scope="module", params=[Model(HashedEmbedder()), Model(None)], ids=["with meaning", "no model"])
def boilers(request: pytest.FixtureRequest) -> Recall:
    return recall_over(BOILERS, model=request.param)


@pytest.mark.parametrize(
    "question", ["Which boiler has serial {}?", "Do you know where the one with the number {} stands?", "{}", "what is {} again"]
)
def test_an_exact_identifier_within_a_sentence_is_found_first_among_300_alike(boilers: Recall, question: str) -> None:
    for at in range(0, 300, 9):
        asked = question.format(f"K{584_329_000 + 7919 * at}")
        assert boilers.select(Query(asked)).atoms[0].atom.seq == at, asked


def test_the_digits_of_an_identifier_are_enough() -> None:
    assert recall_over(BOILERS).select(Query("Whose boiler is number 584329000?")).atoms[0].atom.seq == 0


def test_an_identifier_is_explained() -> None:
    signals = recall_over(BOILERS).select(Query("Which boiler has serial K584329000?", explain=True)).atoms[0].signals
    assert signals["exact"].value == 1.0
    assert signals["exact"].contribution > 0


def test_an_identifier_that_many_memories_have_lifts_none_of_them() -> None:
    talked_of = [atom(f"Drove the BX42911 to {place} and back.", 400 + at) for at, place in enumerate(STREETS * 6)]
    signals = recall_over([*BOILERS, *talked_of]).select(Query("Where is the BX42911 parked?", explain=True)).atoms[0].signals
    assert signals["exact"].value == 0.0


@pytest.mark.parametrize("token", ["k584329160", "dx-7714-b", "qx7l99", "13250388412", "192.168.178.21", "de8937040044"])
def test_letters_with_digits_and_long_numbers_are_identifiers(token: str) -> None:
    assert is_identifier(token)


@pytest.mark.parametrize("token", ["2024", "1990s", "21st", "10am", "250g", "10:30", "12/05/2024", "boiler", "845", "4b"])
def test_years_times_quantities_and_words_are_no_identifiers(token: str) -> None:
    assert not is_identifier(token)

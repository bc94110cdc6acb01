"""English as it is typed on a phone is read as it is written; other languages stay as they are."""

from __future__ import annotations

import pytest
from lattice_common.language.sentences.respelling import respelled


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("im left handed and i cant eat shellfish", "I'm left handed and I can't eat shellfish"),
        ("we dont live in reading anymore, were in slough now", "we don't live in reading anymore, we're in slough now"),
        ("im vegan", "I'm vegan"),
        ("its his son tariq", "it's his son tariq"),
        ("id love a dog, ill be back at 5", "I'd love a dog, I'll be back at 5"),
        ("Dont forget, shes ill", "Don't forget, she's ill"),
        ("whos our landlord", "who's our landlord"),
        ("no im not, i said so", "no I'm not, I said so"),
    ],
)
def test_what_is_left_out_is_put_back(typed: str, written: str) -> None:
    assert respelled(typed) == written


@pytest.mark.parametrize(
    "text",
    [
        "the dog lost its collar",
        "they were in slough",
        "my id is 4711",
        "the bill is ill",
        "part i) and see i.e. this",
        "clause i of the lease applies, i, ii and iii are done",
        "let i be the index",
        "im Garten ist es warm",
        "wir sind im haus",
        "im park",
        "L'homme dont je parle",
        "i bambini sono a scuola",
        "I'm here, and I can't go",
    ],
)
def test_what_is_written_so_stays(text: str) -> None:
    assert respelled(text) == text

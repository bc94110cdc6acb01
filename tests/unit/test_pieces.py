"""The pieces of a statement that may be meant in different ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.domain.atom import Span
from lattice_common.language.sentences.pieces import pieces


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I live in Leeds.", ["I live in Leeds."]),
        ("Had the interview today. It went like the Titanic.", ["Had the interview today.", "It went like the Titanic."]),
        (
            "The gala was meant to be Saturday, it's been called off.",
            ["The gala was meant to be Saturday", "it's been called off."],
        ),
        ("Nadia wants a veg box but has ordered none.", ["Nadia wants a veg box", "has ordered none."]),
        ("She is 88 and deaf to exactly one topic.", ["She is 88", "deaf to exactly one topic."]),
        ("She turns 88 and is deaf to one topic.", ["She turns 88", "is deaf to one topic."]),
        (
            "The prize goes to Len, who waters it with gin and hymns.",
            ["The prize goes to Len", "who waters it with gin and hymns."],
        ),
        ("We get five eggs a day, I think.", ["We get five eggs a day, I think."]),
        ("My brother, who lives in Ghent, is a vet.", ["My brother, who lives in Ghent, is a vet."]),
        ("Nele says her landlord, Mr Quist, has found a buyer.", ["Nele says her landlord, Mr Quist, has found a buyer."]),
        ("Ustaya göre kombi on yıl gider, ama dün yine söndü.", ["Ustaya göre kombi on yıl gider", "dün yine söndü."]),
        ("It broke on Monday so we cook outside.", ["It broke on Monday", "so we cook outside."]),
        ("Bread, milk, eggs.", ["Bread, milk, eggs."]),
        ("I've got a bus pass and a pair of knackered Vans.", ["I've got a bus pass and a pair of knackered Vans."]),
        ("Had the move gone ahead, I would be in Hull.", ["Had the move gone ahead, I would be in Hull."]),
        (
            "Car serviced at Kwik Fit, £189, they said the pads will need doing.",
            ["Car serviced at Kwik Fit, £189", "they said the pads will need doing."],
        ),
        ("Worktop is going to be oak, not quartz. £900 cheaper.", ["Worktop is going to be oak, not quartz. £900 cheaper."]),
        ("Tried the Rioja (the Baron de Ley). Bit thin.", ["Tried the Rioja (the Baron de Ley). Bit thin."]),
        ("We liked that green (Farrow & B, Calke) but went off it.", ["We liked that green (Farrow & B, Calke)", "went off it."]),
        ("He's never said so himself and Pam makes things up.", ["He's never said so himself", "Pam makes things up."]),
        ("Chefin (Frau Brandl) meint, ich krieg mehr.", ["Chefin (Frau Brandl) meint, ich krieg mehr."]),
        ("She's gone vegan, or says she has.", ["She's gone vegan, or says she has."]),
        ("Did the vet ring? No. We rang them.", ["Did the vet ring? No.", "We rang them."]),
        ("Garlic is up at last (planted in wet October).", ["Garlic is up at last", "(planted in wet October)."]),
    ],
)
def test_commas_dashes_brackets_and_small_words_set_pieces_apart(text: str, found: list[str]) -> None:
    assert [text[piece.start : piece.end] for piece in pieces(text, Span(0, len(text)))] == found


@given(st.text(alphabet="ab ,;.-—(\nbut", max_size=200))
def test_pieces_are_in_order_and_leave_out_nothing_but_what_joins_them(text: str) -> None:
    found = pieces(text, Span(0, len(text)))
    at = 0
    for piece in found:
        assert at <= piece.start < piece.end <= len(text)
        assert not set(text[at : piece.start].replace("but", "")) - set(" ,;-—\n")
        at = piece.end
    assert not text[at:].strip()

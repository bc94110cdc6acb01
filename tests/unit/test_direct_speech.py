"""What others say of themselves in the first person is theirs, and ends nothing that is so of the owner."""

from __future__ import annotations

import pytest
from lattice_common.language.facts.direct_speech import EXAMPLES, LONGEST, is_of_another


@pytest.mark.parametrize(("sentence", "quote", "is_anothers"), EXAMPLES)
def test_each_example_is_read_as_it_is_meant(sentence: str, quote: str, is_anothers: bool) -> None:
    assert is_of_another(sentence, quote) is is_anothers


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("I live in Paris now.", "I live in Paris now"),
        ("My number is 0117 496 7777.", "My number is 0117 496 7777"),
        ("Diary: we moved to Paris.", "we moved to Paris"),
        ('We\'re singing "My Way" on Friday.', "We're singing"),
        ("Mum: operation on 3 March.", "operation on 3 March"),
        ("Kim said that the bakery has closed.", "the bakery has closed"),
        ("not in the sentence", "somewhere else"),
    ],
)
def test_the_owners_own_words_stay_the_owners(sentence: str, quote: str) -> None:
    assert not is_of_another(sentence, quote)


def test_long_rows_of_marks_take_no_time() -> None:
    for mark in ('"', "'", "„", "«", "a: "):
        assert not is_of_another(mark * (4 * LONGEST), "I live in Paris")
        assert is_of_another(f"{mark * 3 * LONGEST}I live here", "I live here") is False

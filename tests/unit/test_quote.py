"""Finding quotes."""

from __future__ import annotations

import unicodedata

import pytest
from lattice_common.domain.quote import locate


def found(quote: str, text: str, near: int | None = None) -> str | None:
    span = locate(quote, text, near=near)
    return text[span.start : span.end] if span else None


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("tea", "I like tea.", "tea"),
        (" tea ", "I like tea.", "tea"),
        ("I LIKE TEA", "so, i like tea.", "i like tea"),
        ("I like tea", "I  like\n\ttea.", "I  like\n\ttea"),
        ("it's \"fine\"", "But it’s “fine”, really", "it’s “fine”"),
        ("Berlin - Kreuzberg", "in Berlin – Kreuzberg.", "Berlin – Kreuzberg"),
        ("office", "my oﬃce is", "oﬃce"),
        ("Straße", "die STRASSE dort", "STRASSE"),
        ("1234", "code 12\u200b34.", "12\u200b34"),
        (unicodedata.normalize("NFC", "Café"), unicodedata.normalize("NFD", "the Café there"),
        unicodedata.normalize("NFD", "Café")),
        (unicodedata.normalize("NFD", "Café"), unicodedata.normalize("NFC", "the Café there"),
        unicodedata.normalize("NFC", "Café")),
    ],
)  # fmt: skip
def test_a_quote_is_found_but_for_case_spaces_and_marks(quote: str, text: str, expected: str) -> None:
    assert found(quote, text) == expected


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("tea with honey", "tea and honey"),
        ("coffee", "I like tea"),
        ("", "text"),
        ("   ", "a b"),
        ("\u200b", "text"),
        ("teas", "tea"),
        ("a b", "ab"),
    ],
)
def test_words_that_overlap_are_not_a_quote(quote: str, text: str) -> None:
    assert locate(quote, text) is None


def test_of_several_places_the_nearest_is_taken() -> None:
    text = "tea, tea, tea"
    starts = [span.start for near in (0, 4, 6, 99) if (span := locate("tea", text, near=near))]
    assert starts == [0, 5, 5, 10]
    folded_starts = [span.start for near in (0, 4, 99) if (span := locate("TEA", text, near=near))]
    assert folded_starts == [0, 5, 10]

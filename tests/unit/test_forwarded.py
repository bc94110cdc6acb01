"""A message of somebody else's, pasted below a line with the name, is that person's."""

from __future__ import annotations

import pytest
from lattice_common.language.facts.forwarded import EXAMPLES, forwarded


@pytest.mark.parametrize(("text", "whose"), EXAMPLES)
def test_each_example_is_of_whom_it_names(text: str, whose: tuple[str, str] | None) -> None:
    found = forwarded(text)
    assert (found and (found.who, text[found.start : found.end])) == whose


@pytest.mark.parametrize(
    "text",
    [
        "From: Sarah\n",
        "From: Sarah",
        "From: London\nI flew to Nice.",
        "I live in Hull now.",
        "Letter from Dad\nHe wants to sell the house.",
        "Note to self:\nI live in Hull now.",
        "We told Kim:\nwe are moving.",
        "",
        " \n ",
    ],
)
def test_the_owners_own_words_stay_the_owners(text: str) -> None:
    assert forwarded(text) is None


def test_long_texts_take_no_time() -> None:
    for text in ("from: " * 50_000, "From: Sarah\n" * 20_000, "a" * 200_000 + " wrote:\nx", "> \n" * 50_000):
        forwarded(text)

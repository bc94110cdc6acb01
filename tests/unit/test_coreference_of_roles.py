"""A name and what its bearer is to somebody are one person, whichever comes first."""

from __future__ import annotations

import pytest
from lattice_common.language.people.coreference import candidates, resolve_pronouns


@pytest.mark.parametrize(
    ("before", "text", "told"),
    [
        ("Anna is my best friend", "she lives in Leeds with her boyfriend Mark.", "Anna lives in Leeds with her boyfriend Mark."),
        ("My best friend is Neha", "she lives in Leeds.", "Neha lives in Leeds."),
        ("Tom's our landlord", "he lives upstairs.", "Tom lives upstairs."),
        ("Ines is now my boss", "she starts in May.", "Ines starts in May."),
    ],
)
def test_a_pronoun_stands_for_the_name(before: str, text: str, told: str) -> None:
    assert resolve_pronouns(text, [before]).text == told


def test_of_two_people_of_one_sort_neither_is_chosen() -> None:
    assert resolve_pronouns("she lives in Leeds.", ["Anna is my sister and Ines is my boss"]).unclear == ("she",)


def test_a_role_of_two_words_is_read_whole_in_every_run() -> None:
    assert [each.words for each in candidates("I met my twin brother")] == ["my twin brother"]

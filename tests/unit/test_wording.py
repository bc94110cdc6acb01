"""How a statement reads as a sentence of its own."""

from __future__ import annotations

import pytest
from lattice_common.language.sentences.wording import with_capital


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("the window cleaner comes every six weeks.", "The window cleaner comes every six weeks."),
        ("so is your dad.", "So is your dad."),
        ("your aunt has the key.", "Your aunt has the key."),
        ("The key is with Ines.", "The key is with Ines."),
        ("kestrel-42 is the password.", "kestrel-42 is the password."),
        ("lena@x.example is her address.", "lena@x.example is her address."),
        ("iPads are in the drawer.", "iPads are in the drawer."),
        ("", ""),
    ],
)
def test_a_sentence_that_was_said_within_another_gets_a_capital_and_what_may_be_a_name_does_not(said: str, told: str) -> None:
    assert with_capital(said) == told

"""Which items of a list are facts by themselves."""

from __future__ import annotations

import pytest
from lattice_common.language.sentences.items import is_a_fact


@pytest.mark.parametrize(
    "item",
    [
        "- Band: The Kettles",
        "- paid the roofer 1,150",
        "- ran 8k along the canal",
        "* called the vet about Milo",
        "2. saw Ben at the lock",
        "- Jo's new number 07700 900777",
        "- the gate is locked",
    ],
)
def test_what_says_something_is_a_fact(item: str) -> None:
    assert is_a_fact(item)


@pytest.mark.parametrize(
    "item",
    [
        "- tent",
        "- two stoves",
        "- chopped onions and garlic",
        "- lost keys poster",
        "- left shoe size",
        "- Jo's birthday",
        "- call mum",
    ],
)
def test_what_names_a_thing_goes_with_the_others(item: str) -> None:
    assert not is_a_fact(item)

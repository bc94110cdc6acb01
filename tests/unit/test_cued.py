"""What is passed by for want of a cue could not have matched."""

from __future__ import annotations

import re
import string
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lattice_common.domain import slot_clause
from lattice_common.domain.cued import Cued, cues_in
from lattice_common.domain.date_phrases import CUE, PHRASE, may_name_a_time
from lattice_common.domain.dates import resolve
from lattice_common.ingest.extract import kinds

_CUED = [(name, found) for name, found in vars(slot_clause).items() if isinstance(found, Cued)] + [
    (f"{kind}-{number}", rule) for number, (kind, rule) in enumerate(kinds._RULES)
]
_ASCII = st.characters(codec="ascii")


@pytest.mark.parametrize("cued", [pytest.param(found, id=name) for name, found in _CUED])
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_whatever_a_pattern_matches_holds_one_of_its_cues(cued: Cued, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(cued.pattern, alphabet=_ASCII))
    assert cued.found(text, cues_in(text))


def test_a_text_without_a_cue_is_not_searched_and_one_that_is_not_ascii_always() -> None:
    cued = Cued(re.compile("moon", re.IGNORECASE), ["moon"])
    assert cued.found("The Moon", cues_in("The Moon"))
    assert not cued.found("moonlight", cues_in("moonlight"))
    assert cued.found("moonlight – café", cues_in("moonlight – café"))


@settings(max_examples=150, deadline=None)
@given(text=st.from_regex(PHRASE, alphabet=_ASCII))
def test_whatever_names_a_time_is_tried_where_the_cue_is_there(text: str) -> None:
    assert may_name_a_time(text) == bool(CUE.search(text))


_WORDS = st.sampled_from(
    """in the last this next past two a few some couple of ago back earlier from now on for within over during day days night
    week weeks weekend months year decades morning afternoon evening Monday friday mon may March sept spring summer fall winter
    today tomorrow yesterday tmrw morgen gestern heute hier oggi letzten Woche nächsten Monat 3 3rd 2023 at 10 since until by
    they went home and will come""".split()  # noqa: SIM905 - a list of quoted words reads worse
)


@settings(max_examples=150, deadline=None)
@given(words=st.lists(_WORDS, max_size=7), joint=st.sampled_from([" ", " ", "-", ", "]))
def test_a_sentence_that_is_passed_by_names_no_time(words: list[str], joint: str) -> None:
    text = joint.join(words)
    if not may_name_a_time(text):
        assert not resolve(text, datetime(2026, 3, 4, tzinfo=UTC))
        assert not (CUE.search(text) and PHRASE.search(text))


def test_every_letter_of_a_cue_is_one_that_words_are_made_of() -> None:
    for _, cued in _CUED:
        assert all(set(cue) <= set(string.ascii_lowercase) for cue in cued.cues or ())


def test_a_long_run_of_adverbs_is_read_in_one_way_only() -> None:
    """Read in every way it can be divided up, sixty of them would take longer than the universe has been there."""
    for adverb in ("really ", "have ", "have always ", "'ve "):
        assert not [kind for kind, rule in kinds._RULES if kind != "habit" and rule.pattern.search(f"i {adverb * 60}x.")]

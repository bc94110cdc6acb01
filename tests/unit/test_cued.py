"""What is passed by for want of a cue could not have matched."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lattice_common.language.cued import Cued, cues_in
from lattice_common.language.dates.phrases import CUE, PHRASE
from lattice_common.language.dates.search import phrases_in
from lattice_common.language.facts import kinds, subjects
from lattice_common.language.slots import clause

_CUED = [(name, found) for name, found in vars(clause).items() if isinstance(found, Cued)] + [
    (f"{kind}-{number}", rule) for number, (kind, rule) in enumerate(kinds.RULES)
]
_CUED += [(f"subject-{slot}", rule) for slot, rule in subjects.SLOTS]


def _matches_of(lazy: re.Pattern[str]) -> st.SearchStrategy[str]:
    """Return a strategy for texts in which a pattern matches; Hypothesis takes compiled ones only."""
    return st.from_regex(re.compile(lazy.pattern, lazy.flags), alphabet=st.characters(codec="ascii"))


@pytest.mark.parametrize("cued", [pytest.param(found, id=name) for name, found in _CUED])
@given(data=st.data())
def test_whatever_a_pattern_matches_holds_one_of_its_cues(cued: Cued, data: st.DataObject) -> None:
    text = data.draw(_matches_of(cued.pattern))
    assert cued.found(text, cues_in(text))


def test_a_text_without_a_cue_is_not_searched_and_one_that_is_not_ascii_always() -> None:
    cued = Cued(re.compile("moon", re.IGNORECASE), ["moon"])
    assert cued.found("The Moon", cues_in("The Moon"))
    assert not cued.found("moonlight", cues_in("moonlight"))
    assert cued.found("moonlight – café", cues_in("moonlight – café"))


def _same_phrases(text: str) -> bool:
    every = [match.span() for match in PHRASE.finditer(text)] if CUE.search(text) else []
    return [match.span() for match in phrases_in(text)] == every


@given(before=st.sampled_from(["", " ", "then ", "no: ", "x-", "(", ", "]), text=_matches_of(PHRASE))
@example(before="", text="prossimo lundi")
def test_every_phrase_that_names_a_time_is_tried_where_it_begins(before: str, text: str) -> None:
    assert _same_phrases(before + text)


_WORDS = st.sampled_from(
    """in the last this next past two a few some couple of ago back earlier from now on for within over during day days night
    week weeks weekend months year decades morning afternoon evening Monday friday mon may March sept spring summer fall winter
    today tomorrow yesterday tmrw morgen gestern heute hier oggi letzten Woche nächsten Monat 3 3rd 2023 at 10 since until by
    they went home and will come""".split()  # noqa: SIM905 - a list of quoted words reads worse
)


@given(words=st.lists(_WORDS, max_size=9), joint=st.sampled_from([" ", "  ", "-", ", ", "_"]), title=st.booleans())
def test_the_same_times_are_found_as_by_trying_every_place(words: list[str], joint: str, title: bool) -> None:
    text = joint.join(words)
    assert _same_phrases(text.title() if title else text)

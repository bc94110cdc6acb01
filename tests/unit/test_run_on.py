"""Sentences that follow one another without a mark between them."""

from __future__ import annotations

import time

import pytest
from lattice_common.language.sentences.split import sentences


def cut(text: str) -> list[str]:
    return [text[each.start : each.end] for each in sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        "my new manager is called Farouk | he started on Monday | he used to be at Siemens",
        "I've decided I'm not doing the marathon this year | my knee is just not ready | maybe the half",
        "i fixed the shelf for Gordon | he's moved to the spare room",
        "the code for the new bike lock is four one nine two | the shop has spare keys",
        "the boiler is broken again | the plumber is coming on Friday",
        "my flight is at six | I have to leave the house at four",
        "dad is in hospital again | he fell on the stairs",
        "I paid the guy and said yes | he'll be ready on Thursday",
    ],
)
def test_a_clause_begins_where_none_about_the_word_before_it_can(parts: str) -> None:
    assert cut(parts.replace(" | ", " ")) == parts.split(" | ")


@pytest.mark.parametrize(
    "text",
    [
        "the crown has to be redone it's 640 and the insurance pays half",
        "note for later the spare room is done I painted it pistachio",
        "we sold the home we bought in 1990 last June",
        "that was the Friday we met in Rome again",
        "I washed the BMW he bought last week for him",
        "I ate the last two I bought at the market",
        "Tom said yesterday he would come to the party",
        "I think today she is going to the dentist",
        "the car he bought last year we never really liked",
        "when I was five we moved to a farm near Bath",
        "the year I turned thirty we moved to a farm",
        "every time I see Anna she asks about the dog",
        "I told him he can have the old bike for free",
        "the place it's made in is called Stoke on Trent",
        "he asked me whether on Monday I could cover his shift",
        "the restaurant we went to on Friday is called Luigi",
        "the plumber says the boiler is fine for another year now",
        "My new manager is called Farouk, who started on Monday he says.",
        "She moved to Leeds last year. He stayed there.",
    ],
)
def test_what_may_be_about_the_word_before_it_and_what_has_marks_stays(text: str) -> None:
    assert len(cut(text)) == text.count(". ") + 1


def test_many_are_read_in_linear_time_and_a_page_without_marks_is_left() -> None:
    line = "my manager is called Farouk he started on Monday he likes the work there"
    began = time.process_time()
    assert len(sentences("\n\n".join([line] * 3_000))) == 9_000
    assert time.process_time() - began < 3
    assert cut(" ".join([line] * 8)) == [" ".join([line] * 8)]

"""Which times a question names by an event."""

from __future__ import annotations

from datetime import date

import pytest
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.questions.anchor import Anchor, anchor_in

TODAY = date(2026, 11, 22)


def anchor_of(question: str) -> Anchor:
    english = in_english(question)
    anchor = anchor_in(english, None if english == question else question)
    assert anchor is not None
    return anchor


@pytest.mark.parametrize(
    ("question", "side", "days", "only"),
    [
        ("What happened the day before the wedding?", "before", 1, True),
        ("What broke the week after we moved?", "after", 7, False),
        ("What did we do in the week of the funeral?", "on", 7, True),
        ("What did we do on my birthday?", "on", 1, True),
        ("What happened while we were in Brittany?", "during", None, True),
        ("Who danced at Rob and Elise's wedding?", "on", None, False),
        ("Which garage did I use before we moved to Graz?", "before", None, False),
        ("Was haben wir an meinem Geburtstag gemacht?", "on", 1, True),
    ],
)
def test_a_time_is_named_by_an_event(question: str, side: str, days: int | None, only: bool) -> None:
    anchor = anchor_of(question)
    assert (anchor.side, anchor.days, anchor.only) == (side, days, only)


@pytest.mark.parametrize(
    "question", ["What did I buy for Finn's birthday?", "What is on my birthday list?", "What time is it?", "Who is at the door?"]
)
def test_what_is_no_time_is_no_anchor(question: str) -> None:
    assert anchor_in(question) is None


@pytest.mark.parametrize(
    ("question", "content", "day"),
    [
        ("What did we do on Finn's birthday?", "Finn turned 6 today!", date(2026, 11, 3)),
        ("What did we do on Finn's birthday?", "Finn's birthday, bowling with six boys.", date(2026, 11, 3)),
        ("What did we do on Finn's birthday?", "Finn's birthday is on 5 October.", date(2026, 10, 5)),
        ("What will we do on Finn's birthday?", "Finn's birthday is on 5 October.", date(2027, 10, 5)),
        ("What did we do on my birthday?", "My 40th. Fourteen people in the kitchen.", date(2026, 11, 3)),
        ("What did we do on Finn's birthday?", "Bought a bicycle for Finn's birthday.", None),
        ("¿Qué hicimos en mi cumpleaños?", "My birthday is 25 January.", date(2026, 1, 25)),
    ],
)
def test_a_birthday_is_known_by_what_names_its_day_or_was_told_on_it(question: str, content: str, day: date | None) -> None:
    anchor = anchor_of(question)
    assert anchor.tells(content)
    assert anchor.day_in(content, date(2026, 11, 3), TODAY) == day


def test_somebody_elses_birthday_is_another_one() -> None:
    assert not anchor_of("What did we do on my birthday?").tells("Finn's birthday, bowling with six boys.")
    assert not anchor_of("What did we do on Finn's birthday?").tells("Maya's birthday is on 30 August.")


def test_an_event_is_known_by_the_words_that_tell_it() -> None:
    assert anchor_of("What happened the day after the wedding?").tells("We got married in Utrecht.")

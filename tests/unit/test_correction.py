"""What one sentence corrects of another, and what it takes back."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.correction import as_correction, corrects


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Tom moved here from York, not Leeds.", "Tom moved here from Leeds."),
        ("The meeting is on Thursday, not on Tuesday.", "The meeting is on Tuesday."),
        ("Anna wohnt in Bonn, nicht in Köln.", "Anna wohnt in Köln."),
        ("Bus is the 83 not the 38, sorry.", "Ruby's school: Bus 38, leaves at 7:50."),
        ("pilot should be 25 not 27.5.", "Carbs need jets: main 135, pilot 27.5"),
        ("The meeting is on Thursday not Tuesday.", "The meeting is on Tuesday."),
    ],
)
def test_what_is_denied_and_said_otherwise_is_corrected(newer: str, older: str) -> None:
    assert corrects(newer, older)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Tom moved here from York.", "Tom moved here from Leeds."),
        ("Anna likes York, not Leeds.", "Tom works at the mill in Leeds on Fridays."),
        ("I like tea, not coffee.", "The coffee machine needs descaling."),
        ("Tom moved here, not Ben.", "Tom moved here from Leeds."),
        ("Bus is the 83 not the 38.", "The 38 people on the bus were singing."),
        ("The film is funny not sad.", "Ben was sad on Friday."),
    ],
)
def test_what_is_not_denied_or_of_something_else_stays(newer: str, older: str) -> None:
    assert not corrects(newer, older)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Actually my rent is 890 euros.", "Correction: my rent is 890 euros."),
        ("No wait, actually, it's on Friday evening.", "Correction: it's on Friday evening."),
        ("Sorry, I meant the 5th of May.", "Correction: the 5th of May."),
        ("I was wrong: she lives in Kiel.", "Correction: she lives in Kiel."),
        ("Nein, falsch: er heißt Timo Brandt.", "Correction: er heißt Timo Brandt."),
    ],
)
def test_what_takes_something_back_is_read_in_one_form(said: str, read: str) -> None:
    assert as_correction(said) == read


@pytest.mark.parametrize(
    "said",
    [
        "My rent is actually 890 euros.",  # the judge has learned these
        "Sorry to hear about Tom's knee.",
        "Actually yes.",
        "My bad knee is the left one.",
        "I was wrong about the weather.",
        "I meant no harm to anybody.",
    ],
)
def test_what_takes_nothing_back_stays_as_it_is(said: str) -> None:
    assert as_correction(said) == said

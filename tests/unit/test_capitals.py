"""English without capitals is read with those of its names; what is no name, or is in another language, stays as it is."""

from __future__ import annotations

import pytest
from lattice_common.language.sentences.capitals import LONGEST, with_capitals

READ = [
    ("talked to ines at lunch, jonas takes over", "talked to Ines at lunch, Jonas takes over"),
    ("agnieszka moved out", "Agnieszka moved out"),
    ("our landlord is called femi adeyinka", "our landlord is called Femi Adeyinka"),
    ("my brother ilya lives in new york", "my brother Ilya lives in New York"),
    ("femi's number is 12, so i texted femi", "Femi's number is 12, so i texted Femi"),
    ("mum's birthday is the 28th", "Mum's birthday is the 28th"),
    ("talked to mum", "talked to Mum"),
    ("frank's at work, told tolu", "Frank's at work, told Tolu"),
    ("Spoke to ines today", "Spoke to Ines today"),
]
LEFT = [
    "my aunt reckons they're closing the pool",
    "the headset is charging",
    "the sensei's dog died",
    "boiler broke again",
    "the physio said two weeks",
    "my mum is a single mum",
    "everybody left",
    "will call grace at six",
    "the drill is called a hammer drill",
    "mark the date, rose bushes are due in may",
    "ssh jonas@box, then read /home/priya/notes.txt",
    "met with resistance",
    "The sensei taught us, tolu came",  # Who writes capitals would have written one.
    "der marco wohnt in wien und der paul auch",
    "el marco de la puerta está roto y la clara también",
]


@pytest.mark.parametrize(("typed", "read"), READ)
def test_names_get_their_capitals(typed: str, read: str) -> None:
    assert with_capitals(typed) == read


@pytest.mark.parametrize("text", LEFT)
def test_what_is_no_name_stays_as_it_is(text: str) -> None:
    assert with_capitals(text) == text


@pytest.mark.parametrize("text", [typed for typed, _ in READ] + LEFT)
def test_letters_stay_where_they_were(text: str) -> None:
    assert [letter.lower() for letter in with_capitals(text)] == [letter.lower() for letter in text]


def test_a_long_text_is_left_alone() -> None:
    text = "ines left. " * LONGEST
    assert with_capitals(text) == text

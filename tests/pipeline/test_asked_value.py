"""What value a question asks for, and whether a text holds one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.language.questions.asked_value import AskedValue, asked_value, holds_value, says_age_of


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What breed is Mara's dog?", "breed"),
        ("How old is Alba?", "age"),
        ("deposit on the Rosemount unit?", "money"),
        ("what did I pay for the house", "money"),
        ("How much do I like tea?", None),
        ("Dr Fontaine's telephone", "phone"),
        ("What's the alarm code of the bakery?", "code"),
        ("What colour is the scooter?", "colour"),
        ("When does my parole end?", "time"),
        ("When did I plant the garlic?", None),  # the day it was said may tell
        ("What time is the ferry?", "hour"),
        ("How long did the boiler man take?", "duration"),
        ("How long until the exam?", "time"),
        ("Who stole the missing clock?", "person"),
        ("What is the cat called?", "name"),
        ("Quel âge a Maëlle ?", "age"),
        ("¿Cuánto cuesta el alquiler?", "money"),
        ("Where are the keys?", None),
        ("any pupils with allergies at the moment?", None),
        ("", None),
    ],
)
def test_the_words_of_a_question_say_what_value_it_asks_for(question: str, value: str | None) -> None:
    assert asked_value(question) == value


@pytest.mark.parametrize(
    ("value", "question", "content", "there"),
    [
        ("breed", "What breed is Mara's dog?", "Mara's dog was born on 3 March 2021.", False),
        ("breed", "What breed is Waffles?", "Waffles is Dana's terrier.", True),
        ("money", "price of a sack?", "Flour now comes from Shipton Mill, delivery Thursdays before 6.", False),
        ("money", "price of the hotel?", "A weekend in Hereford, 4-5 October 2025, own cars.", False),
        ("money", "What is the rent?", "Taking over the wee unit, rent 950, my own name over the door.", True),
        ("money", "What does the hall cost?", "The choir hall is £4 on the door.", True),
        ("money", "What is the fee?", "We walked 12 kilometres.", False),
        ("phone", "Dr Fontaine's telephone", "Family doctor: Dr. Natalie Fontaine, only Wednesdays.", False),
        ("phone", "number of the vet", "The vet is Kaisa Niemi, 040 555 3310.", True),
        ("code", "wifi password?", "Gate code *4406, wifi DadPad", True),
        ("code", "wifi password?", "The wifi is slow upstairs.", False),
        ("name", "What is my mother called?", "My mother turns 80 in January.", False),
        ("name", "What is my mother called?", "My mother Carme turns 80.", True),
        ("age", "How old is Maëlle?", "Maëlle's party is on 9 May (9 May 2024).", False),
        ("age", "How old is Alba?", "Alba was born in 2019.", True),
        ("age", "How old is Alba?", "Alba was born on 3 May 2019.", True),
        ("age", "How old is Alba?", "Alba: 3 May 2019", True),
        ("age", "How old is Alba?", "Alba is getting married on 20 June 2047 in Truro.", False),
        ("age", "How old is Alba?", "Alba moves out on June 20, 2047.", False),
        ("age", "How old is Alba?", "Alba is 4 and afraid of balloons.", True),
        ("age", "How old is Alba?", "Alba ist 4, fast schon 5.", True),
        ("age", "How old is Alba?", "Her boys are Emil (9) and Anton (6).", True),
        ("age", "How old is Alba?", "Alba's party is on Friday (27 November 2026).", False),
        ("age", "How old is Alba?", "Alba's school is 4 km from here.", False),
        ("age", "How old is Alba?", "Alba's number is 0171 5550123.", False),
        ("age", "How old is Alba?", "Kids: Leif 12, Alba 8", True),
        ("age", "How old is Alba?", "Alba: 28, pastry cook", True),
        ("age", "How old is Alba?", "Our cats = Chutney (tortoiseshell, 6) and Alba", True),
        ("age", "How old is Alba?", "Gran Alba is eighty-one and sharp as a tack", True),
        ("age", "How old is Alba?", "Room 12, on the second floor.", False),
        ("hour", "What time is the ferry?", "Booked the ferry for 4 July (4 July 2027), cabin 512.", False),
        ("hour", "What time is choir?", "Choir is Thursdays at 7.", True),
        ("hour", "What time do we meet?", "Meet Tom at half past six", True),
        ("duration", "How long did the boiler man take?", "The boiler man charged 3,850 kronor.", False),
        ("duration", "How long is the placement?", "12 weeks, from 23 June", True),
        ("blood type", "what is my blood type?", "Dr. Okafor checked my blood again.", False),
        ("blood type", "what is my blood type?", "I am O negative, says the card.", True),
        ("side", "Which wrist did Kofi break?", "Kofi broke a wrist at judo.", False),
        ("colour", "What colour is it?", "The scooter is purple.", True),
        ("e-mail", "Jon's e-mail?", "Jon's e-mail is jon@example.org.", True),
    ],
)
def test_a_text_holds_such_a_value_or_not(value: AskedValue, question: str, content: str, there: bool) -> None:
    assert holds_value(content, value, question) is there


@given(question=st.text(max_size=300), content=st.text(max_size=300))
def test_a_value_is_seen_behind_any_text(question: str, content: str) -> None:
    told: dict[AskedValue, str] = {
        "money": " for 42 euros",
        "breed": " a terrier",
        "colour": " purple",
        "length": " for two weeks",
    }
    for value, words in told.items():
        assert holds_value(content + words, value, question)
    asked_value(question)  # of any text: never raises


@pytest.mark.parametrize(
    ("content", "there"),
    [
        ("Her boys are Emil (9) and Anton (6).", True),
        ("Emil is 9 and plays the cello.", True),
        ("Emil's 9 now.", True),
        ("My son Emil turned 9.", True),
        ("Emil, 9, is at the Lindenhof.", True),
        ("Emil a 9 ans.", True),
        ("Emil wird 9.", True),
        ("Emil is 9 km away.", False),
        ("Emil was born in 2016.", False),
        ("Emil's party is on 9 May.", False),
        ("Emil turned his ankle.", False),
        ("Emilia is 9.", False),
    ],
)
def test_an_age_right_behind_a_name_is_that_persons(content: str, there: bool) -> None:
    assert says_age_of("Emil", content) is there

"""The answer check against words that nearly say what a memory says, and against the same said otherwise."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from lattice_common.recall.answer_check import doubts
from recalled_store import atom

NOW = datetime(2026, 11, 21, 9, tzinfo=timezone(timedelta(hours=1)))
KEY = "Ingrid in flat 12 has my spare key."
HIRED = "Bob hired Alice in 2019 for 52,000 euros a year."
DENTIST = "The dentist appointment is on 3 December 2026 at 14:30."
PHONE = "My phone number is +49 170 1234567."
FLIGHT = "The flight to Tokyo leaves at 9:05 and costs 1,250.50 dollars."
PILLS = "I am allergic to penicillin."
WIFI = "The wifi password is tulip-42-Xy."
MAX = "Max weighs 23 kg and is 7 years old."
ANNA = "Meine Schwester Anna wohnt seit 2019 in München."
ONIONS = "I hate onions."


def reason(memory: str, answer: str) -> str | None:
    known = atom(memory, 1, "2026-06-01")
    found = doubts(f"{answer} [1].", [known], {}, (), NOW)
    return found[0].reason if found else None


@pytest.mark.parametrize(
    ("memory", "answer", "expected"),
    [
        (KEY, "Sofia in flat 12 has your spare key", "name"),
        (KEY, "Ben in flat 12 has your spare key", "name"),
        (KEY, "Sofia hat in Wohnung 12 deinen Schlüssel und ist nicht da", "name"),
        (KEY, "Ingrid used to have your spare key", "negation"),
        (HIRED, "Bob hired Alice for 52,000 dollars a year", "number"),
        (HIRED, "Bob hired Alice for $52,000 a year", "number"),
        (HIRED, "Bob hired Alice for 52,000 euros a month", "number"),
        (HIRED, "Bob pays Alice 52,000 euros monthly", "number"),
        (DENTIST, "Your dentist appointment is at 2:30 am", "number"),
        (DENTIST, "Your dentist appointment is at 4:30 pm", "number"),
        (FLIGHT, "The flight leaves at 21:05", "number"),
        (FLIGHT, "The flight costs about 1,500 dollars", "number"),
        (PHONE, "Your phone number is 0170 1234568", "number"),
        (PILLS, "You are not allergic to penicillin", "negation"),
        (PILLS, "You aren't allergic to anything", "negation"),
        (ONIONS, "You don't hate onions", "negation"),
        (WIFI, "The wifi password is rose-42-Xy", "number"),
        (WIFI, "The wifi password is tulip-42-Xz", "number"),
        (MAX, "Max weighs 7 kg and is 23 years old", "number"),
        (ANNA, "Deine Schwester Anna wohnte bis 2019 in München", "date"),
        (ANNA, "Your sister Anna lived in München until 2019", "date"),
        (ANNA, "Your sister Anna has lived in Vienna since 2019", "name"),
        (ANNA, "Deine Schwester Klara wohnt seit 2019 in München", "name"),
        ("I prefer dark roast.", "You prefer light roast", "content"),
        ("I prefer dark roast.", "You now prefer light roast", "content"),
        ("I drink tea in the morning.", "You drink coffee in the morning", "content"),
        ("The spare key is under the blue pot.", "Your spare key is under the red pot", "content"),
        ("My brother plays the cello in Ghent.", "Your brother plays the violin in Ghent", "content"),
        ("I take the morning train.", "You take the evening train", "content"),
    ],
)
def test_a_word_that_turns_what_was_said_is_noticed(memory: str, answer: str, expected: str) -> None:
    assert reason(memory, answer) == expected


@pytest.mark.parametrize(
    ("memory", "answer"),
    [
        (KEY, "Answer: Ingrid has your spare key"),
        (KEY, "Will you need it? Ingrid has your spare key"),
        (KEY, "Ingrid in Wohnung 12 hat deinen Ersatzschlüssel und ist deine Nachbarin"),
        (HIRED, "Bob hired Alice for 52,000 euros per year"),
        (HIRED, "Alice earns €52k annually"),
        (DENTIST, "Your dentist appointment is on 3 December at 2:30 PM"),
        (DENTIST, "Your dentist appointment is at 2:30 p.m"),
        (DENTIST, "Your dentist appointment is at 2:30"),
        (FLIGHT, "The flight leaves at 09:05"),
        (FLIGHT, "The flight leaves at 9:05 am"),
        (FLIGHT, "The flight costs about 1,250 dollars"),
        (FLIGHT, "It costs $1,250.50"),
        (PHONE, "Your phone number is +491701234567"),
        (PHONE, "Your phone number is 0170 1234567"),
        (PHONE, "Your phone number is +49 (170) 123-4567"),
        (PILLS, "You can't take penicillin because you are allergic"),
        (ONIONS, "You don't like onions"),
        ("I don't hate onions.", "You don't hate onions"),
        (WIFI, "It's tulip-42-Xy"),
        (MAX, "Max is seven years old and weighs 23 kg"),
        (ANNA, "Anna wohnt in München"),
        (ANNA, "Your sister Anna has lived in Munich since 2019"),
        (ANNA, "Ta sœur Anna habite à Munich depuis 2019"),
        (ANNA, "Твоя сестра Анна живёт в Мюнхене с 2019 года"),
        ("I was a nurse before.", "You used to be a nurse"),
        ("I prefer dark roast.", "You prefer a dark roast now"),
        ("We have a large garden.", "You have a big garden"),
        ("My gp is Dr Kay.", "Your doctor is Dr Kay"),
        ("I live in Lisbon.", "You moved to Lisbon"),
        ("Ada works for Bosch.", "Ada has a job at Bosch"),
        ("I bought a used van.", "You bought a second-hand van"),
        ("I adopted a dog from the shelter.", "You got a dog from the shelter"),
        ("Rent is due on the first of the month.", "You pay rent on the first of each month"),
        ("We pay 20 euros a month for the gym.", "You pay 20 euros each month for the gym"),
    ],
)
def test_the_same_said_otherwise_is_borne_out(memory: str, answer: str) -> None:
    assert reason(memory, answer) is None

"""What speaks of the product itself, and what only sounds so."""

from __future__ import annotations

import pytest
from lattice_common.domain.intent import Explain, Forget
from lattice_common.language.intents.commands import order_in
from lattice_common.language.intents.intent import certain_intent, intent_of
from lattice_common.language.intents.of_product import Sign, raised, sign_of

SIGNS: list[tuple[str, Sign]] = [
    ("merge the two entries for Aunt Bríd", "command"),
    ("please stop asking me about the gym", "command"),
    ("I'd like you to turn off the reminders", "command"),
    ("dark mode on", "command"),
    ("log me out", "command"),
    ("Schalte bitte die Benachrichtigungen aus", "command"),
    ("fusionne les deux fiches", "command"),
    ("silencia los avisos hasta el lunes", "command"),
    ("unisci le due schede", "command"),
    ("desliga as notificações", "command"),
    ("zet de meldingen uit", "command"),
    ("wyłącz powiadomienia", "command"),
    ("bildirimleri kapat", "command"),
    ("How do I change my password for this app?", "question"),
    ("what languages do you speak?", "question"),
    ("Do you work offline?", "question"),
    ("who can see what I write in here", "question"),
    ("Welche Dateiformate kann ich hier importieren?", "question"),
    ("est-ce qu'on peut mettre des photos ici", "question"),
    ("Change Marek's birthday to the 4th of June", "change"),
    ("Move the osteopath appointment to Friday", "change"),
    ("Mark the loft insulation as done", "change"),
]


@pytest.mark.parametrize(("text", "sign"), SIGNS)
def test_what_is_about_the_product_has_a_sign(text: str, sign: Sign) -> None:
    assert sign_of(text) == sign
    assert certain_intent(text) in (None, "do")
    if sign != "change":
        assert intent_of(text) == "do"


@pytest.mark.parametrize(
    "text",
    [
        "I printed the recipes for Mum",
        "My notes from the trial are in the blue folder",
        "The printer is in the hall cupboard",
        "We have to turn off the heating before we leave",
        "Do you remember where I parked?",
        "Who has the spare key?",
        "What did I note about the boiler?",
        "Ich habe die Notizen gedruckt",
        "Der Drucker im Zweiten heißt Gutenborg",
        "La sauvegarde du site se fait le dimanche",
        "",
    ],
)
def test_what_is_told_and_asked_has_none(text: str) -> None:
    assert sign_of(text) is None


def test_a_sign_raises_what_is_in_doubt_and_not_what_is_sure() -> None:
    assert raised(0.2, "dark mode on") > 0.9
    assert raised(0.001, "dark mode on") == 0.001
    assert raised(0.2, "The key is with Ines") == 0.2
    assert raised(1.0, "dark mode on") == 1.0


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("can we lose the note on the allotment", "the allotment"),
        ("I'd like you to get rid of everything on the old landlord", "the old landlord"),
        ("scrap the bit about Wojtek's kitchen", "Wojtek's kitchen"),
        ("Tu peux effacer ce que j'ai écrit sur Maëlle ?", "Maëlle"),
        ("Kun je de notitie over de kapper weggooien?", "de kapper"),
        ("Usuń proszę notatkę o remoncie łazienki", "remoncie łazienki"),
    ],
)
def test_polite_words_ask_to_forget(text: str, about: str) -> None:
    assert order_in(text, meant=True) == Forget(about)


def test_a_question_about_the_product_is_answered_by_what_it_can_do() -> None:
    assert order_in("what languages do you speak?", meant=True) == Explain()
    assert order_in("what languages do you speak?") is None

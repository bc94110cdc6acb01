"""Texts in other languages, word by word in English (`language.glosses`)."""

from __future__ import annotations

import unicodedata
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.language.glosses.gloss import english_gloss, gloss_from
from lattice_common.language.glosses.lexicon import GLOSSED, Glossed, function_words, glosses_version, lexicon
from lattice_common.language.glosses.recognition import language_of

LANGUAGES: tuple[tuple[Glossed, str], ...] = (
    ("de", "Wann kommt der Schornsteinfeger?"),
    ("de", "Was kostet die Kurzzeitpflege?"),
    ("fr", "où est-ce que j'achète mes fleurs maintenant"),
    ("fr", "Le numéro de téléphone de Sandrine ?"),
    ("es", "¿Quién atiende por las mañanas desde junio?"),
    ("it", "quanto ci hanno dato per suonare sotto l'acqua?"),
    ("pt", "O meu vizinho toca bateria depois da meia-noite"),
    ("nl", "wat betalen onze huurders nu?"),
    ("pl", "ile wyszło na godzinę po podwyżce w magazynach?"),
    ("tr", "Annemin doğum günü ne zaman?"),
)

ENGLISH = (
    "Rent for the flat on Cardigan Road is 780",
    "Aoibhe's hourly rate",
    "What's Malachi's mum called?",
    "wifi cabin?",
    "L/2024/0093",
    "The die was cast in iron, and the hat was warm.",
    "My son's name is Łukasz Müller, and he lives in São Paulo.",
    "old alarm code",
    "Reidar's telephone?",
    "Please remind me to buy a present for Anaïs.",
    "",
    "42",
)


@pytest.mark.parametrize(("language", "text"), LANGUAGES)
def test_a_short_texts_language_is_recognised(language: Glossed, text: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_left_alone(text: str) -> None:
    assert english_gloss(text) is None


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Wo ist der Zahnarzt von Jonte?", ("where", "dentist", "Jonte")),
        ("Meine Ringgröße ist 54", ("ring", "size", "54")),
        ("Das Geschenk für Mama liegt im Kleiderschrank", ("gift|present", "mum|mom|mother", "wardrobe")),
        ("J'ai mal à la tête depuis hier", ("head", "yesterday")),
        ("Mi hermana está embarazada", ("sister", "pregnant")),
        ("Ho comprato una bicicletta rossa per mia figlia", ("buy|bought", "bicycle|bike", "red", "daughter")),
        ("A minha filha tem medo do escuro", ("daughter", "fear|afraid", "dark")),
        ("Wat kost de nieuwe wasmachine?", ("cost", "new", "washing machine")),
        ("Mój syn złamał rękę na lodowisku", ("son", "break|broke", "hand|arm")),
        ("Annem her sabah yeşil çay içer", ("mother|mum", "morning", "green", "tea", "drink")),
    ],
)
def test_a_text_is_glossed_word_by_word(text: str, wanted: tuple[str, ...]) -> None:
    gloss = english_gloss(text)
    assert gloss is not None
    for each in wanted:
        assert any(word in gloss.text for word in each.split("|")), gloss.text


def test_names_numbers_and_unknown_words_stay_as_they_are() -> None:
    gloss = english_gloss("Frau Klein hat die Telefonnummer 0441 77 30 12 von Xyrbl")
    assert gloss is not None
    for kept in ("Klein", "0441 77 30 12", "Xyrbl"):
        assert kept in gloss.text
    spanish = english_gloss("Ayer mi hermana Rosa compró pan")
    assert spanish is not None
    assert "Rosa" in spanish.text


def test_words_are_found_without_their_accents_too() -> None:
    assert gloss_from("de", "der schluessel").text == gloss_from("de", "der Schlüssel").text
    assert gloss_from("es", "mañana").text == gloss_from("es", "manana").text


@pytest.mark.parametrize("language", GLOSSED)
def test_a_lexicon_is_well_formed_and_has_its_4000_words(language: Glossed) -> None:
    text = (files("lattice_common.language.tables") / f"gloss_{language}.tsv").read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    assert all(line.count("\t") == 1 and all(part.strip() for part in line.split("\t")) for line in lines)
    words = [line.split("\t")[0] for line in lines]
    assert len(set(words)) == len(words)
    assert len(words) >= 4_000
    assert all(word == unicodedata.normalize("NFC", word) for word in words)
    assert len(function_words()[language]) > 100


@given(st.text(max_size=200))
def test_whatever_is_glossed_something_comes_of_it(text: str) -> None:
    for language in GLOSSED:
        assert isinstance(gloss_from(language, text).text, str)
    english_gloss(text)


def test_inflected_words_are_found_by_their_stems() -> None:
    assert lexicon("de").meanings("zahnärzte") == lexicon("de").meanings("zahnarzt")
    assert lexicon("pl").meanings("telefonem") == lexicon("pl").meanings("telefon")


def test_the_version_is_that_of_the_tables() -> None:
    assert len(glosses_version()) == 12

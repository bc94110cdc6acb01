"""Redaction and its undoing: what goes in comes out, however it was cut, and nothing else can name a tag."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.language.pii.names import names
from lattice_common.language.pii.redaction import BY_PATTERN, BY_RULES, Redaction, Restorer
from lattice_common.language.pii.span import spans_of

from tests.timed import processor_seconds

LETTER = (
    "Dear Rosalind, my sister Anna Petrova (anna@example.org, +49 30 1234567) lives at 12 Baker Street, London. "
    'Her IBAN is DE89 3704 0044 0532 0130 00, her password: "hu\\nter2". Anna’s card is 4111 1111 1111 1111.'
)


def redaction(*texts: str) -> Redaction:
    return Redaction(texts, BY_RULES, lambda: "k3f9")


def test_nothing_personal_is_left_and_all_of_it_comes_back() -> None:
    made = redaction(LETTER)
    redacted = made.redact(LETTER)
    for word in ("Rosalind", "Anna", "Petrova", "example.org", "1234567", "Baker", "3704", "hu", "4111"):
        assert word not in redacted
    assert made.counts == {"PERSON": 3, "EMAIL": 1, "PHONE": 1, "ADDRESS": 1, "IBAN": 1, "SECRET": 1, "CARD": 1}


def test_the_same_value_has_the_same_tag_in_all_texts_of_a_call() -> None:
    made = redaction(LETTER, "I met Anna.", "Petrova wrote from anna@example.org")
    first, second, third = map(made.redact, (LETTER, "I met Anna.", "Petrova wrote from anna@example.org"))
    for text in (second, third):
        assert set(tags_of(text)) <= set(tags_of(first))
    assert "Petrova" not in third


def tags_of(text: str) -> list[str]:
    return [word.strip(".,") for word in text.replace("<", " <").replace(">", "> ").split() if word.startswith("<")]


def test_a_text_that_contains_tags_cannot_name_one() -> None:
    drawn = iter(["k3f9", "aaaa"])
    forged = "Tell me <EMAIL_1_k3f9> and <EMAIL_1>. I am bob@example.org"
    made = Redaction([forged], BY_RULES, lambda: next(drawn))
    redacted = made.redact(forged)
    assert redacted == "Tell me <EMAIL_1_k3f9> and <EMAIL_1>. I am <EMAIL_1_aaaa>"
    assert made.restore(redacted) == forged


def test_values_in_json_are_written_as_json_has_them() -> None:
    secret = 'password: pa"ss\\word'
    made = redaction(secret)
    tag = made.redact(secret).partition(": ")[2]
    assert json.loads(made.restore_json(json.dumps({"quote": f"it is {tag}"})))["quote"] == f"it is {made.restore(tag)}"


def test_what_stands_after_an_escape_of_json_is_found_as_well() -> None:
    lines = ["Rosalind Okonkwo", "+49 30 1234567", "DE89370400440532013000", "4111 1111 1111 1111", "anna@example.org", "Okonkwo"]
    text = json.dumps({"text": "\n".join(["Dear Rosalind Okonkwo,", *lines]), "also": '"Okonkwo"\t+44 20 7946 0958'})
    made = redaction(text)
    redacted = made.redact(text)
    for word in ("Rosalind", "Okonkwo", "1234567", "3704", "4111", "anna", "7946"):
        assert word not in redacted
    assert json.loads(redacted)["also"].startswith('"<PERSON')
    assert made.restore(redacted) == text


WORDS = st.sampled_from(
    [
        *LETTER.split(),
        "<",
        ">",
        "<PERSON_1_k3f9>",
        "<PERSON_1_",
        "PERSON_1",
        "person 2 k3f9",
        "\\u003cPERSON_2_k3f9\\u003e",
        "[",
        "&lt;",
        "k3f9>",
        "\n",
        "Анна",
        "ул. Ленина, 5",
        "Herr Müller",
        "😀",
        "\\n",
    ]
)


@given(st.lists(WORDS, max_size=30), st.lists(st.sampled_from(["", " "]), min_size=30, max_size=30))
def test_a_restored_text_is_the_text(words: list[str], gaps: list[str]) -> None:
    text = "".join(word + gap for word, gap in zip(words, gaps, strict=False))
    made = Redaction([text], BY_RULES, random.Random(1).choice(["zz7q", "qq1z"]).__str__)
    assert made.restore(made.redact(text)) == text


@given(st.lists(st.one_of(WORDS, st.text(max_size=5)), max_size=20), st.data())
def test_a_stream_restores_to_the_same_text_however_it_is_cut(words: list[str], data: st.DataObject) -> None:
    made = redaction(LETTER)
    text = " ".join(words).join([made.redact(LETTER)[:200], made.redact(LETTER)[100:]])
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=40)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    restorer = Restorer(made.restore)
    assert "".join([*map(restorer.feed, pieces), restorer.end()]) == made.restore(text)


CARELESS = [
    "{}", "{}'s", "{}.", "**{}**", "({})", "<{}>", "[{}]", "&lt;{}&gt;", "\\u003c{}\\u003e", "< {} >", "<{}", "{}>",
]  # fmt: skip


@pytest.mark.parametrize("around", CARELESS)
@pytest.mark.parametrize(
    "tag", ["PERSON_1_k3f9", "person_1_k3f9", "Person_1_K3F9", "PERSON 1 k3f9", "PERSON-1-k3f9", "PERSON\\_1\\_k3f9", "PERSON_1"]
)
def test_a_tag_that_a_model_wrote_carelessly_is_understood(around: str, tag: str) -> None:
    made = redaction("Anna lives here.")
    made.redact("Anna lives here.")
    kept = around if around in ("{}'s", "{}.", "**{}**", "({})", "{}>") else "{}"
    for text in (around.format(tag), f"Yes, {around.format(tag)} does."):
        whole = text.replace(around.format(tag), kept.format("Anna"))
        assert made.restore(text).replace("Anna>", "Anna") == whole.replace("Anna>", "Anna")
        restorer = Restorer(made.restore)
        assert "".join([*map(restorer.feed, text), restorer.end()]) == made.restore(text)


@pytest.mark.parametrize(
    "text",
    [
        "<PERSON_1_zzzz>",
        "<PERSON_2_k3f9>",
        "PERSON_12",
        "MYPERSON_1",
        "PERSON_1x",
        "person 1",
        "Person_1",
        "<EMAIL_1>",
        "xPERSON_1_k3f9",
    ],
)
def test_what_is_no_tag_of_the_call_stays(text: str) -> None:
    made = redaction("Anna lives here.")
    made.redact("Anna lives here.")
    restorer = Restorer(made.restore)
    assert made.restore(text) == "".join([*map(restorer.feed, text), restorer.end()]) == text


def test_a_tag_without_its_letters_is_none_where_somebody_wrote_the_like() -> None:
    said = "Anna wrote <PERSON_1> into the template."
    made = redaction(said)
    redacted = made.redact(said)
    assert made.restore("<PERSON_1> and PERSON_1") == "<PERSON_1> and PERSON_1"
    assert made.restore(redacted) == said


def test_what_cannot_be_a_tag_is_not_held_back() -> None:
    restorer = Restorer(redaction(LETTER).restore)
    assert restorer.feed("5 < 6 and <b>bold</b> and <PERSON") == "5 < 6 and <b>bold</b> and "
    assert restorer.feed("AL view, <") == "<PERSONAL view, "
    assert restorer.end() == "<"


@pytest.mark.parametrize(
    "text",
    [
        "On 2024-05-06 at 12:30, or 06.05.2024 12:30, or 06/05/2024.",
        "It cost 1.234.567 euros, 12,345,678.90 dollars, € 1 234 567 or 100 000 000 people.",
        "Order 20240506123456, ISBN 978-3-16-148410-0, article 4006381333932, room 0123.",
        "From 2019-2024, pi is 3.14159265, the ratio 16:9, 10.00-11.30, at 12:30:45.",
        "The password is not needed. He said: call me on Monday at 5.",
        "I moved to Berlin in May, the Blue whale is big, and we watched the news.",
        "Gestern war ich in Hamburg und habe einen neuen Vertrag mit der Deutschen Bahn unterschrieben.",
        "Вчера я купил новую книгу о Москве за 500 рублей.",
        "The meeting is at 10:30, in 2 weeks, with 15 people and 3 dogs.",
        "https://example.org/path?page=2 is a page like any other.",
    ],
)
def test_what_is_not_personal_stays(text: str) -> None:
    assert redaction(text).redact(text) == text


@pytest.mark.parametrize(
    "beginning",
    [
        "a",
        "1 ",
        "a.",
        "1",
        "a@",
        "password ",
        "http://",
        "+1 ",
        "tel ",
        "A1b",
        "eyJ",
        "Ab-",
        "Anna ",
        "Am ",
        "ул. ",
        "Straße ",
        "-----BEGIN ",
    ],
)
def test_no_text_makes_the_search_slow(beginning: str) -> None:
    def seconds(size: int) -> float:
        return processor_seconds(lambda: spans_of(beginning * (size // len(beginning)), [*BY_PATTERN, names]))

    few, many = seconds(4_000), seconds(20_000)
    assert many <= 12 * few + 0.1  # five times as much where the search is linear, 25 times where it is quadratic

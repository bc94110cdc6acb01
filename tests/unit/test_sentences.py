"""Where sentences end, and clauses in them."""

from __future__ import annotations

import pytest
from lattice_common.domain.atom import Span
from lattice_common.language.sentences.clauses import clauses
from lattice_common.language.sentences.split import LONGEST, sentences

CUTS = [
    "Ich wohne in der Hauptstr. 5 in Bonn.|Das ist die Schillerstr.|Dort ist es schön.",
    "I live here.|She does not.",
    "Dr. Smith met Mr. Jones at 5 p.m. today.|He left.",
    "It costs 3.50 euros, e.g. at Aldi.|Cheap!",
    "See https://example.org/a.b?c=d. for more.|Thanks!",
    "Well... maybe not.|We'll see…|Who knows?!",
    "J. R. R. Tolkien wrote it.|I read it.",
    "I left the K.C. Paul in a taxi.|J.K. Rowling found it in L.A.|She kept it.",
    '"Really?" she asked.|"Yes!"|I was glad.',
    "Version 3.11.7 is out.|Use it.",
    "I moved to the U.S. in 2016.|It was hot.",
    "私は東京に住んでいます。|昨日、寿司を食べました。|本当？|はい！",
    "Got a puppy 🐶|He's called Rex.",
    "Am 3. März war z.B. Anna da.|Dann nicht.",
    "First line\n|Second line\n|Third.|No.",
    "This is a long line of prose that was wrapped by an editor at\nsome column, and goes on here.|Next one.",
    "One paragraph\n\n|another paragraph",
    "Shopping:\n|- tea\n|- milk",
    "1. Open the door.\n|2. Close it.",
    "I have no. 5 and vol. 2 of it.|Good.",
    "Is it?|It is (really!).|Fine.",
    "No full stop at the end",
    "Vermietet wird die Wohnung Lindenweg 4, 2. OG rechts, mit Bad.|Sie ist hell.",
    "VAT no. GB 771 2230 18 is ours.|Good.",
    "Chapter 4. The end.",
    "We take the second quote, 7,450 incl. scaffolding, and start at Easter.|Fine.",
    "Der Preis ist 7.450 Euro zzgl. Versand.|Gut.",
    "it had been written off.|still owe mo for the exhaust, 85.|oh and the garage is shut now.",
    "had the scan.|its a boy!!|due 14 may.|dont tell anyone yet.|salary is 52k.|starts mon.|fine... i think.|what a day",
    "it was approx. 3 weeks, e.g. in may at mr. jones's, no. 12, i think... and so on.|back now",
    "ich war am 3. märz da, ca. 5 min. lang.|es war schön!|wir kommen wieder",
    "Am 15.12. ist Weihnachtsfeier.|Ich backe.",
    "ich wohn in kassel, goethestr 12, 3. stock.|miete is 720 warm",
    "vivo en valencia, calle colon 8.|pago 650 al mes.|mi casera es la sra ortega",
    "wir treffen uns am 12. im park, und am 3. märz kommt sie.",
    "Ruben mobile 611 204 587\n|mum mobile 655 910 332",
    "New address 8 Larch Close, LF4 2QT\n|wifi LarchNet9\n|pw tulip-horse-9",
    "boiler serviced today\n|mum rang about sunday",
    "the man came and said the pump is\nbroken again",
    "I paid 40\neuros for it",
    "Mum lends us 10.|Maybe a shower up there.|He is 9.|Marta is 12.",
]


@pytest.mark.parametrize("text", CUTS)
def test_a_text_is_cut_where_its_sentences_end(text: str) -> None:
    whole = text.replace("|", " ") if "。" not in text else text.replace("|", "")
    expected = [piece.strip() for piece in text.split("|")]
    if text.startswith("Chapter"):
        expected = ["Chapter 4.", "The end."]
    assert [whole[span.start : span.end] for span in sentences(whole)] == expected


def test_only_the_stretch_asked_for_is_cut() -> None:
    text = "One. Two. Three. Four."
    assert [text[span.start : span.end] for span in sentences(text, 5, 16)] == ["Two.", "Three."]


def test_nothing_is_longer_than_the_longest() -> None:
    text = "word " * 5_000
    spans = sentences(text)
    assert max(span.end - span.start for span in spans) <= LONGEST
    assert "".join(text[span.start : span.end] for span in spans).replace(" ", "") == text.replace(" ", "")


def test_white_space_has_no_sentences() -> None:
    assert sentences(" \n\t \r\n ") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She runs a bike shop, Spoke & Co.", ["She runs a bike shop, Spoke & Co."]),
        ("She moved to Aarhus, ran a bakery.", ["She moved to Aarhus", "ran a bakery."]),
    ],
)
def test_a_name_behind_a_comma_is_no_verb_that_goes_on(text: str, found: list[str]) -> None:
    assert [text[each.start : each.end] for each in clauses(text, Span(0, len(text)))] == found

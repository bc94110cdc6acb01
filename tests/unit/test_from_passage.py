"""Which sentence of a document answers: by its labels, the kind of value asked for, and what stands around it."""

from __future__ import annotations

from datetime import UTC, datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.passage import Passage, shown_as_atom
from lattice_common.domain.recall import Query
from lattice_common.language.text import query_tokens
from lattice_common.recall.from_passage import Part, Quote, parts_read, quote_of
from lattice_common.recall.question import Question

SAID_AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)


def passage(text: str, title: str) -> Atom:
    return shown_as_atom(Passage("0" * 26, 0, 0, len(text), text, SAID_AT, SAID_AT, title=title))


def quote(asked: str, text: str, title: str = "Papers") -> Quote:
    return quote_of(Question(Query(asked), asked, tuple(query_tokens(asked))), passage(text, title), {})


def read(text: str) -> list[Part]:
    return list(parts_read(Question(Query("Who?"), "Who?", ("who",)), passage(text, "Papers"), frozenset()))


def test_the_value_beside_the_label_that_is_asked_for_is_quoted() -> None:
    text = "Employer: Brightwater Utilities\n\nEmployee number: 004871\n\nTax code: 1257L\n"
    assert quote("What is my employee number?", text).words == "Employee number: 004871"


def test_a_row_is_quoted_with_the_names_of_its_own_table() -> None:
    table = "| Test | Result | Reference |\n|---|---|---|\n| TSH | 2.11 | 0.40 - 4.00 |\n| Ferritin | 18 | 30 - 300 |"
    text = f"The results of May.\n\n{table}"
    assert quote("What is the reference for ferritin?", text).words == "Test: Ferritin; Result: 18; Reference: 30 - 300"


def test_rows_without_names_are_quoted_as_labels_with_their_values() -> None:
    text = "|  |  |\n|---|---|\n| Registration | YK19 ZDB |\n| Mileage | 48216 |"
    assert quote("What is the mileage?", text).words == "Mileage: 48216"


def test_a_sentence_without_such_a_value_as_is_asked_for_does_not_fit() -> None:
    assert not quote("What does a checked bag cost?", "A checked bag may be brought along.").fits
    assert quote("What does a checked bag cost?", "A checked bag costs £34 each way.").fits


def test_what_follows_a_question_answers_it_and_the_question_does_not() -> None:
    text = "How do you treat varroa?\n\nI use oxalic acid in December.\n\nThank you.\n"
    assert quote("What is used to treat varroa?", text).words == "I use oxalic acid in December."


def test_a_question_in_another_language_is_as_near_by_its_own_words() -> None:
    text = "Grundmiete: 985,00 €\n\nHeizkosten: 95,00 €\n"
    assert quote("Wie hoch ist die Grundmiete?", text).words == "Grundmiete: 985,00 €"


def test_what_is_asked_of_a_thing_is_sought_before_the_thing() -> None:
    text = "Fitting of a garden gate, oak, with both posts: 640.00 EUR\n\nThe guarantee is 5 years from the day of fitting.\n"
    asked = "How long is the guarantee on the garden gate?"
    assert quote(asked, text).words == "The guarantee is 5 years from the day of fitting."


def test_a_row_stays_whole_though_its_cells_hold_sentences() -> None:
    text = "| Event | When | Notes |\n|---|---|---|\n| Boiler | 3 December | Bring the log book up. Engineer: Pavel |"
    assert "Event: Boiler; When: 3 December; Notes: Bring the log book up. Engineer: Pavel" in [part.words for part in read(text)]


def test_the_names_of_columns_are_no_line_that_answers() -> None:
    text = "| Boat | Seat | Rower |\n|---|---|---|\n| Dabchick | Bow | Carys |"
    assert [part.words for part in read(text)] == ["Boat: Dabchick; Seat: Bow; Rower: Carys"]
    assert len(read("| Member | Ada |\n|---|---|\n| Fee | 40 |")) == 2

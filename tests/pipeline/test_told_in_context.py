"""What is told in a conversation and leans on it: names in the memory, and the quote as it was said."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Candidate
from lattice_common.ingest.atoms import build_atoms
from lattice_common.ingest.extract.rules import extract
from lattice_common.ingest.ground import ground
from lattice_common.ingest.segment import segment

NOW = datetime(2026, 5, 1, 9, tzinfo=UTC)
ADA = "Where does Ada live?\nAda lives in Berlin. [1]"


def told(text: str, context: str | None) -> list[Candidate]:
    """What of it is proved."""
    capture = Capture("01jd0000000000000000000000", NOW, text, NOW, metadata={"context": context} if context else {})
    proved = []
    for part in segment(capture):
        kept, rejected = ground(capture, part, extract(capture, part))
        assert rejected == []
        proved += kept
    assert all(capture.text[each.start : each.end] == each.quote for each in proved)
    return proved


def test_a_pronoun_becomes_the_one_person_spoken_of_and_the_quote_stays_what_was_said() -> None:
    (fact,) = told("She moved to Hamburg yesterday.", ADA)
    assert fact.content == "Ada moved to Hamburg yesterday (30 April 2026)."
    assert fact.quote == "She moved to Hamburg yesterday."
    assert "Ada" in fact.entities
    assert fact.valid_from == datetime(2026, 4, 30, tzinfo=UTC)


def test_whose_something_is_becomes_plain() -> None:
    (fact,) = told("Her phone number is 0171 2345678.", ADA)
    assert fact.content == "Ada's phone number is 0171 2345678."


def test_what_only_ties_it_to_the_turn_before_is_left_out() -> None:
    (fact,) = told("And her phone number is 0171 2345678.", ADA)
    assert (fact.content, fact.quote) == ("Ada's phone number is 0171 2345678.", "And her phone number is 0171 2345678.")
    (fact,) = told("And the phone number is 0171 2345678.", ADA)
    assert fact.content == "And the phone number is 0171 2345678.", "nothing was put into a name"


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("We buried her under the plum tree.", "We buried Ada under the plum tree."),
        ("I sat her beside the window.", "I sat Ada beside the window."),
        ("We buried her cat under the plum tree.", "We buried Ada's cat under the plum tree."),
    ],
)
def test_who_something_is_done_to_is_no_owner(text: str, content: str) -> None:
    (fact,) = told(text, ADA)
    assert fact.content == content


@pytest.mark.parametrize(
    ("text", "context"),
    [
        ("She moved to Hamburg.", "Who did Ada meet?\nAda met Carla. [1]"),
        ("He moved to Hamburg.", ADA),
        ("It moved to Hamburg.", ADA),
        ("She moved to Hamburg.", "What is the wifi password?"),
        ("She moved to Hamburg.", None),
        ("Carla lost her key.", ADA),
    ],
)
def test_what_is_not_clear_stays_as_it_was_said(text: str, context: str | None) -> None:
    (fact,) = told(text, context)
    assert fact.content == text


def test_who_is_named_in_between_is_no_longer_clear() -> None:
    contents = [fact.content for fact in told("I saw Carla at the market today.\n\nShe moved to Hamburg.", ADA)]
    assert not any("Ada" in content for content in contents)


def test_words_before_are_never_remembered_as_facts() -> None:
    assert not any("Berlin" in fact.content for fact in told("She moved to Hamburg.", ADA))


def test_the_words_before_stay_in_the_journal_and_go_into_no_memory() -> None:
    capture = Capture("01jd0000000000000000000000", NOW, "She moved.", NOW, metadata={"context": ADA, "mood": "good"})
    (part,) = segment(capture)
    kept, _ = ground(capture, part, extract(capture, part))
    (made,) = build_atoms(capture, part, kept, ordinal=0, seq=1)
    assert made.metadata["mood"] == "good"
    assert "context" not in made.metadata


def test_a_day_alone_is_of_the_month_that_its_sentence_named_in_another_statement() -> None:
    _, back = told("Rhodri lands at Heathrow on 14 September, goes back on the 28th.", None)
    assert back.content == "Rhodri goes back on the 28th (28 September 2026)."
    assert back.valid_from == datetime(2026, 9, 28, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Hamid's rent doubled so he's moved to the unit by the park, opens Mondays as well now.",
            "Hamid opens Mondays as well now.",
        ),
        ("Anna's car broke down so she's cycling, gets in about nine.", "Anna gets in about nine."),
        ("Priyanka's rating: 1612. Tomasz 1588.", "rating: Tomasz 1588."),
        ("Anna's operation went well. I send her 100 extra.", "I send Anna 100 extra."),
    ],
)
def test_what_goes_on_about_somebody_is_not_said_of_what_is_theirs(text: str, said: str) -> None:
    assert said in [each.content for each in told(text, None)]

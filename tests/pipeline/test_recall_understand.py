"""What is understood of a question."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.adapters.memory.catalogue import MemoryCatalogue
from lattice_common.domain.recall import Query
from lattice_common.ports.atoms import FileMark
from lattice_common.recall.question import Question
from lattice_common.recall.understand import MAX_TOKENS, understand
from recalled_store import atom

NOW = datetime(2026, 6, 15, tzinfo=UTC)


def understood(text: str) -> Question:
    catalogue = MemoryCatalogue()
    known = atom(
        "Caroline: I like it.", 1, subject="The Bank of Scotland", speaker="Caroline", entities=("Caroline", "Mill Lane")
    )
    catalogue.put([(known, FileMark("a.md", 0, 0))])
    return understand(Query(text), catalogue.columns(), NOW)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("When did Caroline go to the museum?", "temporal"),
        ("What day is the dentist?", "temporal"),
        ("How long ago did we move?", "temporal"),
        ("How many books did I read?", "aggregation"),
        ("What activities does Melanie partake in?", "aggregation"),
        ("What's my favourite tea?", "preference"),
        ("What did Priya recommend?", "recommendation"),
        ("Where do I live?", "factual"),
        ("Where do I go when it rains?", "factual"),
        ("", "factual"),
    ],
)
def test_the_shape_of_a_question_is_told_by_its_words(text: str, shape: str) -> None:
    assert understood(text).shape == shape


@pytest.mark.parametrize("text", ["Is that Caroline's?", "caroline’s bag", "What about CAROLINE?"])
def test_a_known_name_is_found_without_its_possessive(text: str) -> None:
    assert len(understood(text).names) == 1


def test_a_name_of_several_words_is_one_name() -> None:
    assert len(understood("Who works at the Bank of Scotland on Mill Lane?").names) == 2


def test_the_time_asked_about_is_the_period_that_is_named() -> None:
    period = understood("What happened in July 2023?").period
    assert period is not None
    assert period.first == datetime(2023, 7, 1, tzinfo=UTC).timestamp()
    assert period.last == datetime(2023, 8, 1, tzinfo=UTC).timestamp()
    assert understood("What happened?").period is None


@pytest.mark.parametrize(
    "text",
    ["Where did I live before?", "What did I use to drink?", "Where did I used to work?", "What was my old address?",
     "Who was my boss at the beginning?", "Which job did I have at first?"],
)  # fmt: skip
def test_questions_about_how_it_was_ask_for_history(text: str) -> None:
    assert understood(text).history


@pytest.mark.parametrize("text", ["Where do I live?", "What was the score?", "Remind me before the meeting"])
def test_other_questions_do_not(text: str) -> None:
    assert not understood(text).history


@pytest.mark.parametrize(
    ("text", "side", "tokens"),
    [
        ("Who was my boss, when I still lived in Leeds?", "during", {"live", "leed"}),
        ("Wer war mein Chef, als ich noch in Leeds wohnte?", "during", {"live", "leed"}),
        ("¿Quién era mi jefe cuando vivía en Leeds?", "during", {"live", "leed"}),
        ("Wo habe ich gewohnt, bevor ich den Job gewechselt habe?", "before", {"job", "chang"}),
        ("Was haben wir nach der Hochzeit gemacht?", "after", {"wed"}),
    ],
)
def test_a_clause_tells_the_time_in_other_languages_too(text: str, side: str, tokens: set[str]) -> None:
    anchor = understood(text).anchor
    assert anchor is not None
    assert anchor.side == side
    assert tokens <= set(anchor.tokens)


def test_a_pasted_page_is_looked_at_in_part() -> None:
    question = understood(" ".join(f"word{n}" for n in range(20_000)))
    assert len(question.tokens) <= MAX_TOKENS


def test_a_shortened_word_is_sought_beside_the_one_in_full() -> None:
    assert {"acct", "account", "4471"} <= set(understood("what's my acct no 4471").tokens)
    assert "acct" not in understood("what's my account").tokens

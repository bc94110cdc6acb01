"""A question of what an assistant said is told from one of what people say."""

from __future__ import annotations

import pytest
from lattice_common.language.questions.asked_of_reply import asks_of_a_reply, names_an_assistant_of


@pytest.mark.parametrize(
    "question",
    [
        "What did the assistant say about the tomatoes?",
        "What did it recommend for the roof?",
        "what did ChatGPT tell me about visas",
        "What was Claude's advice on the boiler?",
        "According to Gemini, how long does rice keep?",
    ],
)
def test_it_asks_of_a_reply(question: str) -> None:
    assert asks_of_a_reply(question)


@pytest.mark.parametrize("question", ["What did Tom say about the roof?", "Who is my assistant?", "What did I say about Claude?"])
def test_it_does_not(question: str) -> None:
    assert not asks_of_a_reply(question)


def test_somebody_may_have_the_name_of_an_assistant() -> None:
    question = "What did Claude say about the roof?"
    assert names_an_assistant_of(question, ["Our neighbour Claude is a roofer.", "The roof leaks."])
    assert not names_an_assistant_of(question, ["The roof leaks."])
    assert not names_an_assistant_of("What did it say about the roof?", ["Our neighbour Claude is a roofer."])

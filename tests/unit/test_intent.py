"""Whether words tell something or ask for something."""

from __future__ import annotations

import pytest
from lattice_common.recall.intent import intent_of


@pytest.mark.parametrize(
    "text",
    [
        "Where does Ada live?",
        "what did I buy",
        "And when is it",
        "Tell me about Ghent",
        "do you remember Rex",
        "你好吗？",
        "¿Cuándo?",
        "Ada's car?",
    ],
)
def test_questions_ask(text: str) -> None:
    assert intent_of(text) == "ask"


@pytest.mark.parametrize(
    "text",
    [
        "I live in Ghent.",
        "What a day!",
        "Have to call Ada",
        "Will's number is 12",
        "May 3 is her birthday",
        "Remember that I moved, ok?",
        "Note: is the key under the pot?",
        "Which is why I left",
        "Is it?\nIt is.",
        "",
    ],
)
def test_statements_tell(text: str) -> None:
    assert intent_of(text) == "tell"

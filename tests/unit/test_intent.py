"""Whether words tell something or ask for something."""

from __future__ import annotations

import pytest
from lattice_common.language.intents.intent import intent_of

ASKING = [
    "Where does Ada live?",
    "what did I buy",
    "And when is it",
    "Tell me about Ghent",
    "do you remember Rex",
    "你好吗？",
    "¿Cuándo?",
    "Ada's car?",
    "Ada lives in Berlin, right?",
    "Remember when we went to Rome?",
    "Remember that?",
    "Please tell me Ada's address",
    "give me Ada's number",
    "how nice is the weather in Rome",
    "When was Ada born",
    "ok so tell me: where does Ada live",
    "wo wohnt Ada",
    "Wie heißt meine Schwester",
    "und wann kommt sie",
    "où habite Ada",
    "¿Dónde vive Ada",
    "где живёт Ада",
]


@pytest.mark.parametrize("text", ASKING)
def test_questions_ask(text: str) -> None:
    assert intent_of(text) == "ask"


TELLING = [
    "I live in Ghent.",
    "What a day!",
    "Have to call Ada",
    "Will's number is 12",
    "May 3 is her birthday",
    "Remember that I moved, ok?",
    "Note: is the key under the pot?",
    "Which is why I left",
    "my PIN is 4711, ok?",
    "Can you remember that I moved to Rome?",
    "Could you note that I owe Ben 20 euros?",
    "can you remind me to call Ada",
    "Reminder: is the oven off?",
    "What I ate today: pasta",
    "How to make pasta: boil water",
    "How old Max is: 7",
    "When Ada was born we lived in Rome",
    "has been a long day",
    "will be late",
    "can't find my keys",
    "find out about flights tomorrow",
    "Who would have thought!",
    "Was für ein Tag!",
    "Kannst du dir merken, dass ich umgezogen bin?",
    "Merke dir, dass Ada in Rom wohnt",
    "запомни, что Ада живёт в Риме",
    "Quand j'étais petit, nous vivions à Lyon",
    "Когда я был маленьким, мы жили в Риме",
    "Is it?\nIt is.",
    "",
]


@pytest.mark.parametrize("text", TELLING)
def test_statements_tell(text: str) -> None:
    assert intent_of(text) == "tell"

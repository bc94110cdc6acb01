"""Is this something to remember, or something to answer? By rules: the same words always mean the same.

A wrong guess costs little: nothing is lost either way, and the box shows what it will do before it does it.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

Intent: TypeAlias = Literal["tell", "ask"]

_QUESTION_WORDS = (
    r"who|whom|whose|what|when|where|which|why|how|is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|might|"
    r"have|has|had|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|won't|what's|who's|where's|when's|how's|whats|wheres"
)
_ASKS = re.compile(
    rf"^(?:(?:and|but|so|ok|okay|hey|well)[,\s]+)?(?:{_QUESTION_WORDS})\b"
    r"|^(?:tell me|show me|find|search|look up|list|remind me (?:what|when|where|who|how|which)|do you (?:know|remember)|"
    r"summari[sz]e)\b",
    re.IGNORECASE,
)
_TELLS = re.compile(
    r"^(?:remember|note|save|fyi|don't forget|please (?:remember|note)|for the record|correction|remind me to)\b", re.IGNORECASE
)
# "What a day!", "Have to call Ada", "Will's number is …", "May 3 is her birthday": they begin like questions and are none.
_NO_QUESTION = re.compile(
    r"^(?:what (?:a|an)\b|how (?:nice|lovely|great|sad)\b|(?:have|had) (?:to|a|an|been)\b|may \d|will's\b|when i\b|whenever\b|"
    r"where i\b|which (?:is|was) (?:why|nice)\b)",
    re.IGNORECASE,
)
_QUESTION_MARKS = ("?", "？", "؟", "\u037e")


def intent_of(text: str) -> Intent:
    """`ask` for what ends in a question mark or begins as a question, `tell` for everything else."""
    words = text.strip()
    if _TELLS.match(words):
        return "tell"
    if words.startswith(_QUESTION_MARKS) or words.endswith(_QUESTION_MARKS):
        return "ask"
    if "\n" in words or _NO_QUESTION.match(words):
        return "tell"
    return "ask" if _ASKS.match(words) else "tell"

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


SHORT = 6
"""Words: what is longer and does not ask, tells."""
_ENDS = (".", "!", "…", ":", "。", "！")
_SAYS = re.compile(
    r"\b(?:is|are|am|was|were|has|have|had|will|would|can|could|should|must|needs?|wants?|likes?|loves?|lives?|works?|"
    r"moved|went|bought|got|met|said|called|paid|saw|ate|\w{2,}ed|i'm|i've|i'll|it's|that's|he's|she's|we're|they're|don't|"
    r"doesn't|didn't|[A-Za-z]+'s (?:a|an|the|in|at|on|not))\b",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"^(?:will|may|might|have|had|can|could|would|should|do|does|did|is|are|was|were)\b"
    r"(?! (?:i|you|he|she|it|we|they|there|my|our|his|her|their|(?-i:[A-Z])\w*)\b)",
    re.IGNORECASE,
)
"""An auxiliary without somebody behind it: "will be late", "did the laundry"."""


def is_sure(text: str) -> bool:
    """Whether the guess of `intent_of` is no toss-up: a question mark, a whole sentence or a command is sure; "Ada's birthday"
    and "will be late" are not."""
    words = text.strip()
    marked = words.endswith((*_QUESTION_MARKS, *_ENDS)) or words.startswith(_QUESTION_MARKS)
    if not words or marked or "\n" in words or _TELLS.match(words):
        return True
    few = len(words.split()) <= SHORT
    if intent_of(words) == "ask":
        return not (few and _EITHER.match(words))
    return not few or bool(_SAYS.search(words)) or any(char.isdigit() for char in words)

"""Whether a question asks in so many words for what holds now, or for what comes next."""

from __future__ import annotations

import re

from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.patterns import lazy_regex

_NOW = lazy_regex(
    r"\b(?:now|nowadays|these days|at (?:the )?(?:moment|present)|current(?:ly)?|still|latest|today|finally|eventually|any ?more|"
    r"in the end|up to date|this (?:year|month|week|season|spring|summer|autumn|winter|term))\b",
    re.IGNORECASE,
)


def asks_for_now(question: str) -> bool:
    """Return whether it does; other languages are read by their glosses."""
    return _NOW.search(in_english(question)) is not None


_NEXT = lazy_regex(r"\b(?:next|upcoming|forthcoming)\b(?! (?:to|door)\b)", re.IGNORECASE)


def asks_for_next(question: str) -> bool:
    """Return whether a question asks for the next of something, which nothing that is over is: "When is the next meeting?"."""
    return _NEXT.search(in_english(question)) is not None

"""What people shorten when they type English: "provider is zuna, acct no ZN-558201" is read as "provider is zuna, account number
ZN-558201" by whatever compares meanings, and found by "account" too. The memory itself stays as it was typed."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from lattice_common.language.glosses.lexicon import shorthand
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.words import any_of

_NUMBERED = (
    "acct|account|policy|ref|reference|order|invoice|serial|frame|phone|tel|mobile|part|model|case|claim|crime|member|membership|"
    "customer|client|passport|licen[cs]e|tracking|booking|conf|flight|contract|meter|card|job|batch|file|vat|tax|nhs|ni|reg"
)
_NUMBER = lazy_regex(rf"\b(?P<before>(?:{_NUMBERED})\.? )(?:no|nr|num)\.?(?=:| is\b| [A-Z]{{0,5}}[-/ ]?\d)", re.IGNORECASE)
"""Whose number follows: "frame no WBK77120"; elsewhere "no" denies."""
KEPT = 2_000
"""Characters of a text whose reading is kept for the next that asks, as that of a gloss is."""


def spelled_out(text: str) -> str:
    """Return an English text with its shortened words in full; the text itself where it has none. Linear."""
    return _kept(text) if len(text) <= KEPT else _spelled(text)


@lru_cache(maxsize=1_024)
def _kept(text: str) -> str:
    return _spelled(text)


def _spelled(text: str) -> str:
    text = _NUMBER.sub(lambda match: f"{match['before']}number", text)
    return _pattern().sub(lambda match: shorthand()[match[0].lower()], text)


@cache
def _pattern() -> re.Pattern[str]:
    words = any_of(shorthand())
    capitalised = any_of(word.capitalize() for word in shorthand() if len(word) > 2 and word not in _NAMES)
    return re.compile(rf"(?<![\w/@.'’-])(?:{words}|{capitalised})(?![\w@'’-]|/\w|\.\w)")


_NAMES = ("reg",)
"""With a capital these, and what has two letters, are names or begin something else: "Reg is my uncle", "Op-ed"."""

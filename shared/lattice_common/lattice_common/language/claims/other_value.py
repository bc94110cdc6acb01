"""The same said in the same words with another value: "Joaquim's birthday is on 22 September." and "… on 23 September.". Both
cannot be so, however alike they read to a model that compares meanings.

Only what something is, costs or measures has one value; what happened ("Paid 40 for the plumber") happens again. Things that
their numbers tell apart differ before the verb (`told_apart`). The verbs by language, as data.
"""

from __future__ import annotations

import re
from itertools import takewhile

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables import TABLES
from lattice_common.language.text import fold
from lattice_common.language.words import any_of, months, number_words, weekdays

HAS_ONE: dict[str, str] = {
    "en": r"is|are|costs?|weighs?|measures?|takes? size|['’]s",
    "de": r"ist|sind|kostet|kosten|wiegt|misst",
    "fr": r"est|sont|coûte|pèse|mesure",
    "es": r"es|son|cuesta|pesa|mide",
    "it": r"è|sono|costa|pesa|misura",
    "nl": r"is|zijn|kost|weegt|meet",
    "pt": r"é|são|custa|pesa|mede",
    "pl": r"jest|są|kosztuje|waży|ma",
}
LONGEST, LONGEST_VALUE = 20, 4
"""Words of a statement and of its value: of longer ones more than a value differs."""

_HAS_ONE = lazy_regex(rf"(?:\b|(?<=\w))(?:{'|'.join(HAS_ONE.values())})\b", re.IGNORECASE)
_VALUE = lazy_regex(
    rf"\d|\b(?:{any_of([*months(*TABLES), *weekdays(*TABLES), *number_words(2, 90)])})\b",
    re.IGNORECASE,
)
_ENDS = ".,;:!? "


def has_another_value(newer: str, older: str) -> bool:
    """Return whether two statements agree word for word but for a number, a day or a time behind the verb that says what
    something is. Linear."""
    new, old = newer.split(), older.split()
    if max(len(new), len(old)) > LONGEST:
        return False
    before = _alike(new, old)
    behind = min(_alike(new[::-1], old[::-1]), len(new) - before, len(old) - before)
    values = [" ".join(words[before : len(words) - behind]) for words in (new, old)]
    if not all(value and len(value.split()) <= LONGEST_VALUE and _VALUE.search(value) for value in values):
        return False
    return _HAS_ONE.search(" ".join(new[:before])) is not None


def _alike(new: list[str], old: list[str]) -> int:
    """Return how many words two statements have in common before the first that differs."""
    pairs = zip(new, old, strict=False)
    return sum(1 for _ in takewhile(lambda pair: fold(pair[0].strip(_ENDS)) == fold(pair[1].strip(_ENDS)), pairs))

"""How much of a question stands in an atom as it was asked, rare words counting most, and whether an exact identifier does.

Each token of the question is looked up alone, for a few atoms: one that so few have is rare, and those are they. A sum over all
tokens, as BM25 is, hardly tells the atom with the one serial number that was asked for from three hundred that say "boiler" and
"serial" as often.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np

from lattice_common.recall.question import Floats, Rows

RARE = 48
"""Atoms that a token is looked up for: one that more have is common, and tells none of them from the others."""
FEW = 12
"""Atoms that may share an identifier: what more have (an area code, a model that is talked of every week) says less."""
LOOKED_UP = 10
"""Tokens of a question that are looked up alone, identifiers first. Questions have five on average."""

_QUANTITY = re.compile(
    r"(?:19|20)\d\d(?:s|er)?|\d+(?:st|nd|rd|th|am|pm|uhr|h|hr|hrs|min|mins|kg|g|mg|lb|lbs|oz|ml|cl|l|km|m|cm|mm|mi|ft|k|w|kw|v|gb|"
    r"tb|mb|x|s|eur|usd|gbp|p|c|f)|\d+(?:[.,:/-]\d+){0,2}"
)
"""A number with its unit, a time, a date, a year: what many things share, and no name of one of them. A long number is one."""
_LONG_NUMBER, _LONGEST_DATE = 5, 8
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")


def is_identifier(token: str) -> bool:
    """Return whether a token of `language.text` names one thing: letters and at least two digits, or a number of five digits or
    more."""
    digits = len(_DIGIT.findall(token))
    if token.isdigit():
        return digits >= _LONG_NUMBER
    if digits < 2 or (digits <= _LONGEST_DATE and _QUANTITY.fullmatch(token)):
        return False
    return bool(_LETTER.search(token)) or digits >= _LONG_NUMBER


def looked_up(tokens: Sequence[str]) -> list[str]:
    """Return the tokens that are looked up alone."""
    return sorted(tokens, key=lambda token: not is_identifier(token))[:LOOKED_UP]


def identified(found: Mapping[str, Rows]) -> dict[str, Rows]:
    """Return identifier → rows of the few atoms that have it. `found`: token → rows of the fewer than `RARE` atoms with it."""
    return {token: rows for token, rows in found.items() if 0 < len(rows) <= FEW and is_identifier(token)}


def rarity(found: Mapping[str, Rows], tokens: Sequence[str], rows: Rows, count: int) -> tuple[Floats, Floats]:
    """Return for each candidate (`rows`, sorted) the share of the question's tokens that it has, each counting as its rarity
    among `count` atoms and common ones not at all, and the share of the question's identifiers that it has. `found`: as above."""
    covered, exact = np.zeros(len(rows)), np.zeros(len(rows))
    if not len(rows):
        return covered, exact
    total = 0.0
    for token in tokens:
        having = found.get(token)  # None: more have it, or it was not looked up
        known = RARE if having is None else len(having)
        rare = math.log1p((max(count, known) - known + 0.5) / (known + 0.5))
        total += rare
        if having is not None:
            covered[_places(having, rows)] += rare
    named = identified(found)
    for having in named.values():
        exact[_places(having, rows)] += 1.0 / len(named)
    return covered / max(total, 1e-9), exact


def _places(having: Rows, rows: Rows) -> Rows:
    """Return where those of the rows stand that are candidates."""
    at = np.minimum(np.searchsorted(rows, having), len(rows) - 1)
    return np.asarray(at[rows[at] == having])

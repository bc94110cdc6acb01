"""The parts of a statement that may stop to hold one without the other: "I live in Ghent with my husband Piet and our daughter
Fien (4)." has three."""

from __future__ import annotations

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.words import any_of

_JOINING = ("and", "with", "und", "mit", "et", "avec", "y", "con", "e", "com", "en", "met", "i", "z", "ve", "ile")
_BETWEEN = lazy_regex(
    rf"[,;:]\s+|\s+[-–—]\s+|(?<=[^\W\d][.!?])\s+|\s*\((?=[^()]*[^\W\d_])|(?<=[^\W\d_])\)\s*|\s+(?:{any_of(_JOINING)})\s+"
)
"""A number in brackets, as an age, belongs to what stands before it."""


def parts_of_statement(content: str) -> list[str]:
    """Return the parts, in their order, each as it was said."""
    return [part for part in (each.strip(" .,") for each in _BETWEEN.split(content)) if any(map(str.isalnum, part))]

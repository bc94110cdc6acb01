"""Whether a question names one of many things by a code that nothing found has: fault F15, where F10 and H3 are explained."""

from __future__ import annotations

from collections.abc import Iterable

from lattice_common.language.patterns import lazy_regex

CODE = lazy_regex(r"(?<![\w-])[A-Z]{1,3}-?\d{1,4}[A-Z]?(?![\w-])")
"""Letters and digits as faults, shelves, rooms and articles have them; not "2A" nor "20 mg"."""


def codes_in(text: str) -> frozenset[str]:
    """Return the codes that a text names."""
    return frozenset(CODE.findall(text))


def names_another(question: str, texts: Iterable[str]) -> bool:
    """Return whether the question names a code, none of the `texts` has it, and one has another code of the same kind: then
    they are of something else. Linear in their length."""
    asked = codes_in(question)
    if not asked:
        return False
    found = frozenset[str]().union(*map(codes_in, texts))
    kinds = {_kind(code) for code in asked}
    return asked.isdisjoint(found) and any(_kind(code) in kinds for code in found)


def _kind(code: str) -> int:
    """Return how many letters a code begins with: faults "F10" and "H3" are of one kind."""
    return sum(char.isalpha() for char in code[:3] if not char.isdigit())

"""Regular expressions that are compiled when they are first used.

The rules have some six hundred, and compiling them took a third of the time of importing the product, in every process: also in
one that reads no sentence, such as `lattice doctor`.
"""

from __future__ import annotations

import re
from typing import cast

_OF_A_PATTERN = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer", "flags", "groups", "groupindex")


class _LazyPattern:
    """Has what `re.Pattern` has. From the first use on its methods are attributes: a call costs what one of a pattern costs."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        # What is asked for without being one of them, by `copy` or `pickle` for instance, is not there.
        if name not in _OF_A_PATTERN:
            raise AttributeError(f"a pattern has no {name!r}")
        compiled = re.compile(self.pattern, self._flags)
        for each in _OF_A_PATTERN:
            setattr(self, each, getattr(compiled, each))
        found: object = getattr(compiled, name)
        return found


def lazy_regex(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return the pattern that `re.compile` returns, compiled when it is first used: one that is not valid is noticed then
    (`tests/unit/test_patterns.py` uses all of them)."""
    return cast("re.Pattern[str]", _LazyPattern(source, flags))


_ALSO_MATCHED = str.maketrans("ſıİ\u212a", "siik")


def uncased(words: str) -> str:
    """Return words in lower case as `re.IGNORECASE` compares them: it takes "ı" and "İ" for "i", "ſ" for "s" and the Kelvin sign
    for "k", so that a word which a pattern found is in its table under this name only."""
    return words.lower() if words.isascii() else words.translate(_ALSO_MATCHED).lower()

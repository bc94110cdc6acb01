"""Patterns that are tried only on texts with a word they need: one look at the words instead of one pass for each pattern.

A cue is a lower-case run of ASCII letters; every match of a pattern contains one of its cues as such a run. So the check is
exact: a text without any of them cannot match (`tests/unit/test_cued.py` generates matches from the patterns themselves).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from lattice_common.language.patterns import lazy_regex

_LETTERS = lazy_regex(r"[a-z]+")


@lru_cache(maxsize=64)
def cues_in(text: str) -> frozenset[str] | None:
    """Return the runs of letters of a text; None where it is not ASCII, because case folding is more complicated there. Cached:
    the rules of kinds, subjects and slots check one sentence after another."""
    return frozenset(_LETTERS.findall(text.lower())) if text.isascii() else None


class Cued:
    """A pattern with its cues; None where it has none, and is always tried."""

    __slots__ = ("cues", "pattern")

    def __init__(self, pattern: re.Pattern[str], cues: Iterable[str] | None) -> None:
        self.pattern = pattern
        self.cues = None if cues is None else frozenset(cues)

    def found(self, text: str, words: frozenset[str] | None) -> bool:
        """Return whether the pattern is in `text`; `words` are its `cues_in`, or more."""
        if words is not None and self.cues is not None and self.cues.isdisjoint(words):
            return False
        return self.pattern.search(text) is not None

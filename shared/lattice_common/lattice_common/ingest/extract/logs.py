"""What a log says again and again: "request served" ten thousand times is three facts, the two first and the last."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache

from lattice_common.language.sentences.split import LOG_ENTRY

FEWEST = 20
"""Entries from which on a text is a log."""
KEPT = 2
"""Of those alike, from the first on; the last is kept besides."""
LOOKED_AT = 300
"""Characters of an entry that tell whether two are alike."""

_LINE = re.compile(r"[^\n]+")
_VARIES = re.compile(r"\b(?=\w*\d)\w+\b|\"[^\"\n]*\"|'[^'\n]*'")
"""What differs between entries that say the same: numbers, times, ids, what is quoted."""


@lru_cache(maxsize=2)
def repeated(text: str) -> frozenset[int]:
    """Return where the entries begin that say what others say already."""
    alike: defaultdict[str, list[int]] = defaultdict(list)
    for line in _LINE.finditer(text):
        if LOG_ENTRY.match(line[0]):
            alike[_VARIES.sub("#", line[0][:LOOKED_AT])].append(line.start())
    if sum(map(len, alike.values())) < FEWEST:
        return frozenset()
    return frozenset(start for starts in alike.values() for start in starts[KEPT:-1])

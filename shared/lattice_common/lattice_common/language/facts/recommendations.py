"""What an assistant said is remembered only where it recommends something by name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lattice_common.language.patterns import lazy_regex

_CUE = lazy_regex(
    r"\b(?:recommend\w*|suggest\w*|try|consider|check out|look (?:at|into)|you (?:could|should|"
    r"might|can)|great (?:option|choice|place|pick)|"
    r"good (?:option|choice|place|pick)|popular|best|worth|visit|start with|go (?:with|for)|how about)\b",
    re.IGNORECASE,
)
_ITEM = lazy_regex(r"^\s*(?:[-*+•]|\d{1,3}[.)])?\s*\*\*[^*\n]{2,80}\*\*|^\s*\d{1,3}[.)]\s+[A-ZÀ-Þ\"“][\w'’ -]{2,60}(?::| [-–—] )")
_QUOTED_TITLE = lazy_regex(r"[\"“*_][A-ZÀ-Þ][^\"”*_\n]{2,80}[\"”*_]")


def recommends(words: str, names: Sequence[str]) -> bool:
    """Return whether a sentence of an assistant names something specific and recommends it."""
    if _ITEM.match(words):
        return True
    return bool(_CUE.search(words)) and bool(names or _QUOTED_TITLE.search(words))

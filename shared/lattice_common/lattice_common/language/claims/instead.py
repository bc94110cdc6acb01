"""Whether a sentence says what is so in place of what the one before ended: "Brittany's off. We're doing Whitby instead."."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

_INSTEAD = lazy_regex(
    r"\b(?:instead(?! of)|in its place|stattdessen|dafür|à la place|plutôt|en su lugar|en cambio|invece|al suo posto|"
    r"em vez disso|no lugar|in plaats daarvan|zamiast tego|вместо этого|yerine)\b",
    re.IGNORECASE,
)


def says_what_instead(words: str) -> bool:
    """Return whether words name what takes the place of something that they do not name themselves."""
    return _INSTEAD.search(words) is not None

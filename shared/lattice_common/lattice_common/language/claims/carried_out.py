"""A plan in the words of the day on which it is carried out: "I'm moving to Leeds" is then "I moved to Leeds".

What holds now may end with it, and the rules that say so know the words of what has happened.
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

_COMING = r"(?:\s*(?:['’](?:m|s|re|ll)\b|\b(?:will|shall|am|is|are|be|to|going|planning|due)\b))*\s+"
_MOVES = lazy_regex(rf"{_COMING}(?:moves?|moving|relocat(?:es?|ing))\b(?=\s+to\b)", re.IGNORECASE)
_STARTS = lazy_regex(
    rf"{_COMING}(?:(?:starts?|starting|begins?|beginning)(?:\s+(?:(?:an?|my|his|her|the)\s+(?:new\s+)?)?(?:job|work|working|position))?"
    r"\s+(?:at|with|for)|(?:works?|working)\s+(?:at|with|for)|joins?|joining)\b",
    re.IGNORECASE,
)


def carried_out(plan: str) -> str | None:
    """Return what a plan to move or to work somewhere says once it is carried out; None for other plans."""
    done = _STARTS.sub(" started a job at", _MOVES.sub(" moved", plan, count=1), count=1)
    return None if done == plan else done

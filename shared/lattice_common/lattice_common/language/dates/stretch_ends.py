"""When what a text speaks of ends, where it says so behind the day on which it begins: "from 00:01 on 19 June 2026 to midnight on
18 June 2027"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from lattice_common.language.dates.mentions import DateMention
from lattice_common.language.patterns import lazy_regex

_TO = lazy_regex(
    r"(?: \(?(?:inclusive|incl\.|einschließlich|inclus|incluido)\)?)?,? ?"
    r"(?:to|till|until|through|up to|bis(?: zum| einschließlich)?|au|jusqu['’]au|al|hasta(?: el)?|até(?: a| o)?|tot|[-–—]) ?"
    r"(?:(?:midnight|noon|mitternacht|minuit|medianoche|mezzanotte|\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|uhr|h)?)"
    r"(?: on| am| le| el| del)?,? )?"
    r"(?:(?:the|den|le|el|il) )?",
    re.IGNORECASE,
)
_EXACT = ("day", "minute", "hour")


def stretch_end(text: str, mentions: Sequence[DateMention]) -> datetime | None:
    """Return when the first stretch between two days ends that `mentions`, those of `text`, are the ends of; None where there is
    none. Of "3 to 17 August", which is one mention, nothing is known to end."""
    for first, last in pairwise(mentions):
        exact = first.precision in _EXACT and last.precision in _EXACT and first.whole[1] <= last.whole[0]
        if exact and first.valid_from is not None and _TO.fullmatch(text, first.end, last.start):
            return last.whole[1]
        # "19 June 2026 until 18 June 2027": the second one has the word in it.
        if exact and last.valid_from is None and not text[first.end : last.start].strip():
            return last.valid_until
    return None

"""What goes on only today or this week: "I'm working from the fifth floor today." ends nothing about a desk on the third one.

Such a statement retires nothing by itself. English only, and no verb of a change ("I'm starting at Contoso today"): in other
words, and in other languages, the judge knows what is passing (decision 49).
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

_TIME = r"(?:today|tonight|this (?:week|weekend|morning|afternoon|evening))\b"
_IS = r"(?:\b(?:am|is|are)|['’](?:m|s|re)) (?:(?:just|only|not|all|still|also) )?"
_GOES_ON = (
    r"(?:(?!(?:start|mov|leav|switch|chang|quitt|join|end|stopp|finish|becom|giv|tak|gett|hand|sell|retir|go|com|clear|be)ing\b)\w+ing"
    r"|in|at|on|with|off|out)\b"
)
_PASSING = lazy_regex(
    rf"{_IS}{_GOES_ON}[^,;.:!?]*?(?<!\bfrom )(?<!\bof )(?<!\bsince )\b{_TIME}"
    rf"|^(?:{_TIME},? )[^,;.:!?]*?{_IS}{_GOES_ON}",
    re.IGNORECASE,
)


def is_passing(content: str) -> bool:
    """Return whether a statement tells of something that goes on for a day or a week."""
    return _PASSING.search(content) is not None

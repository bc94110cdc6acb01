"""What goes on only for a while: "I'm working from the fifth floor today." ends nothing about a desk on the third one, nor
"Alusine drives these days, but the old man will resume." anything about who the driver is.

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


_WILL_BE = r"(?:\bwill|['’]ll|\b(?:is|are)(?:n['’]t)? going to|\bgonna) (?:then |soon |surely |certainly )?"
_BACK = r"(?:back|better|well|home|up|recovered|mended|fixed|repaired)\b"
_AWAY = (
    r"(?:away|off|out|ill|sick|recovering|on (?:leave|holiday|vacation|maternity\w*|furlough)|in (?:hospital|rehab|plaster))\b"
)
_IS_SOMEBODY = r"[^,;.:!?]{1,40}?(?:\b(?:is|are|am)|['’](?:s|re|m)) "
_COMES_BACK = lazy_regex(
    rf"{_WILL_BE}(?:resume|return|be back|come back|take over again)\b"
    rf"|\b(?:until|till|til) (?:{_IS_SOMEBODY}{_BACK}|[^,;.:!?]{{1,40}}?\b(?:returns?|comes? back|gets? back)\b)"
    rf"|\bwhile {_IS_SOMEBODY}{_AWAY}"
    r"|\b(?:cover(?:s|ing)?|stand(?:s|ing)? in|fill(?:s|ing)? in) for\b",
    re.IGNORECASE,
)
"""Of the news for training it occurs in 2 pieces that end something, and in 79 that do not."""


def is_passing(content: str) -> bool:
    """Return whether a statement tells of something that goes on for a day or a week, or until another is back."""
    return _PASSING.search(content) is not None or comes_back(content)


def comes_back(sentence: str) -> bool:
    """Return whether a sentence says that how it was comes back, or that somebody stands in for another."""
    return _COMES_BACK.search(sentence) is not None

"""Sentences that only say how what was spoken of before was, what it did to the writer or cost, or how often it is done: "Took me
ages.", "A bit salty.", "£900 cheaper.", "Same rate.", "Ended up paying 425.", "3 times a week." Alone they say nothing."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.verbs import PAST
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, number_words

_ORDERS_TOO = frozenset(("put", "set", "read", "let", "cut", "hit", "beat", "shut"))
_DID_TO_ME = lazy_regex(
    rf"(?:{any_of(PAST - _ORDERS_TOO)}|cost|costs|takes|makes|keeps|gives|drives|suits|saves|helps|\w{{2,}}ed) (?:me|us)\b",
    re.IGNORECASE,
)
_DEGREE = lazy_regex(
    r"(?:(?:(?:just|only|quite) )?a (?:bit|little|lot|tad|touch)|bit|much|way|far|rather|quite|very|really|too|pretty|slightly) "
    r"(?:too |more |less |very )?(?!\w+ed\b)[a-z'-]{3,}(?:[.,!;]|$| (?:than|for|but|and|though|now|to)\b)",
    re.IGNORECASE,
)
_CHEAPER = lazy_regex(
    r"[$€£]?\d[\d.,]*k?%?(?: ?[a-z]{1,8})? (?:cheaper|dearer|more|less|extra|off|lighter|heavier|longer|shorter|over|under|"
    r"too much)\b"
    r"(?: (?:than|a) .*)?[.!]?$",
    re.IGNORECASE,
)
_SAME = lazy_regex(r"(?:(?:at|for|on) )?(?:the )?same (?:[a-z]+ ){0,1}[a-z]+(?: (?:as|like) [^,;.]+)?[.!]?$", re.IGNORECASE)
_COST = lazy_regex(
    r"(?:(?:in the end|we|i|only|just) )*(?:ended up (?:paying|costing)|paid|paying|cost|costs|set (?:me|us) back|came to)"
    r"(?: (?:about|around|only|just|me|us))* [$€£]?\d[\d.,]*k?(?! of\b)(?!.* for (?:the|a|an|my|our|it|that|them)\b)",
    re.IGNORECASE,
)
_WAS = lazy_regex(
    r"(?:was|were|is|used to be) (?:(?:about|around|only|just) )?[$€£]?\d[\d.,]*[a-z%€£]*(?: (?:an?|per) \w+| before)?[.!]?$",
    re.IGNORECASE,
)
_SOMEHOW = lazy_regex(
    r"(?:(?:and|but|so) )?(?:i|we|he|she|it|they)(?:['’](?:m|re|s)| am| are| is| was| were) (?:so |very |really |too |just )?"
    r"(?:allergic|intolerant|(?:not )?allowed|(?:not )?keen|fine with it|used to it|happy with it|fed up)[.!]?$",
    re.IGNORECASE,
)
"""Of what, was said before: "Can't take penicillin, I'm allergic."."""
_ANOTHER_ONE = lazy_regex(
    r"(?:(?:the|my|our|his|her) )?(?:new|old|next|other|second|spare|replacement) ones?(?:['’]s)?\b", re.IGNORECASE
)
"""What takes the place of what was spoken of: "New one ordered, size 9."."""
_TIMES = rf"(?:\d+|{any_of(number_words(2, 6))}) (?:times|days|hours|nights)|once|twice|every (?:other|second)"
_HOW_OFTEN = lazy_regex(
    rf"(?:about |around |at least |up to )?(?:{_TIMES}) (?:an? |per |each |every )?(?:day|night|week|fortnight|month|year)s?\b"
    r"(?!.*\b(?:is|are|was|were|we|i|they|he|she)\b)",
    re.IGNORECASE,
)
_ON_DAYS = lazy_regex(
    r"(?:we|i|they|he|she)(?:['’]ll)? (?:do|does|go|goes|meet|meets) (?:it )?(?:on )?"
    rf"(?:{any_of(f'{day}s' for day in ENGLISH_WEEKDAYS)})\b",
    re.IGNORECASE,
)
_SOMEBODY_DOES = lazy_regex(r"^[^,;]*\b(?:i|we|he|she|it|they|you|is|are|was|were|has|have|had)\b", re.IGNORECASE)


_UNDECIDED = lazy_regex(
    r"(?:(?:i|we|but|and|still|really|just|though) )*(?:haven['’]?t|have not|not|undecided)\b(?: (?:really|yet|quite|fully))*"
    r"(?: decided| made (?:my|our) minds? up| sure)?(?: yet| though)*[.!]?$",
    re.IGNORECASE,
)
"""Of what, was said before: "Thinking of dropping French. Haven't decided."."""


def leaves_it_open(words: str) -> bool:
    """Return whether these words only say that what was spoken of before them is not decided."""
    return _UNDECIDED.match(words) is not None


def says_how_it_was(words: str) -> bool:
    """Return whether these words have no subject but what was spoken of before them."""
    if any(
        each.match(words)
        for each in (_DID_TO_ME, _CHEAPER, _SAME, _COST, _WAS, _SOMEHOW, _ANOTHER_ONE, _HOW_OFTEN, _ON_DAYS, _UNDECIDED)
    ):
        return True
    return _DEGREE.match(words) is not None and _SOMEBODY_DOES.match(words) is None

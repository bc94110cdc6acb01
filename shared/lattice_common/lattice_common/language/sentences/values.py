"""The values behind a label, of which each is a fact by itself: "Hen house: 7 hens, 1 cockerel, feed in the dustbin".

A comma parts two of them only where what follows says something of what the label names without the words before it: not the
rest of a time or an address, nor what is set beside a name ("Biscuit, Priya's corgi"), nor anything that a denial or a doubt
before it may reach. An appointment ("Dentist: 3 March, 10:40, room 5"), things of one kind ("milk, eggs and bread") and a long
list are one fact.
"""

from __future__ import annotations

import re

from lattice_common.domain.atom import Span
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.clauses import ENCLOSED, has_verb, reaches_on
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, words_of
from lattice_common.language.sentences.verbs import FINITE
from lattice_common.language.words import CAPITALISED_TIMES, MONTHS_IN_DATES, any_of

MOST = 6
"""Values that are told one by one; what has more is a list to look at whole."""

_COMMA = lazy_regex(r",\s+")
_JOINS = lazy_regex(r"\b(?:and|or|und|oder|y|o|et|ou|e|en|of|i|lub|ve)\b|&")
_TIME = lazy_regex(
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s+(?:de\s+)?)?(?:{any_of(frozenset(MONTHS_IN_DATES) | CAPITALISED_TIMES)})\b"
    r"|(?:at\s+)?\d{1,2}(?:[:.]\d\d)?\s*(?:am|pm|[ap]\.m\.|uhr|h|o['’]clock)?\W*$|(?:19|20)\d\d\b"
    r"|(?:noon|midnight|mornings?|afternoons?|evenings?|nights?)\b"
)
"""In small letters: the rest of a time."""
_NAMES = lazy_regex(r"(?:[A-ZÀ-Þ\d][\w.'’&-]*(?:\s+|\W*$))+")
"""Capitalised words and numbers alone: a further part of a name or an address."""
_NAME_WITH_A_NUMBER = lazy_regex(r"[A-ZÀ-Þ][^,]*\s\d[\d.,½¼¾]*\W*")
_MEASURE = lazy_regex(r"\d[\d.,]*\s+[\w²³°%€$£]+\W*")
"""A number and its unit, which may measure what stands before it: "12 panels, 4.9 kWp"."""
_IS_OR_HAS = lazy_regex(
    r"\b(?:is|are|was|were|has|have|had|costs?|weighs?|measures?|belongs?|belonged|comes?|came|gets?|takes?)\b|['’]s\b",
    re.IGNORECASE,
)
_COMPARES = lazy_regex(r"\b(?:than|of (?:it|them|which|whom)|each|like|as)\b", re.IGNORECASE)
_IS_SOMEWHERE = lazy_regex(
    r"(?![a-z]+s\s(?:in|on|at|by|from|for|with|under)\s)[a-z][\w-]*(?:\s[a-z][\w-]*)?\s"
    r"(?:in|on|at|under|behind|next|with|by|from|till|until|for)\s",
    re.IGNORECASE,
)
"""Not "answers by fax", which may be a verb."""
_NAMED_VALUE = lazy_regex(
    r"(?:(?:the|its|their)\s)?(?:[a-z]+\s)?(?:fees?|price|cost|rent|deposit|salary|charge|tickets?|codes?|password|passcode|pin|login|"
    r"username|phone|mobile|tel|number|extension|ext|plate|reg|size)\.?\s(?:is\s|of\s)?\S*\d(?:[^,]|,\d)*",
    re.IGNORECASE,
)
"""What has a value of its own, whatever it is of: "fee 1,200", "code 7731". Not a room, a gate or a flat, which are a part of an
appointment or an address."""
_BEGIN_NONE = FUNCTION_WORDS | FINITE
_LEANS = lazy_regex(
    r"(?:\w+['’]s|than|each|total|altogether|all|both|half|more|less|also|plus|ditto|kidding|jk|lol|etc|next|"
    r"other|another|rest|second|third|last|prochain\w*|nächste\w*|próxim\w*|prossim\w*|volgende|ander\w*)\b|\(",
    0,
)


_PRICED = lazy_regex(
    r"(?:(?:the|an?|our|my) )?(?:[^\W\d_][\w'’-]*(?: (?!is\b|are\b)[^\W\d_][\w'’-]*){0,2}) "
    r"(?:(?:is|are|costs?|was|were|now|at|for) ){0,2}"
    r"(?P<sum>[$€£] ?\d+(?:[.,]\d+)?|\d+[.,]\d\d(?!\d)|\d+(?= (?:euros?|pounds|dollars|quid|pence|cents)\b)|\d+(?=p\b|€|£))"
    r"(?:(?:p|€|£)?(?: (?:each|euros?|pounds|dollars|quid|pence|cents|an?|per|a|the|\w+)){0,3})\W*",
    re.IGNORECASE,
)
"""A thing and its price: "rye £4.80", "croissants are 2.60 each"."""
_PAID = lazy_regex(
    r"\b(?:and|paid|pay|pays|cost me|spent|deposit|total|left|owes?|extra|discount|off|change|tip|vat|kids?|children|adults?|"
    r"students?|seniors?|concessions?|members?|under|over|small|medium|large|single|return|more|less|then|fee|delivery)\b",
    re.IGNORECASE,
)
"""Of one thing for which there are several prices, or of what is to be paid together."""


def prices(text: str, span: Span) -> list[Span]:
    """Return the things of which a clause gives a price each: "Sourdough is £4.20, rye £4.80"; the whole where it says anything
    else."""
    words = text[span.start : span.end]
    pieces = _between_commas(words, 0)
    if not 2 <= len(pieces) <= MOST or _PAID.search(words):
        return [span]
    found = [_PRICED.fullmatch(words[piece.start : piece.end]) for piece in pieces]
    if not all(found) or not any(match and not match["sum"][0].isdigit() for match in found):
        return [span]
    return [Span(span.start + piece.start, span.start + piece.end) for piece in pieces]


def values(text: str, span: Span) -> list[Span]:
    """Return the values of a list whose label stands at its beginning, the first one with the label; the whole where it is not
    to be parted."""
    words = text[span.start : span.end]
    begin = words.find(":") + 1
    pieces = _between_commas(words, begin)
    said = [words[piece.start : piece.end].strip() for piece in pieces]
    if not 2 <= len(pieces) <= MOST or _is_of_one_kind(said) or _TIME.match(said[0].lower()):
        return [span]
    stand = [_stands(piece, said[at], said[0]) and _MEASURE.fullmatch(piece) is None for at, piece in enumerate(said[1:])]
    return _parted(words, span, pieces, begin, stand)


def further_values(text: str, span: Span) -> list[Span]:
    """Return a clause that says what something is or has, and what else is said of it behind commas, without a verb: "The flat
    is 48 square metres, sauna in the basement, two lifts"; the whole where there is nothing."""
    words = text[span.start : span.end]
    pieces = _between_commas(words, 0)
    said = [words[piece.start : piece.end].strip() for piece in pieces]
    if not 2 <= len(pieces) <= MOST or _IS_OR_HAS.search(said[0]) is None or _is_of_one_kind(said):
        return [span]
    return _parted(words, span, pieces, 0, [_adds(piece) and _stands(piece, "", said[0]) for piece in said[1:]])


def _between_commas(words: str, begin: int) -> list[Span]:
    enclosed = [match.span() for match in ENCLOSED.finditer(words)]
    commas = [each for each in _COMMA.finditer(words, begin) if not any(at <= each.start() < end for at, end in enclosed)]
    starts, ends = [begin, *(comma.end() for comma in commas)], [*(comma.start() for comma in commas), len(words)]
    return [Span(start, end) for start, end in zip(starts, ends, strict=True)]


def _parted(words: str, span: Span, pieces: list[Span], begin: int, stand: list[bool]) -> list[Span]:
    """Return the pieces, those that do not `stand` with the ones before them; none behind what may reach across it."""
    found: list[Span] = []
    start = 0
    for before, piece, stands in zip(pieces, pieces[1:], stand, strict=False):
        if reaches_on(words[begin : before.end]):
            break
        if stands:
            found.append(Span(span.start + start, span.start + before.end))
            start = piece.start
    return [*found, Span(span.start + start, span.end)]


def _adds(piece: str) -> bool:
    """Return whether words without a verb say a further thing of a subject: how much or many, a value of it, what state, or what
    is where."""
    if has_verb(piece):
        return False
    is_told = piece[:1].isdigit() or _IS_SOMEWHERE.match(piece) is not None
    return _NAMED_VALUE.fullmatch(piece) is not None or (is_told and _COMPARES.search(piece) is None)


def _is_of_one_kind(pieces: list[str]) -> bool:
    """Return whether these are things in a row: the last one is joined to them, or none says anything of them."""
    last = pieces[-1]
    if _JOINS.match(last.lower()):
        return True
    return all(len(words_of(piece)) <= 2 and not any(map(str.isdigit, piece)) for piece in pieces)


def _stands(piece: str, before: str, first: str) -> bool:
    """Return whether a value says something by itself of what the label names. What begins with a verb may be said of the value
    before it, and what has none of what is said there."""
    said = words_of(piece)
    if len(said) < 2 or said[0] in _BEGIN_NONE or (said[0].endswith("ed") and len(said[0]) > 4):
        return False
    if _LEANS.match(piece.lower()) or _TIME.match(piece.lower()) or (has_verb(before) and not has_verb(piece)):
        return False
    if _NAMES.fullmatch(piece):
        return bool(_NAME_WITH_A_NUMBER.fullmatch(piece) and _NAME_WITH_A_NUMBER.fullmatch(first))
    return True

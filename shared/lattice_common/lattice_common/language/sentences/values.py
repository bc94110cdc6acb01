"""The values behind a label, of which each is a fact by itself: "Hen house: 7 hens, 1 cockerel, feed in the dustbin".

A comma parts two of them only where what follows says something of what the label names without the words before it: not the
rest of a time or an address, nor what is set beside a name ("Biscuit, Priya's corgi"), nor anything that a denial or a doubt
before it may reach. An appointment ("Dentist: 3 March, 10:40, room 5"), things of one kind ("milk, eggs and bread") and a long
list are one fact.
"""

from __future__ import annotations

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
_NAMES = lazy_regex(r"(?:[A-ZÀ-Þ\d][\w.'’&-]*\s*)+[\w.)]*")
"""Capitalised words and numbers alone: a further part of a name or an address."""
_NAME_WITH_A_NUMBER = lazy_regex(r"[A-ZÀ-Þ][^,]*\s\d[\d.,½¼¾]*\W*")
_LEANS = lazy_regex(r"(?:\w+['’]s|than|each|total|altogether|all|both|half|more|less|also|plus|ditto|kidding|jk|lol|etc)\b|\(", 0)


def values(text: str, span: Span) -> list[Span]:
    """Return the values of a list whose label stands at its beginning, the first one with the label; the whole where it is not
    to be parted."""
    words = text[span.start : span.end]
    enclosed = [match.span() for match in ENCLOSED.finditer(words)]
    begin = words.find(":") + 1
    starts = [begin]
    commas = [each for each in _COMMA.finditer(words, begin) if not any(at <= each.start() < end for at, end in enclosed)]
    ends = []
    for comma in commas:
        ends.append(comma.start())
        starts.append(comma.end())
    pieces = [words[start:end].strip() for start, end in zip(starts, [*ends, len(words)], strict=True)]
    if not 2 <= len(pieces) <= MOST or _is_of_one_kind(pieces) or _TIME.match(pieces[0].lower()):
        return [span]
    found: list[Span] = []
    start = 0
    for at, piece in enumerate(pieces[1:], 1):
        if reaches_on(words[begin : ends[at - 1]]):
            break
        if _stands(piece, pieces[at - 1], pieces[0]):
            found.append(Span(span.start + start, span.start + ends[at - 1]))
            start = starts[at]
    return [*found, Span(span.start + start, span.end)]


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
    if len(said) < 2 or said[0] in FUNCTION_WORDS | FINITE or (said[0].endswith("ed") and len(said[0]) > 4):
        return False
    if _LEANS.match(piece.lower()) or _TIME.match(piece.lower()) or (has_verb(before) and not has_verb(piece)):
        return False
    if _NAMES.fullmatch(piece):
        return bool(_NAME_WITH_A_NUMBER.fullmatch(piece) and _NAME_WITH_A_NUMBER.fullmatch(first))
    return True

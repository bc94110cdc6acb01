"""Names in a text: capitalised words that are taken for the name of somebody or something.

A capital may mark a name or the beginning of a sentence; in doubt a word is taken for an ordinary one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.given_names import SMALL_NAMES
from lattice_common.language.tables.english_words import (
    AROUND_NOUNS,
    ARTICLES,
    POSSESSIVES,
    PREPOSITIONS,
    QUESTION_WORDS,
    SUBJECTS,
)
from lattice_common.language.tables.first_names import HE, SHE
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of, months, number_words, past, short_months, weekdays

NOT_NAMES = (
    (AROUND_NOUNS | SUBJECTS | POSSESSIVES | QUESTION_WORDS | frozenset(number_words(2, 12)))
    | vocabulary(
        """i'm i've i'd i'll user user's users owner speaker author narrator her there during all some most many each
        every both no not never one yes yeah oh well wow hey thanks am pm uhr
        then afterwards anyway meanwhile otherwise perhaps maybe still just only even yet"""
    )
) - {"whom", "whose"}
"""Capitalised words that name nobody new: the owner, and words that begin sentences."""

_COMMON_BEGINNING = lazy_regex(
    r"(?:\w+(?:ed|ing|ly|tion|ment|ness|ity|ism|ence|ance)|has|have|is|are|was|were|likes?|"
    r"loves?|wants?|plans?|works?|lives?|gets|makes|"
    r"takes|runs|feels|thinks?|believes?|prefers?|"
    r"enjoys?|hates?|dislikes?|owns?|"
    r"needs?|hopes?|wishes|knows?|says|keeps?|begins|becomes|comes|goes|gives|reads?|"
    r"speaks?|drinks?|eats?|drives?|teaches|"
    r"birthday|favou?rite|allergic|new|old|next|last|first|current|home|job|phone|email|date|name|address|"
    r"always|never|avoids?|can|cannot|does|did|will|would|should|may|might|must|more|less|now|today|also|together)",
    re.IGNORECASE,
)
_NAMES_IN_S = vocabulary(
    """james thomas charles nicholas lucas carlos chris marcus agnes frances francis dennis louis andreas hannes douglas
    nicolas matthias jonas klaus jules travis curtis silas elias tobias lukas markus niklas joris boris doris phyllis
    alexis paris athens texas brussels kansas illinois arkansas cyprus siemens mercedes adidas lewis harris davis jones
    williams adams collins"""
)
"""Names that end in s: other such words at the beginning of a sentence are plurals ("Flights cost …")."""
_AFTER_A_VERB = lazy_regex(
    rf"\s+(?:{any_of(ARTICLES | POSSESSIVES | PREPOSITIONS)}|about|her|that|it|them|him|up|out|as|into|\d)\b",
    re.IGNORECASE,
)
_FIRST_NAMES = (SHE | HE | SMALL_NAMES) - vocabulary(
    "will mark rose max grace frank jack iris lily bill rob christian florence carol sally victor"
)
"""Words that are names at the beginning of a sentence as well."""
_DID = past("en") - SHE - HE - SMALL_NAMES
"""Begins a note of what its writer did: "Lent Del 150." names one person."""
_WEEKDAY_OR_MONTH = frozenset([*weekdays("en"), *(f"{day}s" for day in weekdays("en")), *months("en"), *short_months("en")])

_WORD = lazy_regex(r"(?<!\w)[^\W\d_][\w]*(?:['’.&-][\w]+)*")
_SENTENCE_END = lazy_regex(r"[.!?:…›(\[\"“]\s*$|^\s*$|^[-*•>\s]+$")


@dataclass(frozen=True, slots=True)
class Name:
    """A capitalised word, without its possessive, where it stands, and whether its capital may be that of a sentence's
    beginning."""

    word: str
    start: int
    initial: bool


def capitalised(text: str) -> list[Name]:
    """Return the capitalised words of a text, in order."""
    return [
        Name(re.sub(r"['’](?:s|S|m|ll|ve|d|re)?$", "", match[0]), match.start(), _begins(text, match.start()))
        for match in _WORD.finditer(text)
        if match[0][0].isupper()
    ]


def _begins(text: str, start: int) -> bool:
    return bool(_SENTENCE_END.search(text, max(0, start - 4), start)) if start else True


def names_of(text: str) -> list[Name]:
    """Return the capitalised words that are taken for names, in order; a sentence's first word only where nothing speaks against
    it."""
    return [
        name
        for name in capitalised(text)
        if name.word.lower() not in NOT_NAMES
        and name.word.lower() not in _WEEKDAY_OR_MONTH
        and not (name.initial and _ordinary(text, name))
    ]


def _ordinary(claim: str, name: Name) -> bool:
    """Return whether the first word of a sentence is capitalised for that reason only: names are followed by verbs, verbs by
    their objects."""
    if name.word.lower() in _FIRST_NAMES:
        return False
    if _COMMON_BEGINNING.fullmatch(name.word) or name.word.lower() in _DID:
        return True
    if name.word.endswith("s") and len(name.word) >= 5 and name.word.lower() not in _NAMES_IN_S:
        return True
    return bool(_AFTER_A_VERB.match(claim, name.start + len(name.word)))

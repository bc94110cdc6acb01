"""The names in a text that its source does not contain, and who does what.

A capital may mark a name or the beginning of a sentence; in doubt a word is taken for an ordinary one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from lattice_common.language.claims.words import Name, capitalised, stems_of
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
from lattice_common.language.words import any_of, months, past, short_months, weekdays

_OWNER = (
    (AROUND_NOUNS | SUBJECTS | POSSESSIVES | QUESTION_WORDS)
    | vocabulary(
        """i'm i've i'd i'll user user's users owner speaker author narrator her there during all some most many each
        every both no not never one yes yeah oh well wow hey thanks am pm uhr"""
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
_WEEKDAY_OR_MONTH = frozenset([*weekdays("en"), *months("en"), *short_months("en")])


def unknown_name(claim: str, known: Iterable[str]) -> str | None:
    """Return the first name in `claim` that none of the `known` texts has; None where there is none."""
    allowed: frozenset[str] | None = None
    for name in capitalised(claim):
        lowered = name.word.lower()
        if lowered in _OWNER or lowered in _WEEKDAY_OR_MONTH:
            continue
        if allowed is None:
            allowed = frozenset().union(*(_vocabulary(text) for text in known))
        if _known(lowered, allowed) or (name.initial and _ordinary(claim, name)):
            continue
        return name.word
    return None


def unknown_person(claim: str, known: Iterable[str]) -> str | None:
    """Return the first name of a person in `claim` that none of the `known` texts has, whatever languages these are in."""
    allowed = frozenset().union(*(_vocabulary(text) for text in known))
    people = (name.word for name in capitalised(claim) if name.word.lower() in SMALL_NAMES)
    return next((word for word in people if not _known(word.lower(), allowed)), None)


def names_of(text: str) -> list[Name]:
    """Return the capitalised words that are taken for names, in order; a sentence's first word only where nothing speaks against
    it."""
    return [
        name
        for name in capitalised(text)
        if name.word.lower() not in _OWNER
        and name.word.lower() not in _WEEKDAY_OR_MONTH
        and not (name.initial and _ordinary(text, name))
    ]


def _known(word: str, allowed: frozenset[str]) -> bool:
    if word in allowed or word.rstrip("s") in allowed or f"{word}s" in allowed:
        return True
    return all(part in allowed for part in _PART.findall(word)) or any(stem in allowed for stem in stems_of(word))


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


_PART = lazy_regex(r"[^\W_]+")


@lru_cache(maxsize=512)
def _vocabulary(text: str) -> frozenset[str]:
    parts = _PART.findall(text.lower())
    return frozenset(parts) | frozenset(stem for part in parts for stem in stems_of(part))


def another_doer(claim: str, quote: str, names: str, speaker: str) -> str | None:
    """Return who does in `claim` what somebody else does in `quote`: "Bob hired Alice" is not "Alice hired Bob", and "I went",
    said by `speaker`, is not what the other did. Only people whom the quote or `names` mention are compared."""
    speaker = speaker.lower().split(" ")[0]
    theirs = _doings(quote, speaker)
    if not theirs:
        return None
    said = quote.lower()
    for who, deed in sorted(_doings(claim, speaker)):
        doers = {other for other, act in theirs if act == deed}
        if doers and who not in doers and (who in said or who in names.lower()):
            return who
    return None


def strangers(claim: str, quote: str, context: str = "", speaker: str = "") -> list[str]:
    """Return up to five stems of a claim that has almost nothing in common with its source; empty where it has, or where the
    quote is not ASCII: then it may be in another language than the claim, and is not judged."""
    if not quote.isascii():
        return []
    ours = {stem for part in _PART.findall(claim.lower()) for stem in stems_of(part)} - _vocabulary(speaker)
    if len(ours) < 2:
        return []
    shared = ours & (_vocabulary(quote) | _vocabulary(context))
    return [] if len(shared) >= SUPPORT * len(ours) else sorted(ours - shared)[:5]


SUPPORT = 0.2
"""Share of a claim's stems that its quote and context must hold. Paraphrases of the labelled table have 0.25 and more, made-up
claims 0 to 0.15."""

_BE = vocabulary("is are was were be been being get gets got am")
_SKIPPED = vocabulary(
    "also just really have has had will would did do does should could can may might finally recently never always still "
    "already then"
)


def _doings(text: str, speaker: str) -> set[tuple[str, str]]:
    """Return pairs of who does what: names (and the speaker's "I") with the stem of the verb right after them, without
    passives."""
    found: set[tuple[str, str]] = set()
    tokens = [(match[0], match.start()) for match in _DOING.finditer(text)]
    for at, (word, start) in enumerate(tokens):
        own = word in ("I", "we", "We")
        if not own and not (word[0].isupper() and word.lower() not in _OWNER):
            continue
        who = (speaker or "i") if own else word.lower()
        if who in ("user", "owner"):
            who = speaker or "i"
        for verb, begin in tokens[at + 1 : at + 5]:
            if re.search(r"[^\w\s'’]", text[start:begin]) or verb.lower() in _BE or verb[0].isupper():
                break
            if verb.lower() in _SKIPPED:
                continue
            stems = stems_of(verb)
            if stems:
                found.add((who, stems[0]))
            break
    return found


_DOING = lazy_regex(r"[^\W\d_]+")

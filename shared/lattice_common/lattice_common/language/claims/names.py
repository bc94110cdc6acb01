"""The names in a text that its source does not contain, and who does what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from lattice_common.language.names import NOT_NAMES, capitalised, names_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.given_names import SMALL_NAMES
from lattice_common.language.text import stems_of
from lattice_common.language.vocabulary import vocabulary


def unknown_name(claim: str, known: Iterable[str]) -> str | None:
    """Return the first name in `claim` that none of the `known` texts has; None where there is none."""
    names = names_of(claim)
    allowed = frozenset().union(*(_vocabulary(text) for text in known)) if names else frozenset()
    return next((name.word for name in names if not _known(name.word.lower(), allowed)), None)


def unknown_person(claim: str, known: Iterable[str]) -> str | None:
    """Return the first name of a person in `claim` that none of the `known` texts has, whatever languages these are in."""
    allowed = frozenset().union(*(_vocabulary(text) for text in known))
    people = (name.word for name in capitalised(claim) if name.word.lower() in SMALL_NAMES)
    return next((word for word in people if not _known(word.lower(), allowed)), None)


def _known(word: str, allowed: frozenset[str]) -> bool:
    if word in allowed or word.rstrip("s") in allowed or f"{word}s" in allowed:
        return True
    return all(part in allowed for part in _PART.findall(word)) or any(stem in allowed for stem in stems_of(word))


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

_BE = vocabulary("is are was were be been being get gets got am s m re")
"""Behind these stands no deed of one's own: a passive, what somebody is, or, behind "'s", what is theirs ("at Uncle Ted's")."""
_SKIPPED = vocabulary(
    "also just really have has had will would did do does should could can may might finally recently never always still "
    "already then s d ll ve re"
)
"""Between who does something and the verb; with what an apostrophe draws to a name."""


def _doings(text: str, speaker: str) -> set[tuple[str, str]]:
    """Return pairs of who does what: names (and the speaker's "I") with the stem of the verb right after them, without
    passives."""
    found: set[tuple[str, str]] = set()
    tokens = [(match[0], match.start()) for match in _DOING.finditer(text)]
    for at, (word, start) in enumerate(tokens):
        own = word in ("I", "we", "We")
        if not own and not (word[0].isupper() and word.lower() not in NOT_NAMES):
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

"""What assistants note of their user, as the user would say it: "User's name is Ada." is read as "My name is Ada.".

The judge has learned from what people say of themselves. It gives "User moved to Lisbon." 0.02 to answer "Where do I live?", and
"I moved to Lisbon." 0.57; and two statements about different things seem to be of one topic where both begin with "User". Only
the judge reads this; what was noted stays as it is. English alone: assistants note in it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.verbs import ADVERBS, AUXILIARIES, PAST, PRESENT
from lattice_common.language.words import any_of

_USER = (
    r"(?:\bthe user|(?<!\w )(?-i:user)|(?<![Ee]nd )(?-i:User))\b"
    r"(?![ -](?:accounts?|acceptance|agents?|base|data|director\w+|experience|flow|group|guide|ids?|input|interfaces?|"
    r"licen[cs]es?|list|manuals?|name|passwords?|permissions?|plan|profiles?|registration|research|role|services?|sessions?|settings?|"
    r"space|stor(?:y|ies)|table|test|testing|tokens?)\b)"
)
"""The one who is noted of: neither the end users of a program, nor its user interface."""
_FIRST = {
    "is": "am",
    "has": "have",
    "does": "do",
    "isn't": "am not",
    "hasn't": "haven't",
    "doesn't": "don't",
    "focuses": "focus",
}
"""Forms that do not follow from those of the third person."""
_ASKED = lazy_regex(
    rf"\b(?P<verb>is|are|was|were|has|have|does|do|did|can|could|will|would|should|might|must|had)(?P<not>n['’]t)? {_USER}"
    r"(?!['’]s)",
    re.IGNORECASE,
)
_POSSESSIVE = lazy_regex(rf"{_USER}['’]s\b(?! (?:\w+ing|not|now|currently|still|just|in|at|from|on)\b)", re.IGNORECASE)
_IS = lazy_regex(rf"{_USER}['’]s\b", re.IGNORECASE)
_BEFORE = r"(?:^|[.!?;:,]\s+)(?:(?:and|but|so|also)\s+)?|\b(?:and|but|that|because|when|while|if|since|what|where|how|why)\s+"
_OBJECT_BEHIND = r"(?= (?:an?|the|in|on|at|to|for|with|from|as|of|about|by|their|his|her|that|how|it)\b| (?-i:[A-Z])| \d|[.,;]|$)"
"""What a verb has behind it that no table knows: "User codes in Rust", not "User settings are stored"."""
_DOES = lazy_regex(
    rf"(?P<before>{_BEFORE}){_USER} (?P<adverbs>(?:no longer\s+)?{ADVERBS})"
    rf"(?P<verb>(?:{any_of(AUXILIARIES | PAST | PRESENT)})\b|\w+ed\b|\w{{2,}}s\b{_OBJECT_BEHIND})",
    re.IGNORECASE,
)
_OBJECT = lazy_regex(rf"(?=the){_USER}(?!['’])", re.IGNORECASE)


@lru_cache(maxsize=1024)
def in_first_person(text: str) -> str:
    """Return a statement about "the user", or a question, as the user would say it; unchanged where it names none. Linear."""
    if "user" not in text and "User" not in text:
        return text
    text = _ASKED.sub(_asked, text)
    text = _POSSESSIVE.sub(lambda found: _cased("my", found), text)
    text = _IS.sub("I'm", text)
    text = _DOES.sub(_does, text)
    return _OBJECT.sub(lambda found: "I" if found.start() == 0 else "me", text)


def _cased(word: str, found: re.Match[str]) -> str:
    begins = not found.string[: found.start()].strip() or found.string[: found.start()].rstrip()[-1] in ".!?"
    return word.capitalize() if begins else word


def _asked(found: re.Match[str]) -> str:
    first = _FIRST.get(found["verb"].lower(), found["verb"].lower())
    return f"{_cased(first, found)}{found['not'] or ''} I"


def _does(found: re.Match[str]) -> str:
    return f"{found['before']}I {found['adverbs']}{_first_person(found['verb'])}"


def _first_person(verb: str) -> str:
    """Return a verb of the third person in the first."""
    form = verb.replace("’", "'").lower()
    if form in _FIRST:
        return _FIRST[form]
    if form in AUXILIARIES or form in PAST or not form.endswith("s"):
        return verb
    if form.endswith("ies") and len(form) > len("dies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if form.endswith(("ches", "shes", "sses", "xes", "zes", "goes")) else verb[:-1]

"""Values as sentences give them: where they end, and whether they can be a place, an employer, a status."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.places.towns import TOWNS
from lattice_common.language.slots.claim import Stems
from lattice_common.language.text import fold
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS, any_of, number_words, seasons

_END = lazy_regex(
    r"\s*(?:[,:](?!\d)|[;!?()\[\]…\"]|(?<!\bDr)(?<!\bSt)(?<!\bMr)(?<!\bMs)(?<!\bMrs)\.(?:\s|$)|\s[–—-]+\s|\b(?:and|"
    r"but|because|since|for|with|when|where|which|who|whose|that|so|last|this|next|now|"
    r"any ?more|any longer|until|till|after|before|again|these days|at the moment|right now|nowadays|currently|"
    r"recently|ago|today|"
    r"yesterday|tomorrow|already|finally|to be|near|close to|not far|instead|rather|as of|as|permanently|full[- ]time|"
    r"part[- ]time|to (?=[a-z])|"
    rf"on (?:{any_of(ENGLISH_WEEKDAYS)})|together|too|also|during|about|almost|around|by|while|just|"
    r"at the start|for good|"
    rf"(?:in|on|since|from) (?:19|20)\d\d|(?:in|since|from|on|this|last) (?:{any_of([*ENGLISH_MONTHS, *seasons('en')])})|"
    r"(?:on|since|from) (?:the )?\d{1,2}(?:st|nd|rd|th)?|"
    rf"(?:{any_of(number_words(2, 10))}|a|an|a few|several|some|many|"
    r"\d+) (?:days?|weeks?|months?|years?)|"
    r"early|late|yet|soon|off|back|out)\b).*$",
    re.IGNORECASE | re.DOTALL,
)
_DETERMINER = lazy_regex(
    r"^(?:a|an|the|my|our|his|her|their|your|this|that|some|another|more|it|here|there|with|one|two|new|different)\b",
    re.IGNORECASE,
)
_CALLED_NEW = lazy_regex(r"^(?:New|The) [A-Z]")
"""A place with such a name: "New Orleans" is one town, "new flat" is none."""
_PLACE_LEAD = lazy_regex(r"^(?:downtown|central|the (?:city|centre|center|town|outskirts|suburbs) of)\s+", re.IGNORECASE)
_INSIDE = lazy_regex(r"^.*\b(?:in|of)\s+(?=\S)", re.IGNORECASE | re.DOTALL)
_NO_PLACE = vocabulary(
    "google amazon microsoft apple meta facebook netflix spotify stripe notion slack linux windows "
    "macos ubuntu debian android ios gmail outlook github "
    "gitlab python rust java javascript typescript kotlin go vim emacs chrome firefox safari obsidian evernote "
    "whatsapp signal telegram discord zoom teams "
    "aws azure gcp kubernetes docker postgres mysql marketing sales engineering finance management product operations "
    "research hr design support "
    "part half first second third plan step phase level tier next slide chapter decaf oat soy almond tea coffee wine "
    "beer solar electric digital cash "
    "peace harmony fear hope love silence comfort style luxury poverty denial moment present past future person tears "
    "bed work school home "
    "bbc ibm sap siemens bosch nasa nhs ubs kpmg deloitte accenture oracle intel nvidia tesla uber airbnb openai anthropic"
).union(ENGLISH_WEEKDAYS, ENGLISH_MONTHS) - {"may"}
"""Other things that people move to or live in."""

COUNTRIES = vocabulary(
    "germany portugal spain france italy austria switzerland england scotland wales ireland uk us usa america canada "
    "mexico brazil argentina chile peru "
    "colombia japan china india korea thailand vietnam indonesia malaysia philippines australia zealand sweden norway "
    "denmark finland iceland poland czechia "
    "hungary romania bulgaria greece turkey ukraine russia israel egypt morocco kenya nigeria ghana netherlands "
    "holland belgium luxembourg croatia serbia "
    "slovenia slovakia estonia latvia lithuania europe asia africa california texas florida oregon washington "
    "colorado bavaria tuscany catalonia kingdom states"
)
"""Places that contain other places: one of these and a town are both right."""


def cut(phrase: str) -> str:
    """Return a value without what follows it in the sentence."""
    return _END.sub("", phrase.strip()).strip(" .'\"-")


def place(phrase: str) -> str:
    """Return the place a phrase names ("an apartment in Berlin" → "Berlin"), or "" where it names none for certain."""
    found = cut(phrase)
    if re.search(r"\b(?:in|of)\s", found, re.IGNORECASE):
        found = _INSIDE.sub("", found)
    found = _PLACE_LEAD.sub("", found)
    known = fold(found)
    named = bool(_CALLED_NEW.match(found)) or known in TOWNS
    if not found or (_DETERMINER.match(found) and not named) or len(found) > 40:
        return ""
    parts = fold(found).replace("-", " ").split()
    if _NO_PLACE.intersection(parts) or any(part.isdigit() for part in parts) or len(parts) > 4:
        return ""
    return found if found[0].isupper() or known in TOWNS or known in COUNTRIES else ""


def is_region(place_stems: Stems, shown: str) -> bool:
    """Return whether a place is a country or another that towns lie in."""
    return bool(place_stems) and fold(shown).replace(".", "").rsplit(" ", 1)[-1] in COUNTRIES


def organisation(phrase: str) -> str:
    """Return the employer a phrase names, or "": a name, since "a café" may be the one named elsewhere."""
    found = cut(phrase)
    if not found or _DETERMINER.match(found) or not re.match(r"[A-Z]|\d+[A-Z]", found) or len(found) > 40:
        return ""
    return found

"""The type of answer that a question asks for, where its words show it, and whether a memory contains such an answer: a memory
about the car's brakes without an amount does not say what their repair cost, however near to the question it is.

Only types that can be recognised: a time, a number, a duration or age, and a name. Other questions of who may be answered by "the
neighbour", those of where by "behind the freezer", and "how many" is often counted from several memories. In doubt a memory
counts as an answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from lattice_common.domain.atom import Atom
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.capitals import is_typed_small
from lattice_common.language.tables import TABLES
from lattice_common.language.text import STOP_WORDS, analyze
from lattice_common.language.words import any_of, months, number_words, short_months, short_weekdays, weekdays

AnswerType: TypeAlias = Literal["time", "number", "span", "name"]

LOOKED_AT = 300
"""Characters of a question that are read: what it asks for is in one sentence, and patterns may take two passes."""
TOLD_OF = 0.5
"""An atom with more than this share of the question's tokens is about the very thing that was asked about."""

_LEAD = r"^(?:(?:and|so|but|do you know|tell me|remind me) )*"
_ASKS_TIME = lazy_regex(
    _LEAD + r"(?:(?:since|until|till|by|from|at|on|in) )?"
    r"(?:when\b|(?:what|which) (?:exact )?(?:date|day|weekday|time|hour|year|month|week)\b(?! of\b))"
)
_PAST = lazy_regex(r"\b(?:did|was|were|has|have|had)\b")
_ASKS_NUMBER = lazy_regex(
    _LEAD + r"(?:(?:for|by|to|at) )?how much\b(?! (?:do|does|did) (?:\w+ ){1,3}?"
    r"(?:like|love|enjoy|miss|care|know|mean|want)\b)"
    r"|^(?:what|which)\b.*\b(?:cost|price|pin|iban|"
    r"(?:phone|telephone|serial|frame|account|policy|flight|part|house|room|seat) number)\b"
)
_ASKS_SPAN = lazy_regex(_LEAD + r"(?:for )?how (?:long|old)\b")
_ASKS_NAME = lazy_regex(
    r"^(?:what|which)\b.*(?:\b(?:sur|last |family |first |full |maiden )?names?(?: of\b.*)?|\bcalled)\W*$"
    r"|^who(?: is|'s) (?:my|our|\w+'s) (?:\w+ )?\w+\W*$"
)
_NAME = lazy_regex(r"\b[A-Z][\w'’-]*\w")
_MONTHS = any_of([*months("en"), *short_months("en")])
_SHORT_WEEKDAYS = [name for name in short_weekdays("en") if len(name) == 3]
_UNITS = "minute|hour|day|week|fortnight|weekend|month|season|year|decade"
_HOURS = any_of(number_words(1, 12))
_SOMEBODY = lazy_regex(
    r"[\"“«]|\b(?:called|named?|names|surname|known as|he|she|me|myself|mum|mom|mother|dad|father|parents?|"
    r"brother|sister|son|daughter|wife|husband|partner|uncle|aunt|cousin|nephew|niece|grand\w+|girlfriend|"
    r"boyfriend|friend|neighbou?r|colleague|boss|man|woman)\b",
    re.IGNORECASE,
)
"""Sentences that say who somebody is, or what something is called, without a capitalised name."""
_CALENDAR = lazy_regex(rf"^(?:{_MONTHS}|\w+day)$", re.IGNORECASE)
_TIME = lazy_regex(
    rf"\b(?:(?:{any_of(weekdays(*TABLES))})s?|{any_of(_SHORT_WEEKDAYS)}|{_MONTHS}|{any_of(months(*TABLES))}|today|tonight|yesterday|tomorrow|"
    r"mornings?|noon|afternoons?|evenings?|nights?|midnight|springs?|summers?|autumns?|winters?|christmas|easter|halloween|birthday|"
    r"o'clock|[ap]\.?m|(?:19|20)\d\d|\d{1,2}[:.]\d\d|\d{1,2} ?(?:h|uhr)|\d{1,2}(?:st|nd|rd|th)|"
    r"(?:am|den|dem|vom|zum) \d{1,2}(?=\.)|recently|lately|soon|once|"
    r"later|always|never|dawn|dusk|sunrise|sunset|breakfast|lunch\w*|dinner|holidays?|ago|before|after|until|till|since|when|"
    rf"during|(?:{_UNITS})s?|daily|weekly|monthly|yearly|half past|quarter (?:past|to)|"
    rf"(?:at|by|from|past|opens?|closes?|shuts?|starts?|finishes|um|ab|bis|a las|alle|dalle|às|om|vanaf) (?:\d{{1,2}}|{_HOURS})|"
    r"(?<![\d.,:/-])(?:\d\d ?[-–] ?\d{1,2}|\d ?[-–] ?\d\d)(?![\d.,:/%-]))\b",
    re.IGNORECASE,
)
_DATE = lazy_regex(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})\b(?: \d{{4}})?|\b(?:{_MONTHS}) \d{{1,4}}\b|\b\d{{1,2}}:\d\d\b",
    re.IGNORECASE,
)
_NUMBER = lazy_regex(
    rf"\d|\b(?:{_HOURS}|{any_of(number_words(13, 19))}|(?:{any_of(number_words(20, 90))})\w*|"
    r"hundreds?|thousands?|millions?|half|quarters?|dozens?|once|twice|both|couple|several|few|pair|double|twins?|all|none|no|free|"
    r"nothing|first|second|third|an? (?:hour|day|week|month|year)|since|always|never|"
    r"an? (?:lot|bit|little|kilo|litre|liter|cup|glass)|plenty|enough|much|expensive|cheap)\b",
    re.IGNORECASE,
)


def answer_type(question: str) -> AnswerType | None:
    """Return the type that a question asks for; None where the words do not show it. `question` is as it was asked."""
    lowered = question[:LOOKED_AT].lower().strip()
    if _ASKS_TIME.match(lowered):
        return "time"
    if _ASKS_NUMBER.search(lowered):
        return "number"
    if _ASKS_SPAN.match(lowered):
        return "span"
    return "name" if _ASKS_NAME.match(lowered) else None


def holds(atom: Atom, kind: AnswerType, question: str, tokens: Sequence[str]) -> bool:
    """Return whether the atom says such a thing. `tokens`: those of the question. Dates are no numbers."""
    if kind == "number":
        return bool(_NUMBER.search(_DATE.sub(" ", atom.content)))
    if kind == "span":
        return names_time(atom) or bool(_NUMBER.search(atom.content))
    if kind == "name":
        return _names_somebody(atom.content, question)
    return names_time(atom) or said_when(atom, question, tokens)


def names_time(atom: Atom) -> bool:
    """Return whether it says itself when."""
    return atom.valid_from is not None or atom.valid_until is not None or bool(_TIME.search(atom.content))


def said_when(atom: Atom, question: str, tokens: Sequence[str]) -> bool:
    """Return whether the day of an atom's saying is when the event happened: true for what is told as it happens (talk, an event,
    or the very thing asked about), never for what is to come."""
    if not _PAST.search(question.lower()):
        return False
    if atom.kind == "event" or atom.metadata.get("speaker"):
        return True
    asked = set(tokens)
    return len(asked.intersection(analyze(atom.content))) > TOLD_OF * len(asked)


def _names_somebody(content: str, question: str) -> bool:
    """Return whether the content names somebody or something that the question does not; text without capitals may do so."""
    if is_typed_small(content):
        return True
    lowered = question.lower()
    if any(match[0].lower() not in lowered for match in _SOMEBODY.finditer(content)):
        return True
    found = (_CALENDAR.sub("", name).lower().removesuffix("'s").removesuffix("’s") for name in _NAME.findall(content))
    return any(name and name not in STOP_WORDS and name not in lowered for name in found)

"""Things of one kind that are told apart by a number, a time or a place: what is said of shelf 5, of 2025 or of the right rack
makes nothing untrue that was said of shelf 4, of 2024 or of the left one.

The judge reads "Locker 107: tiles" as news of "Locker 104: lamps": the sentences are alike but for what differs in news, too.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lattice_common.language.names import names_of
from lattice_common.language.opposites import COMPASS, DEPTHS, ENDS, FLOORS, MEALS, SIDES
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.clauses import subject_of_clause
from lattice_common.language.tables import TABLES
from lattice_common.language.text import analyze, fold
from lattice_common.language.words import months, short_months, weekdays

_WORD_FOR_NUMBER = lazy_regex(r"\b(?:number|no\.?|nr\.?|nummer|numéro|número|numero|numer)\s+(?=\d)|#(?=\d)", re.IGNORECASE)
_LABEL = lazy_regex(r"^\W*(?P<subject>[^:=\n]{2,40}?)\s*(?::\s|=| [–—-] )\s*\S")
_THING = (
    r"(?:(?:the|my|our|his|her|their|der|die|das|le|la|el|il|de|het|o|a)\s+)?"
    r"(?P<kind>[^\W\d_][^\W\d_'’-]*(?:\s+[^\W\d_]+){0,2})\s+(?P<number>\d{1,6}[a-z]?|[a-z]{1,3}-?\d{1,6})"
)
_NUMBERED = lazy_regex(
    rf"^{_THING}(?:\s+(?:from|of|for|by|at|in|to|von|aus|für|de|du|da|di|do|van)\s[^,;:.!?]{{1,40}})?$", re.IGNORECASE
)
"""A thing and its number, and where it is from or what it is for: "the invoice 2518 from Braga"."""
_DOES = lazy_regex(
    # "Shelf 5 carries seeds": a verb that no table has. Not "Rent 950 euros monthly", where what follows is counted.
    rf"^(?P<subject>{_THING})\s+(?!(?:euro|pound|dollar|franc|cent|kilo|gram|litre|liter|metre|meter|mile|hour|minute|second|day|week|"
    r"month|year|degree|point|time|piece|page|person|kid)s)"
    r"[a-z]{2,}(?<!s)s\s+(?!(?:since|from|until|till|per|a|and|or|plus|in all)\b)\w",
    re.IGNORECASE,
)
_NOW = lazy_regex(
    r"\b(?:now|instead|from now on|these days|no longer|any ?more|switched|moved|changed|jetzt|nun|ab sofort|statt\w*|maintenant|"
    r"désormais|ahora|adesso|ora|nu|voortaan|agora|teraz|artık|şimdi)\b",
    re.IGNORECASE,
)
_OWNERS = lazy_regex(
    r"\b(?:i|i['’]m|me|my|mine|we|we['’]re|us|our|ours|ich|mich|mir|wir|uns|unsere?|mein\w*|je|moi|nous|yo|mí|nosotros|io|noi|ik|wij|eu)\b",
    re.IGNORECASE,
)
"""Who says something of themselves may mean a number that is theirs: "Flat 7 is where I live." after "Flat 3 is my home."."""
_SUCCESSIVE = frozenset(
    ("version", "release", "windows", "android", "ios", "year", "grade", "class", "klasse", "season", "phase", "stage")
)
"""Of these one follows upon another: "Version 5 is installed on the NAS."."""

_SIDES = tuple({fold(word): which for word, which in group.items()} for group in (SIDES, FLOORS, ENDS, DEPTHS, COMPASS))
_MEALS = {fold(word): which for word, which in MEALS.items()}
_BRACKETED = lazy_regex(r"\s*\([^()]*\)")
_YEAR = lazy_regex(r"(?:19|20)\d\d")
_FOLDED_MONTHS = {fold(name): str(number) for name, number in {**months(*TABLES), **short_months(*TABLES)}.items()}
_FOLDED_DAYS = {fold(name): str(number) for name, number in weekdays(*TABLES).items()}


class _Named(NamedTuple):
    """`kind` and which of that kind; `said`: the words of what is said of it."""

    kind: str
    which: str
    said: frozenset[str]


def are_told_apart(newer: str, older: str) -> bool:
    """Return whether two statements are about two things of one kind, by the number, the time or the side in their subjects or
    labels. Not where the newer one says that something is so now, or something of whoever tells it, or just what was said of the
    other one ("Wednesday is a day off." after "Friday is a day off."): there the number may be what is told."""
    if _NOW.search(newer) or _OWNERS.search(newer):
        return False
    new, old = _named(newer), _named(older)
    if new is None or old is None or new.kind != old.kind or new.which == old.which:
        return False
    return new.said != old.said


def is_of_another_name(newer: str, first: str, other: str) -> bool:
    """Return whether `newer` and `first` are both about somebody by name, and `other` about somebody else: "Leo stage 4" beside
    "Freya ducklings" and "Freya moved up to stage 1"."""
    about = _name_first(first)
    if about is None or re.search(rf"\b{re.escape(about)}\b", newer) is None:
        return False
    another = _name_first(other)
    return another is not None and another != about and re.search(rf"\b{re.escape(another)}\b", newer) is None


def _name_first(text: str) -> str | None:
    """Return the name that a statement begins with, or what follows its label does."""
    label = _LABEL.match(text)
    start = label.end() - 1 if label else 0
    return next(
        (name.word for name in names_of(text) if name.start == start and not text.startswith("'s", name.start + len(name.word))),
        None,
    )


@lru_cache(maxsize=256)
def _named(text: str) -> _Named | None:
    plain = _WORD_FOR_NUMBER.sub("", text)
    label, does = _LABEL.match(plain), _DOES.match(plain)
    for subject in (label and label["subject"], subject_of_clause(plain), does and does["subject"]):
        if subject and (found := _kind_and_which(_BRACKETED.sub("", subject).strip())):
            return _Named(*found, frozenset(analyze(plain.replace(subject, "", 1))))
    return None


def _kind_and_which(subject: str) -> tuple[str, str] | None:
    if found := _NUMBERED.match(subject):
        kind, which = fold(found["kind"]), fold(found["number"])
        if kind in _SUCCESSIVE:
            return None
        return ("month", f"{_FOLDED_MONTHS[kind]} {which}") if kind in _FOLDED_MONTHS else (kind, which)
    folded = fold(subject)
    if _YEAR.fullmatch(folded):
        return "year", folded
    if folded in _FOLDED_MONTHS:
        return "month", _FOLDED_MONTHS[folded]
    if folded in _FOLDED_DAYS:
        return "weekday", _FOLDED_DAYS[folded]
    if folded in _MEALS:
        return "meal", _MEALS[folded]
    words = folded.split()
    for place, word in enumerate(words[:-1]):
        for number, sides in enumerate(_SIDES):
            if word in sides:
                rest = " ".join((*words[:place], *words[place + 1 :])).removeprefix("the ")
                return f"{rest} ({number})", sides[word]
    return None

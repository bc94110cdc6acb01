"""Whether a statement says no more than a known one, in another order or with fewer words: "Dr Roth in Park Street is my dentist"
after "My dentist is Dr Roth in Park Street".

The judge tells what repeats a statement from what is news of it, but not "Tom likes Anna." from "Anna likes Tom.", nor "opens"
from "closes", nor "vegan" from "vegetarian". So what repeats a statement has no content word of its own, the same numbers, tense
and words that turn a sentence around, and names whoever does something in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from lattice_common.language.claims.as_said import without_added_dates
from lattice_common.language.dates.telling import tells_of_past
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.words import role_named
from lattice_common.language.sentences.verbs import BASE, ORDERS
from lattice_common.language.tables.first_names import HE, SHE
from lattice_common.language.tables.same_words import SAME_WORDS
from lattice_common.language.text import STOP_WORDS, analyze, words
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import CAPITALISED_TIMES, number_words, ordinals, past, people_by_role

_TURNS = vocabulary(
    """not no never none nothing nobody neither nor without cannot stop quit longer refuse anymore except unless if than
    hardly barely rarely seldom often usually sometimes mostly
    before after more less most least up down left right top bottom front back upper lower inner outer inside outside near next
    over behind above below under beside between around until since against from off out instead prefer rather
    want wants wanted may might should would could will shall going wish hope hopes plan plans think maybe perhaps probably almost
    nearly used supposed own owns
    old new former ex previous current law step first second last other another only every both all some half""",
)
"""Words that change what a sentence says though most of it is the same; stop words are among them."""
_OF_VERBS_ELSEWHERE = frozenset(("will", "going"))
"""Glosses of what makes a passive or a verb of its own in other languages: "wird gewartet"."""
_SIDES = vocabulary("to for with by")
"""Of which another one makes another statement: "works with Finn", "works for Finn"."""
_DENIALS = dict.fromkeys(("no", "not", "never", "none", "cannot"), "not")
_FILLERS = vocabulary(
    """still again really actually anyway btw ok well yes yeah fyi note remind reminder remember just also ever always get
    gets got goes go come comes happen happens called call name named there thing number phone address position kind sort
    type group date"""
)
"""What names no fact of its own beside what it stands with: "phone: 0161 …", "gets watered", "is called"."""
_GLOSSED = frozenset(("against",))
"""Glosses of prepositions that English has another word for: "allergisch gegen"."""
_NUMBERS = {**number_words(0, 90), **ordinals(1, 31)}
_ORDINAL = lazy_regex(r"(\d+)(?:st|nd|rd|th)")
_WITH_UNIT = lazy_regex(r"(?<=\d) ?(?=(?:%|(?!(?:st|nd|rd|th)\b)[a-zA-Z]{1,3}\b))")
_CAPITALISED = lazy_regex(r"(?<!^)(?<![.!?:]\s)\b[A-ZÀ-Þ][\w'’-]+")
_OWNER = lazy_regex(r"\b([A-ZÀ-Þ][\w-]+)['’]s \w")
_I, _ME = vocabulary("i we"), vocabulary("me us")
_HAS = vocabulary("have has got")
_COPULAS = vocabulary("is are am was were s")
_VERBS = past() | BASE | ORDERS
_PEOPLE = SHE | HE | people_by_role(one=True) | people_by_role()
_APPOSED = lazy_regex(r",\s(?:my|our|meine?|unsere?|mi|mon|ma|mia|mio|mijn|onze|minha|meu)\s", re.IGNORECASE)
_HE, _SHE = vocabulary("he him his"), vocabulary("she her hers")
_IS_DONE = lazy_regex(
    r"(?:\b(?:is|are|am|gets?|getting|be|being)|['’](?:s|re|m)) (?:\w+ )?\w+|\b(?:have|has) got\b|['’](?:ve|s) got\b",
    re.IGNORECASE,
)
"""What looks like a past, and is none: "gets watered", "is called", "have got"."""
_PAST = lazy_regex(r"\b(?:was|were|had|did|\w{2,}ed)\b", re.IGNORECASE)


def _stem_of_each() -> dict[str, str]:
    """Return for each word of `SAME_WORDS` and its stem the stem that stands for those that mean the same."""
    found: dict[str, str] = {}
    for row in SAME_WORDS.strip().splitlines():
        first, *others = row.split()
        stem = (analyze(first) or [first])[0]
        found |= {form: stem for word in (first, *others) for form in (word, *analyze(word))}
    return found


_STEM_OF = _stem_of_each()
ALIKE = 5
"""Letters with which two stems begin that are of one word: "allerg" and "allergi"."""


Form: TypeAlias = Literal["past", "has", "is", "apposes", "verb first"]
"""It tells of what is past; that somebody has something; what something is; of a name beside it who that is; or it leaves out
whoever tells it."""


class _Said(NamedTuple):
    """`content`: stems that say something, in order; `numbers`, `turns`: as they are said; `names`: what has a capital within the
    sentence; `people`: who is spoken of, by name or role; `tells`: whoever tells it as "i" or "me"; `sexes`: of "he" and "she"
    which; `owners`: names with "'s"; `sides`: "to", "for", "with" and "by"; `forms`: what kinds of sentence it is."""

    content: tuple[str, ...]
    numbers: frozenset[str]
    turns: frozenset[str]
    names: frozenset[str]
    people: frozenset[str]
    tells: frozenset[str]
    sexes: frozenset[str]
    owners: frozenset[str]
    sides: frozenset[str]
    forms: frozenset[Form]


def says_no_more(new: str, known: str) -> bool:
    """Return whether a statement has nothing that a known one lacks, and differs in nothing that may turn it around. Costs the
    product of the words of both."""
    one, other = _said(new), _said(known)
    if not one.content or one.numbers != other.numbers or one.turns != other.turns or "past" in one.forms ^ other.forms:
        return False
    told_apart_by = ((one.owners, other.owners), (one.sexes, other.sexes), (one.tells, other.tells), (one.sides, other.sides))
    if any(_differ(*pair) for pair in told_apart_by):
        return False
    found = [_place_of(word, other.content) for word in one.content]
    return None not in found and _do_the_same(one, other, [place for place in found if place is not None])


def _differ(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other and one != other)


def _do_the_same(one: _Said, other: _Said, places: Sequence[int]) -> bool:
    """Return whether the words of one stand in the order of the other, but for a part that was put first; or in any, where only
    one is spoken of and nothing is turned around: "Dr Lindqvist is the alpacas' vet"."""
    people = (one.people | other.people) & set(one.content)
    if people and "verb first" in one.forms ^ other.forms and "is" not in one.forms ^ other.forms:
        return False  # "Called Mum about it", "Mum called about it"
    several = len(people) + bool(one.tells | other.tells) > 1
    if several and one.tells != other.tells and people and not ("has" in one.forms and people.isdisjoint(_PEOPLE)):
        return False  # "The neighbour minds our dog", "We mind the neighbour's dog"
    if not several and not one.turns:
        return True
    order = list(_with_roles_first(other, places) if "apposes" in one.forms | other.forms else places)
    falls = sum(later < earlier for earlier, later in pairwise(order))
    return falls == 0 or (falls == 1 and order[-1] < order[0])


def _with_roles_first(other: _Said, places: Sequence[int]) -> Iterator[int]:
    """Yield places with a role before the name beside it: "Ruth, my sister" as "my sister Ruth"."""
    left = list(places)
    while left:
        place = left.pop(0)
        if left and left[0] == place - 1 and other.content[left[0]] in other.people - other.names:
            yield left.pop(0)
        yield place


def _place_of(word: str, content: Sequence[str]) -> int | None:
    return next((place for place, other in enumerate(content) if _are_alike(word, other)), None)


def _are_alike(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= ALIKE and (one.startswith(other) or other.startswith(one)))


@lru_cache(maxsize=512)
def _said(statement: str) -> _Said:
    text = _WITH_UNIT.sub(" ", without_added_dates(statement))
    english = in_english(text)
    own = [_STEM_OF.get(word, word) for word in words(english)]
    silent = _FILLERS | STOP_WORDS | (frozenset() if english is text else _GLOSSED)
    turning = _TURNS if english is text else _TURNS - _OF_VERBS_ELSEWHERE - _GLOSSED
    content = dict.fromkeys(
        _same(stem)
        for stem in analyze(english)
        if stem not in silent and not _number(stem).isdigit() and _same(stem) not in silent
    )
    named = [name for name in _CAPITALISED.findall(text) if name.casefold() not in CAPITALISED_TIMES]
    names = frozenset(_same(stem) for name in named for stem in analyze(name))
    roles = frozenset(_same(stem) for word in words(english) if role_named(word) for stem in analyze(word))
    return _Said(
        content=tuple(content),
        numbers=frozenset(_number(word) for word in own if _number(word).isdigit()),
        turns=frozenset(_DENIALS.get(word, word) for word in own if word in turning and not _number(word).isdigit())
        | particle_of(text),
        names=names,
        people=names | roles,
        tells=frozenset("i" if word in _I else "me" for word in own if word in _I or word in _ME),
        sexes=frozenset("he" if word in _HE else "she" for word in own if word in _HE or word in _SHE),
        owners=frozenset(each.casefold() for each in _OWNER.findall(text)),
        sides=_SIDES.intersection(own),
        forms=frozenset(_forms(text, english, own)),
    )


def _forms(text: str, english: str, own: Sequence[str]) -> Iterator[Form]:
    plain = _IS_DONE.sub(" ", english)
    if tells_of_past(text) or _PAST.search(plain) or not past().isdisjoint(words(plain)):
        yield "past"
    if not _HAS.isdisjoint(own):
        yield "has"
    if not _COPULAS.isdisjoint(own):
        yield "is"
    if _APPOSED.search(text):
        yield "apposes"
    if own and (own[0] in _VERBS or _PAST.fullmatch(own[0])):
        yield "verb first"


def _same(stem: str) -> str:
    """Return the word that stands for those that mean it: "bicycl" for "bike"."""
    return _STEM_OF.get(stem, stem)


def particle_of(text: str) -> frozenset[str]:
    """Return the particle of a German or Dutch verb that ends a statement: "macht um neun auf", "macht um neun zu"."""
    last = words(text)[-1:]
    return frozenset(last) & _PARTICLES


_PARTICLES = vocabulary("auf zu ab an aus ein weg hin her raus rein hoch runter um vor nach mit open dicht uit aan af op toe")


def _number(word: str) -> str:
    if found := _ORDINAL.fullmatch(word):
        return found[1]
    number = _NUMBERS.get(word)
    return word if number is None else str(number)

"""Whether a statement says no more than a known one, in another order or with fewer words: "Dr Roth in Park Street is my dentist"
after "My dentist is Dr Roth in Park Street".

The judge tells what repeats a statement from what is news of it, but not "Tom likes Anna." from "Anna likes Tom.", nor "opens"
from "closes", nor "vegan" from "vegetarian". So what repeats a statement has no content word of its own, the same numbers, tense
and words that turn a sentence around, and names whoever does something in the same order.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lattice_common.language.dates.telling import tells_of_past
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.verbs import FINITE
from lattice_common.language.text import STOP_WORDS, analyze, words
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import CAPITALISED_TIMES, number_words, ordinals, past

_TURNS = vocabulary(
    """not no never none nothing nobody neither nor without cannot stop quit longer hardly refuse anymore except unless if than
    before after more less most least up down left right top bottom front back upper lower inner outer inside outside near next
    under over behind above below beside between around until till from since instead
    want may might should would could will shall going wish hope plan think maybe perhaps probably almost nearly used supposed
    old new former ex previous current first second last other another only every each both all some half
    her his hers him he she they them their theirs your yours""",
)
"""Words that change what a sentence says though most of it is the same; stop words are among them."""
_DENIALS = dict.fromkeys(("no", "not", "never", "none"), "not")
_FILLERS = vocabulary("still again really actually anyway btw ok well yes yeah fyi note remind reminder remember just also ever")
_GLOSSED = frozenset(("against",))
"""Glosses of prepositions that English has another word for: "allergisch gegen"."""
_NUMBERS = {**number_words(0, 90), **ordinals(1, 31)}
_ORDINAL = lazy_regex(r"(\d+)(?:st|nd|rd|th)")
_CAPITALISED = lazy_regex(r"(?<!^)(?<![.!?:]\s)\b[A-ZÀ-Þ][\w'’-]+")
_OWNER = lazy_regex(r"\b([A-ZÀ-Þ][\w-]+)['’]s\b")
_WHO = {"i": "i", "we": "i", "me": "me", "us": "me"}
_TELLS = frozenset(_WHO.values())
_COPULAS = vocabulary("is are am was were s")
_PAST = lazy_regex(r"\b(?:was|were|had|did|\w{2,}ed)\b", re.IGNORECASE)
_ADDED_DATE = lazy_regex(r" \([^()]{0,40}\b\d{4}s?(?:, \d\d:\d\d)?\)")
ALIKE = 5
"""Letters with which two stems begin that are of one word: "allerg" and "allergi"."""


class _Said(NamedTuple):
    """`content`: stems that say something; `numbers`, `turns`: as they are said; `names`: what has a capital within the sentence;
    `order`: all words of it with whoever tells it as "i" or "me"; `owners`: names that something belongs to, where a verb shows
    that "'s" is none; `may_turn`: it says what something is, and nothing else."""

    content: frozenset[str]
    numbers: frozenset[str]
    turns: frozenset[str]
    names: frozenset[str]
    order: tuple[str, ...]
    owners: frozenset[str]
    is_past: bool
    may_turn: bool


def says_no_more(new: str, known: str) -> bool:
    """Return whether a statement has nothing that a known one lacks, and differs in nothing that may turn it around. Costs the
    product of the words of both."""
    one, other = _said(new), _said(known)
    if not one.content or one.is_past != other.is_past:
        return False
    if one.numbers != other.numbers or one.turns != other.turns or one.owners != other.owners:
        return False
    if not all(any(_are_alike(word, known) for known in other.content) for word in one.content):
        return False
    return _do_the_same(one, other)


def _do_the_same(one: _Said, other: _Said) -> bool:
    """Return whether those who do something are named in the same order, or the order says nothing: "Iker is Ada's friend"."""
    if _TELLS & set(one.order) and _TELLS & set(other.order) and _TELLS & set(one.order) != _TELLS & set(other.order):
        return False  # "I owe Anna 50", "Anna owes me 50"
    names = (one.names | other.names) & set(one.order) & set(other.order)
    return [each for each in one.order if each in names] == [each for each in other.order if each in names] or (
        one.may_turn and other.may_turn
    )


def _are_alike(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= ALIKE and (one.startswith(other) or other.startswith(one)))


@lru_cache(maxsize=512)
def _said(statement: str) -> _Said:
    text = _ADDED_DATE.sub("", statement)
    english = in_english(text)
    own = words(english)
    turns = frozenset(_DENIALS.get(word, word) for word in own if word in _TURNS and not _number(word).isdigit())
    silent = _FILLERS | STOP_WORDS | (frozenset() if english is text else _GLOSSED)
    return _Said(
        content=frozenset(stem for stem in analyze(english) if stem not in silent and not _number(stem).isdigit()),
        numbers=frozenset(_number(word) for word in own if _number(word).isdigit()),
        turns=turns | particle_of(text),
        names=frozenset(word for name in _CAPITALISED.findall(text) for word in words(name)) - CAPITALISED_TIMES,
        order=tuple(_WHO.get(word, word) for word in dict.fromkeys(words(text))),
        owners=frozenset(each.casefold() for each in _OWNER.findall(text)) if not FINITE.isdisjoint(own) else frozenset(),
        is_past=tells_of_past(text) or bool(_PAST.search(english)) or not past().isdisjoint(own),
        may_turn=not turns and not _COPULAS.isdisjoint(own),
    )


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

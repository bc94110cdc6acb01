"""Whether a statement speaks of another one of a few than a question asks about: of the left wrist and not of the right, of the
second bypass and not of the first, of bronze and not of gold.

Only what is beyond doubt counts: the statement names another one of the same, and the one that is asked about nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from lattice_common.language.opposites import ENDS, FLOORS, MEALS, MEDALS, ORDINALS, SIDES, TIMES_OF_DAY
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.english_words import ARTICLES, POSSESSIVES
from lattice_common.language.text import STOP_WORDS, analyze, stem
from lattice_common.language.words import ordinals

LOOKED_AT = 400
"""Characters of a text that are read."""

_NUMBERED = {number: word for word, number in ordinals(1, 31).items()}
_ORDINALS = {
    **{word: word for word in _NUMBERED.values()},
    **{f"{number}{ending}": word for number, word in _NUMBERED.items() for ending in ("st", "nd", "rd", "th")},
    **ORDINALS,
}
_OF_A_THING: tuple[Mapping[str, str], ...] = (SIDES, FLOORS, ENDS, _ORDINALS)
"""These have a thing beside them, which a statement has to name, too: "right" alone may be "correct"."""
_BY_THEMSELVES: tuple[Mapping[str, str], ...] = (MEDALS, MEALS, TIMES_OF_DAY)
_WORD = lazy_regex(r"[^\W_][\w'’-]*")
_LEADS = {*ARTICLES, *POSSESSIVES, "on", "to"}
_BESIDE = 2
"""Words between one of a few and its thing."""


class _One(NamedTuple):
    """One of a few: of which `group`, which, and the stems of the words beside it that may name the thing."""

    group: int
    which: str
    things: frozenset[str]


def speaks_of_the_other_one(question: str, statement: str) -> bool:
    """Return whether a statement is about another one of the same. Linear in the length of both."""
    asked = _ones(question[:LOOKED_AT])
    if not asked:
        return False
    said = _ones(statement[:LOOKED_AT])
    tokens = set(analyze(statement[:LOOKED_AT]))
    shared = tokens & _matter(question[:LOOKED_AT])
    return any(_is_other(one, asked, said, tokens, shared) for one in asked)


def _is_other(one: _One, asked: tuple[_One, ...], said: tuple[_One, ...], tokens: set[str], shared: set[str]) -> bool:
    same = [each for each in said if each.group == one.group]
    wanted = {each.which for each in asked if each.group == one.group}
    if not same or any(each.which in wanted for each in same):
        return False
    if one.group >= len(_OF_A_THING):
        return bool(shared)
    things = one.things & tokens
    if _OF_A_THING[one.group] is _ORDINALS:
        return any(things & each.things for each in same)
    return bool(things)


def _ones(text: str) -> tuple[_One, ...]:
    return tuple(_found(text))


def _found(text: str) -> Iterator[_One]:
    words = [word.lower() for word in _WORD.findall(text)]
    for at, word in enumerate(words):
        for group, members in enumerate((*_OF_A_THING, *_BY_THEMSELVES)):
            which = members.get(word)
            if which is None or (members is SIDES and _is_a_verb(words, at)):
                continue
            things = frozenset(_things(words, at))
            if group >= len(_OF_A_THING) or things:
                yield _One(group, which, things)


def _is_a_verb(words: list[str], at: int) -> bool:
    """Return whether "left" or "right" says no side: "I left the brace at work", "right now"."""
    leads = words[at - 1] in _LEADS if at else False
    return not leads and at + 1 < len(words) and words[at + 1] in STOP_WORDS


def _things(words: list[str], at: int) -> Iterator[str]:
    """Yield the stems of the words right behind one of a few; where there are none, of those before it ("on the left")."""
    behind = words[at + 1 : at + 1 + _BESIDE]
    before = words[max(0, at - 2 * _BESIDE) : at]
    for each in behind if any(word not in STOP_WORDS for word in behind[:1]) else before:
        if each not in STOP_WORDS and not each[0].isdigit():
            yield stem(each)


@lru_cache(maxsize=64)
def _matter(question: str) -> frozenset[str]:
    """Return the tokens of a question but those that say which one."""
    members = {stem(word) for group in _BY_THEMSELVES for word in group}
    return frozenset(analyze(question)) - members

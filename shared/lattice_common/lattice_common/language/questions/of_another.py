"""Whether a statement speaks of somebody else than a question asks about: "My shoe size is 45." of Kelechi's shoe size, "The new
boss is Filipa." of the landlady.

Only what is beyond doubt counts: the same thing of another holder, or the holder of another role. A statement that names whom the
question means, by any of their names, speaks of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache

from lattice_common.language.first_person import in_first_person
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.phrases import ANYBODY, OWNER, SOMEBODY, Phrase, path_of, phrases_of
from lattice_common.language.people.words import Sentence, cut, differ, is_name_word, key_of, name_at, name_before
from lattice_common.language.text import STOP_WORDS, analyze, stem
from lattice_common.language.vocabulary import vocabulary

LOOKED_AT = 400
"""Characters of a text that are read."""
MOST_WORDS = 3
"""Words behind "my" or "Tom's" that may name what is theirs."""

_ASKS_WHO = lazy_regex(r"^(?:and |so )?(?:who(?:m)?(?: is|['’]s| was| are)|what(?: is|['’]s| was) the name of)\b", re.IGNORECASE)
_BEINGS = ("person", "animal")
_I = vocabulary("i ich je j yo io eu ik")
_NOT_ALONE = vocabulary(
    """we us our ours he she they him her them his hers their it its wir uns unser unsere er sie ihn ihm ihr ihre sein seine es
    nous il elle elles ils lui leur nos notre"""
)
"""Words by which a statement of the owner may speak of somebody else as well."""
_MINE = lazy_regex(r"\b(?:mine|ours)\b", re.IGNORECASE)
_SHARED = frozenset(("our", "ours"))
_SAYS_WHICH = frozenset(
    map(stem, ("new", "old", "own", "first", "second", "last", "next", "other", "current", "former", "favourite"))
)
"""Words that two different things may share."""


@dataclass(frozen=True, slots=True)
class Owned:
    """What is said to be somebody's. `holder` is a path or a key of a name (`people.phrases`); `words`, stems, name the thing;
    `shared`: it is "ours", and may be another's as well."""

    holder: str
    words: frozenset[str]
    shared: bool = False


def speaks_of_another(question: str, statement: str, names: Collection[str] = ()) -> bool:
    """Return whether a statement gives what is asked of another holder, or the holder of another role. `names`: those of whom the
    question means. Linear in the length of both."""
    question, statement = in_first_person(question), in_first_person(statement)
    asked = owned(question[:LOOKED_AT])
    tokens = set(analyze(statement[:LOOKED_AT]))
    if any(tokens >= set(analyze(name)) for name in names if analyze(name)):
        return False
    return (
        any(_is_anothers(each, statement, names) for each in asked)
        or _holds_another_role(question, statement)
        or _is_owners_own(question[:LOOKED_AT], statement[:LOOKED_AT])
        or _is_about_other_kin(question[:LOOKED_AT], statement[:LOOKED_AT])
    )


@lru_cache(maxsize=256)
def owned(text: str) -> tuple[Owned, ...]:
    """Return what a text says to be somebody's: "my shoe size", "Tom's boss", "my wife's car"."""
    return tuple(_owned(cut(text)))


@lru_cache(maxsize=128)
def _phrases(text: str) -> tuple[Phrase, ...]:
    """Return the role phrases of what the owner says or asks."""
    return tuple(phrases_of(cut(text), OWNER))


def _owned(sentence: Sentence) -> Iterator[Owned]:
    phrases = _phrases(sentence.text)
    for at, word in enumerate(sentence.words):
        holder = _holder_before(sentence, at, phrases)
        words = frozenset(_thing(sentence, at + 1)) if holder else frozenset()
        if words:
            yield Owned(holder, words, word.low in _SHARED)


def _holder_before(sentence: Sentence, at: int, phrases: Collection[Phrase]) -> str:
    """Return who has what follows a word, "" where the word does not say that."""
    low = sentence.low(at)
    if low in sentence.around.mine:
        return OWNER
    if low != "'s":
        return ""
    known = next((each.path for each in phrases if each.end == at and each.holder not in (SOMEBODY, ANYBODY)), None)
    if known is not None:
        return known
    begins = name_before(sentence, at)
    name = sentence.said(begins, at)
    return path_of(name) or key_of(name) if name else ""


def _thing(sentence: Sentence, start: int) -> Iterator[str]:
    for at in range(start, min(start + MOST_WORDS, len(sentence.words))):
        low = sentence.low(at)
        if sentence.ends(at) or low in STOP_WORDS or not low[0].isalpha():
            return
        if (word := stem(low)) not in _SAYS_WHICH:
            yield word


def _is_anothers(asked: Owned, statement: str, names: Collection[str]) -> bool:
    """Return whether the thing is somebody else's in the statement, and nowhere that of whom the question asks about."""
    if asked.holder == OWNER and _MINE.search(statement):
        return False
    same = [each for each in owned(statement[:LOOKED_AT]) if not each.words.isdisjoint(asked.words)]
    return bool(same) and all(_is_another(asked.holder, each, names) for each in same)


def _is_another(holder: str, other: Owned, names: Collection[str]) -> bool:
    """Return whether two holders are certainly not the same. Who somebody's brother is is not known here, so a name may be his;
    with `names` it is."""
    if holder == other.holder:
        return False
    if holder == OWNER:
        return True
    if other.holder == OWNER:
        return not other.shared
    both_named = "/" not in holder and "/" not in other.holder
    both_roles = "/" in holder and "/" in other.holder
    if both_named:
        return set(holder.split()).isdisjoint(other.holder.split())
    if both_roles:
        return holder.split("/")[0] == other.holder.split("/")[0] and differ(holder.split("/")[-1], other.holder.split("/")[-1])
    return bool(names) and "/" not in other.holder


def _holds_another_role(question: str, statement: str) -> bool:
    """Return whether a question of who somebody's landlady is meets a statement about a boss, and none about a landlady."""
    role = _asked_role(question[:LOOKED_AT])
    if role is None:
        return False
    said = [each.role.name for each in _phrases(statement[:LOOKED_AT]) if each.role.kind in _BEINGS]
    return bool(said) and all(differ(role, each) for each in said)


@lru_cache(maxsize=64)
def _asked_role(question: str) -> str | None:
    asks = _ASKS_WHO.match(question.strip())
    if asks is None:
        return None
    sentence = cut(question.strip()[asks.end() :])
    found = [each for each in phrases_of(sentence, OWNER) if each.role.kind in _BEINGS and not each.bare]
    if len(found) != 1 or not sentence.ends(found[0].end):
        return None
    return found[0].role.name


def _is_owners_own(question: str, statement: str) -> bool:
    """Return whether a question about others meets what the owner says of themselves alone: "I take size 43" of Mareike's size.
    Both have to be about the same, in a word that is no name."""
    asks, says = cut(question), cut(statement)
    own = {word.low for word in says.words}
    if _I.isdisjoint(own) or not _NOT_ALONE.isdisjoint(own) or not _I.isdisjoint(word.low for word in asks.words):
        return False
    asked, said = set(analyze(question)), set(analyze(statement))
    return bool(_named(asks) - said) and not _named(says) - asked and not asked.isdisjoint(said)


def _is_about_other_kin(question: str, statement: str) -> bool:
    """Return whether a question about one person by their role meets what is said of a relative alone: "Nan moved to room 9" of
    the parents."""
    says = cut(statement)
    asked = [each for each in _phrases(question) if each.role.kind == "person"]
    said = [each for each in _phrases(statement) if each.role.kind == "person"]
    if len(asked) != 1 or not said or said[0].start > 0 or not said[0].role.kin:
        return False
    names_nobody = not any(is_name_word(says, word) for word in says.words[1:] if word.text[0].isalpha())
    return names_nobody and all(differ(asked[0].role.name, each.role.name) for each in said)


def _named(sentence: Sentence) -> set[str]:
    """Return the tokens of relatives, pets and names; in a language that writes nouns with a capital, of these as well."""
    roles = [each.word for each in _phrases(sentence.text) if each.role.kind in ("person", "animal")]
    names = [sentence.said(at, end) for at in range(1, len(sentence.words)) if (end := name_at(sentence, at)) > at]
    return {token for name in (*roles, *names) for token in analyze(name)}

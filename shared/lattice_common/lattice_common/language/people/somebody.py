"""The one person or animal that a question is about, and whether a statement is about others: "Jonas moved to Bristol." does not
say where Paloma lives.

Both are told by the register: whoever it does not know is nobody, so that a town or a firm is never taken for a person.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lattice_common.language.people.phrases import OWNER, Phrase, phrases_of
from lattice_common.language.people.register import Ended, Entity, Register
from lattice_common.language.people.words import MOST_NAME_WORDS, Sentence, cut, differ, key_of
from lattice_common.language.text import STOP_WORDS, analyze
from lattice_common.language.vocabulary import vocabulary

LOOKED_AT = 400
"""Characters of a text that are read."""
ALIVE = ("person", "animal")
_PRONOUNS = vocabulary(
    """he she they him her them his hers their theirs er sie ihn ihm ihr ihre sein seine il elle ils elles lui leur
    él ella ellos su suyo lei loro ele ela seu sua hij zij hem haar hun"""
)
"""Words that may mean whoever was spoken of before."""
_WHO = vocabulary("who whom whose wer wem wessen qui quién quien chi quem кто кого чей")


@dataclass(frozen=True, slots=True)
class Somebody:
    """A person or an animal. `keys`: names as they are compared; `words`: the tokens of each name; `called`: the tokens of each
    other way in which they are spoken of ("my sister"); `roles`: the names of these roles."""

    keys: frozenset[str]
    words: frozenset[str]
    called: tuple[frozenset[str], ...]
    roles: frozenset[str]


def somebody_in(text: str, register: Register, ended: Ended) -> Somebody | None:
    """Return the one whom a question names; None where it names nobody that is known, or several, or asks who: others' names are
    the answer then."""
    sentence = cut(text[:LOOKED_AT])
    if not _WHO.isdisjoint(word.low for word in sentence.words):
        return None
    phrases = _phrases(sentence)
    named = list(_named(sentence, register, ended))
    if len(phrases) + len(named) != 1:
        return None
    if named:
        return _of([named[0][1]], ())
    phrase = phrases[0]
    held = register.holders(phrase.path, ended)
    return _of(held, (phrase,)) if held or phrase.role.kin else None


def is_about_others(statement: str, somebody: Somebody, register: Register, ended: Ended) -> bool:
    """Return whether a statement speaks of other people or animals that are known, and not of this one: it names another
    before any pronoun that might mean this one. Linear in its length."""
    text = statement[:LOOKED_AT]
    tokens = set(analyze(text))
    if not somebody.words.isdisjoint(tokens) or any(each <= tokens for each in somebody.called):
        return False
    sentence = cut(text)
    phrases = _phrases(sentence)
    if any(not _differs(phrase, somebody) for phrase in phrases):
        return False
    named = list(_named(sentence, register, ended))
    if any(not somebody.keys.isdisjoint(entity.keys) for _, entity in named):
        return False
    first = min([*(at for at, _ in named), *(phrase.start for phrase in phrases)], default=None)
    if first is None:
        return False
    pronouns = [at for at in range(first) if sentence.low(at) in _PRONOUNS]
    return all(sentence.low(at + 1) in sentence.around.name for at in pronouns)  # "his name is Huw" means Huw


def _phrases(sentence: Sentence) -> list[Phrase]:
    return [each for each in phrases_of(sentence, OWNER) if each.role.kind in ALIVE and not each.make]


def _differs(phrase: Phrase, somebody: Somebody) -> bool:
    return all(differ(phrase.role.name, each) for each in somebody.roles)


def _named(sentence: Sentence, register: Register, ended: Ended) -> Iterator[tuple[int, Entity]]:
    """Yield where known people and animals are named, and who they are; the longest name at each place."""
    at = 0
    while at < len(sentence.words):
        word = sentence.words[at]
        length, entity = 1, None
        if word.text[0].isupper() and word.low not in STOP_WORDS:
            for length in range(min(MOST_NAME_WORDS, len(sentence.words) - at), 0, -1):
                key = key_of(sentence.said(at, at + length))
                if register.knows(key) and (entity := register.entity(key, ended)) is not None:
                    break
        if entity is not None and entity.kind in ALIVE:
            yield at, entity
        at += length if entity is not None else 1


def _of(entities: list[Entity], phrases: tuple[Phrase, ...]) -> Somebody:
    roles = [role for entity in entities for role in entity.roles]
    called = {frozenset(analyze(word)) for role in roles for word in role.words}
    called |= {frozenset(analyze(phrase.word)) for phrase in phrases}
    return Somebody(
        frozenset(key for entity in entities for key in entity.keys),
        frozenset(token for entity in entities for name in entity.names for token in analyze(name)),
        tuple(each for each in called if each),
        frozenset(role.role for role in roles) | {phrase.role.name for phrase in phrases},
    )

"""Whom a question means: "my brother" is Ilya where memory says so, and a question about Ilya may find "my brother".

Names from the register are searched beside the question's own words, never in their place, and count as one soft signal: an atom
that names the person meant by another name than the question does. Costs a look-up in the register for each name and role in the
question, and one more search of words where it adds any.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from lattice_common.domain.recall import Meant
from lattice_common.language.people.phrases import ANYBODY, OWNER, SOMEBODY, Phrase, phrases_of
from lattice_common.language.people.register import Entity, Register
from lattice_common.language.people.words import MOST_NAME_WORDS, Sentence, chain_of, cut, key_of
from lattice_common.language.text import STOP_WORDS, analyze
from lattice_common.ports.catalogue import Columns
from lattice_common.recall.question import Floats, Question, Search

MOST_MEANT = 3
"""Entities that one phrase may mean: "my friend" is too many, and adds nothing."""
FEW_LETTERS = 4
"""Of a word in small letters, with which it is taken for no name that is misspelt."""
MOST_TOKENS = 16
"""Further tokens that are searched."""


def with_who(question: Question, register: Register, columns: Columns, now: float) -> Question:
    """Return the question with `meant` filled in. At the time it asks about, or at any where it asks how it was."""
    moment = None if question.history else question.as_of or _begins(question, now)
    meant = tuple(_meant(question.text, register, columns, moment))
    return replace(question, meant=meant) if meant else question


def _begins(question: Question, now: float) -> float:
    if question.period is None:
        return now
    known = [each for each in (question.period.last, question.period.first) if math.isfinite(each)]
    return min(min(known, default=now), now)


def _meant(text: str, register: Register, columns: Columns, moment: float | None) -> Iterator[Meant]:
    sentence = cut(text)
    taken: set[int] = set()
    for phrase in reversed(phrases_of(sentence, OWNER)):
        if taken.isdisjoint(range(phrase.start, phrase.end)):
            taken |= set(range(phrase.start, phrase.end))
            if not phrase.make:
                yield from _by_role(sentence, phrase, register, columns, moment)
            else:
                taken -= set(range(phrase.start, phrase.end))
    yield from _by_name(sentence, taken, register, columns, moment)


def _by_role(sentence: Sentence, phrase: Phrase, register: Register, columns: Columns, moment: float | None) -> Iterator[Meant]:
    role = phrase.role.name
    paths = [phrase.path]
    if phrase.bare or phrase.holder == ANYBODY:
        paths = [f"{OWNER}/{role}", f"{ANYBODY}/{role}"]
    elif phrase.holder == SOMEBODY:
        return
    found: list[Entity] = []
    for path in paths:
        found = found or _fitting(register.holders(path, columns.ended, moment), phrase)
    if 0 < len(found) <= MOST_MEANT or (found and phrase.role.several):
        names = dict.fromkeys(name for entity in found for name in entity.names)
        asked = sentence.said(phrase.start, phrase.end)
        end = sentence.words[phrase.end - 1].end
        yield Meant(asked, end, tuple(names), tuple(entity.entity_id for entity in found), _proofs(found, role))


def _fitting(entities: list[Entity], phrase: Phrase) -> list[Entity]:
    """Return the entities that fit the phrase's modifiers: of several teachers the piano teacher, where one is asked for."""
    if not phrase.modifiers or len(entities) < 2:
        return entities
    wanted = set(phrase.modifiers)
    fitting = [each for each in entities if any(wanted & set(role.modifiers) for role in each.roles)]
    return fitting or [each for each in entities if not any(role.modifiers for role in each.roles)] or entities


def _by_name(sentence: Sentence, taken: set[int], register: Register, columns: Columns, moment: float | None) -> Iterator[Meant]:
    words = sentence.words
    capitals = any(word.text[0].isupper() for word in words[1:])
    at = 0
    while at < len(words):
        length = next((n for n in range(MOST_NAME_WORDS, 0, -1) if _is_known(sentence, at, n, taken, register)), 0)
        if length:
            key = key_of(sentence.said(at, at + length))
            yield from _named(sentence, at, at + length, key, register, columns, moment)
            at += length
            continue
        word = words[at]
        doubtful = at not in taken and word.low not in STOP_WORDS and word.low not in columns.names
        if doubtful and (word.text[0].isupper() if capitals else len(word.low) > FEW_LETTERS):
            near = register.spelt_like(word.low)
            if len(near) == 1:
                yield from _named(sentence, at, at + 1, near[0], register, columns, moment, misspelt=True)
        at += 1


def _is_known(sentence: Sentence, at: int, length: int, taken: set[int], register: Register) -> bool:
    if at + length > len(sentence.words) or not taken.isdisjoint(range(at, at + length)):
        return False
    first = sentence.words[at]
    if not sentence.low(at + length - 1)[-1:].isalnum():
        return False  # punctuation ends a name, and is no part of it
    if length == 1 and (first.low in STOP_WORDS or not first.low[0].isalpha()):
        return False
    return register.knows(key_of(sentence.said(at, at + length)))


def _named(
    sentence: Sentence,
    start: int,
    end: int,
    key: str,
    register: Register,
    columns: Columns,
    moment: float | None,
    *,
    misspelt: bool = False,
) -> Iterator[Meant]:
    entity = register.entity(key, columns.ended)
    if entity is None:
        return
    asked = sentence.said(start, end)
    own = set(key_of(asked).split())
    names = dict.fromkeys(name for name in entity.names if misspelt or not set(key_of(name).split()) <= own)
    for role in entity.roles:
        path = f"{role.holder}/{role.role}"
        told = moment is None or role.is_at(moment)
        if told and role.holder != SOMEBODY and len(register.holders(path, columns.ended, moment)) == 1:
            names |= dict.fromkeys(role.words)
    if names:
        yield Meant(asked, sentence.words[end - 1].end, tuple(names), (entity.entity_id,), entity.proofs)


def _proofs(entities: Iterable[Entity], role: str) -> tuple[str, ...]:
    found = (proof for each in entities for held in each.roles if role in chain_of(held.role) for proof in held.proofs)
    return tuple(dict.fromkeys(found))


def further_tokens(question: Question) -> tuple[str, ...]:
    """Return tokens of the other names of the people meant that the question does not contain."""
    tokens = dict.fromkeys(token for each in question.meant for name in each.names for token in analyze(name))
    return tuple(token for token in tokens if token not in question.tokens)[:MOST_TOKENS]


def said_in_full(question: Question) -> str:
    """Return the question with another name inserted behind what it calls somebody: "When does my brother (Ilya) land?"."""
    text = question.text
    for each in sorted(question.meant, key=lambda meant: -meant.end):
        if len(each.entities) == 1:
            text = f"{text[: each.end]} ({each.names[0]}){text[each.end :]}"
    return text


def who(search: Search) -> Floats:
    """Return the signal, 0…1: how much of the other names of the people meant each candidate contains, relative to the best. 0
    for statements of who is who: they hold both names, and would rank above what is asked about."""
    rows = search.candidates.rows
    if not len(search.named) or not len(rows):
        return np.zeros(len(rows))
    proofs = {search.columns.row_of.get(proof) for meant in search.question.meant for proof in meant.proofs}
    gains = {int(row): gain for row, gain in search.named.tolist() if int(row) not in proofs}
    most = max(gains.values(), default=0.0)
    return np.array([gains.get(row, 0.0) / most if most > 0 else 0.0 for row in rows.tolist()])

"""The two memories that a new statement follows from: who somebody is, and the same statement about them by that name.

"My brother lives in Kazan" follows from "Ilya is my brother" and "Ilya lives in Kazan". It is kept, for its owner said it, and
names the two that it follows from (`derives`). Only literal consequences count: what is merely similar is left to the judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lattice_common.domain.atom import Atom, Relation, normalized_content_hash
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.status import holds
from lattice_common.language.people.phrases import OWNER, SOMEBODY, phrases_of
from lattice_common.language.people.register import Ended, Entity, Register
from lattice_common.language.people.words import Sentence, cut, key_of, name_at
from lattice_common.ports.catalogue import KnownAtoms

LONGEST = 300
"""Characters of a statement that is checked: a longer one says more than one thing."""
MOST_WAYS = 12
"""Other wordings of a statement that are looked up."""


def with_premises(atoms: Sequence[Atom], known: KnownAtoms, register: Register, ended: Ended) -> tuple[Atom, ...]:
    """Return each atom, with `derives` naming the two that it follows from where there are such. The register is as it was before
    these atoms. Costs a look-up for each other wording of a statement."""
    return tuple(_with_premises(atom, known, register, ended) for atom in atoms)


def _with_premises(atom: Atom, known: KnownAtoms, register: Register, ended: Ended) -> Atom:
    asserted = holds(atom.status) and atom.kind != "question" and not is_conclusion(atom)
    if not asserted or atom.speaker or len(atom.content) > LONGEST:
        return atom
    linked = {relation.target for relation in atom.relations} | {atom.atom_id, *atom.supersedes}
    ways = dict(_ways(atom, register, ended))
    for said, proofs in list(ways.items())[:MOST_WAYS]:
        same = [each for each in known.get(known.with_hash(normalized=normalized_content_hash(said))) if _holds(each)]
        ties = [each for each in known.get(list(proofs)) if _holds(each)]
        for statement in same:
            tie = next((each for each in ties if each.atom_id != statement.atom_id), None)
            if tie is not None and linked.isdisjoint((statement.atom_id, tie.atom_id)):
                two = (Relation("derives", statement.atom_id), Relation("derives", tie.atom_id))
                return replace(atom, relations=(*atom.relations, *two))
    return atom


def _holds(atom: Atom) -> bool:
    return holds(atom.status) and not atom.is_superseded and atom.trust == "user"


def _ways(atom: Atom, register: Register, ended: Ended) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the statement with a role in place of a name and the other way round, each with the memories that prove who it is."""
    text, moment = atom.content, atom.observed_at.timestamp()
    sentence = cut(text)
    for phrase in phrases_of(sentence, OWNER):
        holders = [] if phrase.make or phrase.holder == SOMEBODY else register.holders(phrase.path, ended, moment)
        if len(holders) == 1:
            start, end = sentence.words[phrase.start].start, sentence.words[phrase.end - 1].end
            for name in holders[0].names:
                yield f"{text[:start]}{name}{text[end:]}", _proofs(holders[0], phrase.role.name)
    for start, end in _names(sentence):
        entity = register.entity(key_of(text[start:end]), ended)
        if entity is None:
            continue
        for role in entity.roles:
            if role.holder == OWNER and role.is_at(moment) and len(register.holders(f"{OWNER}/{role.role}", ended, moment)) == 1:
                for word in dict.fromkeys((role.phrase, *(f"my {word}" for word in role.words))):
                    yield f"{text[:start]}{word}{text[end:]}", role.proofs


def _names(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Yield the spans of names in a text."""
    at = 0
    while at < len(sentence.words):
        ends = name_at(sentence, at)
        if ends > at:
            yield sentence.words[at].start, sentence.words[ends - 1].end
        at = max(ends, at + 1)


def _proofs(entity: Entity, role: str) -> tuple[str, ...]:
    """Return the memories that say who an entity is in a role, the newest first."""
    return tuple(reversed([proof for held in entity.roles if held.role == role for proof in held.proofs]))

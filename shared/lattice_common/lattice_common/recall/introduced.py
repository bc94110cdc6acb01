"""Who somebody is, and what they are called, is answered by what says so: "Who is Piet?" and "What's my husband called?" by
"I live in Ghent with my husband Piet.".

Such a statement is about something else, and hardly like the question; the register knows that it tells who Piet is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lattice_common.domain.recall import Selected
from lattice_common.language.people.register import Entity
from lattice_common.language.people.words import key_of
from lattice_common.language.questions.asked_person import asked_name, asked_person
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.currency import seen
from lattice_common.recall.question import Search

MOST = 2
"""Statements that introduce somebody: what they are to one person, and to another."""


def introduced(search: Search, catalogue: CatalogueReader) -> Search:
    """Put first what introduces whom a question asks for. Costs a look-up in the register for questions of this form only."""
    entity = _asked_for(search, catalogue)
    proofs = list(dict.fromkeys(_proofs(entity, search)))[:MOST] if entity else []
    atoms = seen(search, catalogue.get(proofs)) if proofs else []
    if not atoms:
        return search
    best = max((each.score for each in search.chosen), default=0.0)
    known = {each.atom.atom_id: each for each in search.chosen}
    first = [replace(known.get(atom.atom_id, Selected(atom, best)), score=best) for atom in atoms]
    ids = {each.atom.atom_id for each in first}
    rest = [each for each in search.chosen if each.atom.atom_id not in ids]
    limit = search.question.query.limit
    return replace(search, chosen=(*first, *rest)[:limit], introducing=frozenset(ids))


def _asked_for(search: Search, catalogue: CatalogueReader) -> Entity | None:
    if whom := asked_person(search.question.text):
        return _entity(whom, search, catalogue)
    whose = asked_name(search.question.text)
    return _meant(whose, search, catalogue) if whose else None


def _entity(whom: str, search: Search, catalogue: CatalogueReader) -> Entity | None:
    return catalogue.register().entity(key_of(whom), search.columns.ended) or _meant(whom, search, catalogue)


def _meant(whom: str, search: Search, catalogue: CatalogueReader) -> Entity | None:
    """Return the only one whom a role means: "my brother's wife"."""
    meant = [each for each in search.question.meant if len(each.entities) == 1 and whom.endswith(each.asked)]
    return catalogue.register().entity(meant[0].entities[0], search.columns.ended) if meant else None


def _proofs(entity: Entity, search: Search) -> Iterator[str]:
    """Yield the newest current statement of each role that they have now."""
    for role in entity.roles:
        current = [proof for proof in role.proofs if search.columns.ended(proof) is None]
        if current and (role.until is None or search.now < role.until):
            yield current[-1]

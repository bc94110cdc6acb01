"""Of two statements of which the newer may have made the older untrue, the newer comes first, whatever its words.

They are joined by `may_update` until their owner says whether the older one still holds. One that was found only by its older
statement is brought in before it: who asks where somebody lives finds "Finally unpacked the last box here in York." by "I live in
Leeds.". Questions about how it was keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Selected
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.in_view import in_view
from lattice_common.recall.question import Search

LOOKED_AT = 8
"""Best atoms of which it is asked whether something newer puts them in doubt: a look-up in an index each."""


def newer_first(search: Search, catalogue: CatalogueReader) -> Search:
    """Reorders `chosen`, keeping its length, and says of each doubted one by which atom it may be outdated."""
    if search.question.history or not search.chosen:
        return search
    chosen = {each.atom.atom_id: each for each in search.chosen}
    doubts = _doubts(search, chosen, catalogue)
    if not doubts:
        return search
    order: list[Selected] = []
    placed: set[str] = set()

    def place(each: Selected) -> None:
        if each.atom.atom_id in placed:
            return
        placed.add(each.atom.atom_id)
        newer = doubts.get(each.atom.atom_id)
        if newer is None:
            order.append(each)
            return
        place(chosen.get(newer.atom_id) or Selected(newer, each.score, each.signals))
        order.append(replace(each, outdated_by=newer.atom_id))

    for each in search.chosen:
        place(each)
    return replace(search, chosen=tuple(order[: len(search.chosen)]))


def doubted_among(given: Sequence[Selected]) -> tuple[Selected, ...]:
    """Atoms that were chosen by hand, in their order, each with the newer one among them that may have made it untrue."""
    doubts = {target: each.atom.atom_id for each in given if not each.atom.is_superseded for target in each.atom.may_update}
    return tuple(replace(each, outdated_by=doubts.get(each.atom.atom_id)) for each in given)


def _doubts(search: Search, chosen: dict[str, Selected], catalogue: CatalogueReader) -> dict[str, Atom]:
    """Doubted atom → the newest one that doubts it, among what the question may see."""
    found: dict[str, Atom] = {}
    named = [(each.atom, target) for each in chosen.values() for target in each.atom.may_update if target in chosen]
    best = [each.atom.atom_id for each in search.chosen[:LOOKED_AT] if not each.atom.is_superseded]
    around = dict.fromkeys(newer for atom_id in best for newer in catalogue.referrers(atom_id) if newer not in chosen)
    for atom in _seen(search, catalogue.get(list(around))):
        named += [(atom, target) for target in atom.may_update if target in chosen]
    for newer, target in named:
        if not newer.is_superseded and (target not in found or newer.observed_at > found[target].observed_at):
            found[target] = newer
    return found


def _seen(search: Search, atoms: Sequence[Atom]) -> list[Atom]:
    rows = np.array([search.columns.row_of.get(atom.atom_id, search.count) for atom in atoms], dtype=np.int64)
    there = rows < search.count
    seen = np.zeros(len(rows), dtype=bool)
    seen[there] = in_view(search.question, search.columns, rows[there])
    sources = search.question.query.filter.source_id
    return [atom for atom, visible in zip(atoms, seen, strict=True) if visible and (not sources or atom.source_id in sources)]

"""What still holds of a saying of which another part has ended, where the question names that part.

"My son Sahr is in class 5, stays with my mother." is two statements, and "Sahr was promoted, class six." ends the first. Who asks
which class Sahr is in is told that one first, though "My son Sahr stays with my mother." shares as many words with the question.
Who asks where he stays is told where.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lattice_common.domain.atom import Atom
from lattice_common.language.text import analyze
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.heirs import heirs_of, turn_around
from lattice_common.recall.question import Search

FIRST = 3
"""Best statements of which it is asked what was said with them."""
MOST_BESIDE = 3
"""Statements on each side of one that count as said with it."""


def ended_beside(search: Search, catalogue: CatalogueReader, doubts: Mapping[str, Atom]) -> dict[str, Atom]:
    """Return, by the ids of the best statements, what ended, or may have (`doubts`), something that was said with them and that
    the question names."""
    asked = set(analyze(search.question.text))
    found: dict[str, Atom] = {}
    for each in search.chosen[:FIRST]:
        if each.atom.atom_id in doubts or each.atom.is_superseded:
            continue
        own = set(analyze(each.atom.content))
        for ended, newer in _ended(each.atom, search, catalogue, doubts):
            if newer.atom_id != each.atom.atom_id and asked & (set(analyze(ended.content)) - own):
                found.setdefault(each.atom.atom_id, newer)
    return found


def _ended(atom: Atom, search: Search, catalogue: CatalogueReader, doubts: Mapping[str, Atom]) -> Iterator[tuple[Atom, Atom]]:
    """Yield what was said with a statement and no longer holds, or may not, each with what ended it."""
    columns = search.columns
    row = columns.row_of.get(atom.atom_id, search.count)
    if row >= search.count or columns.speaker[row] >= 0:
        return
    beside = [each for each in turn_around(row, search, MOST_BESIDE, retired=True) if each != row]
    gone = [each for each in beside if columns.superseded[each]]
    ids = {each: columns.atom_ids[each] for each in beside if columns.superseded[each] or columns.atom_ids[each] in doubts}
    if not ids:
        return
    heirs = {each: columns.atom_ids[heir] for each, heir in heirs_of(gone, search, catalogue).items()}
    known = {each.atom_id: each for each in catalogue.get([*ids.values(), *heirs.values()])}
    for each, ended_id in ids.items():
        newer = doubts.get(ended_id) or known.get(heirs.get(each, ""))
        if newer is not None and ended_id in known and search.columns.row_of.get(newer.atom_id, search.count) < search.count:
            yield known[ended_id], newer

"""Which edges an atom has, given the atoms that are there, and how they follow when atoms come, change and go.

An atom is linked to atoms written before it only, whether superseded or not. So the edges of a store are the same whether
they were made one commit at a time or all at once by a rebuild.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lattice_common.domain.atom import Atom
from lattice_common.domain.graph import SAME_SUBJECT_NEWEST, GraphChange
from lattice_common.ingest.graph_change import graph_change, removal, together
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.graph import GraphLog


def link(
    log: GraphLog, catalogue: CatalogueReader, *, there: Sequence[Atom], gone: Sequence[Atom], moved: Sequence[Atom] = (),
    without: frozenset[str] = frozenset(),
) -> None:  # fmt: skip
    """Follow a commit. `there` is new or changed, and in the catalogue; `gone` is what was removed or changed, as it was before;
    `moved` came back or changed its neighbours. Atoms `without` are treated as if they had left the catalogue already.

    One append: killed at any moment, the graph is as it was before or as it is afterwards."""
    neighbours = catalogue.get([atom_id for atom_id in _linked_to([*gone, *moved], catalogue) if atom_id not in without])
    affected = {atom.atom_id: atom for atom in neighbours} | {atom.atom_id: atom for atom in there}
    removed = together(removal(atom) for atom in gone).removed_nodes
    if affected or removed:
        log.append(replace(edges_of(affected.values(), catalogue, without), removed_nodes=removed))


def edges_of(atoms: Iterable[Atom], catalogue: CatalogueReader, without: frozenset[str] = frozenset()) -> GraphChange:
    """The nodes and edges that atoms bring."""
    return together(
        graph_change(atom, _same_subject(atom, catalogue, without), _previous(atom, catalogue, without)) for atom in atoms
    )


def _linked_to(atoms: Sequence[Atom], catalogue: CatalogueReader) -> list[str]:
    """Atoms whose own edges end at these: later ones of the subject, the next in the conversation, those that name them."""
    columns = catalogue.columns()
    affected: dict[str, None] = {}
    for atom in atoms:
        later = catalogue.same_subject(atom.subject, after=atom.seq, limit=SAME_SUBJECT_NEWEST)
        row = columns.row_of.get(atom.atom_id, -1)
        following = int(columns.following[row]) if row >= 0 else -1
        next_ids = [columns.atom_ids[following]] if following >= 0 else []
        affected |= dict.fromkeys([*later, *next_ids, *catalogue.referrers(atom.atom_id)])
    return list(affected)


def _same_subject(atom: Atom, catalogue: CatalogueReader, without: frozenset[str]) -> list[str]:
    earlier = catalogue.same_subject(atom.subject, before=atom.seq, limit=SAME_SUBJECT_NEWEST + len(without))
    return [atom_id for atom_id in earlier if atom_id not in without][:SAME_SUBJECT_NEWEST]


def _previous(atom: Atom, catalogue: CatalogueReader, without: frozenset[str]) -> str | None:
    columns = catalogue.columns()
    row = columns.row_of.get(atom.atom_id, -1)
    while row >= 0:
        row = int(columns.previous[row])
        if row >= 0 and columns.atom_ids[row] not in without:
            return columns.atom_ids[row]
    return None

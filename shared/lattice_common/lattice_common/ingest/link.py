"""The edges of atoms, given the atoms that exist, and how they follow when atoms are added, changed or removed.

An atom is linked only to atoms written before it, whether superseded or not. So the edges of a store are the same whether they
were made one commit at a time or all at once by a rebuild.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.graph import SAME_SUBJECT_NEWEST, SAME_WORDS_NEWEST, Edge, GraphChange, same_subject_edges
from lattice_common.ingest.graph_change import atom_node, graph_change, removal, together
from lattice_common.ingest.stores import Stores
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.graph import WrittenGraph


def link(
    stores: Stores,
    *,
    there: Sequence[Atom],
    gone: Sequence[Atom],
    moved: Sequence[Atom] = (),
    without: frozenset[str] = frozenset(),
    beside: Iterable[str] = (),
) -> None:
    """Apply a commit to the graph. `there` is new or changed, and in the catalogue; `gone` is what was removed or changed, as it
    was before; `moved` came back or changed its neighbours. Atoms `without` are treated as if they had left the catalogue
    already. `beside` are those that the moved atoms were linked to before (`linked_to`, called before the catalogue was changed).
    Names, subjects and sources that only atoms `gone` had go with them: nothing in the graph tells what was deleted.

    One append: after a kill at any moment, the graph is as before or as afterwards.
    """
    catalogue = stores.catalogue
    affected_ids = dict.fromkeys([*linked_to([*gone, *moved], catalogue), *beside])
    neighbours = catalogue.get([atom_id for atom_id in affected_ids if atom_id not in without])
    affected = {atom.atom_id: atom for atom in neighbours} | {atom.atom_id: atom for atom in there}
    removed = together(removal(atom) for atom in gone).removed_nodes
    parted = tuple(dict.fromkeys(_parted(neighbours, moved, catalogue))) if moved else ()
    if affected or removed:
        change = edges_of(affected.values(), catalogue, without)
        held = _held_by(gone, stores.graph)
        stores.graph_log.append(replace(change, removed_nodes=(*removed, *held), removed_edges=parted))


def _held_by(gone: Sequence[Atom], graph: WrittenGraph) -> list[str]:
    if not gone:
        return []
    graph.refresh()  # what a commit before this one added may hold them too
    if graph.trouble is not None:  # what was not read may hold them too; all of it is made anew
        return []
    return graph.held_by([atom.atom_id for atom in gone])


def edges_of(atoms: Iterable[Atom], catalogue: CatalogueReader, without: frozenset[str] = frozenset()) -> GraphChange:
    """Return the nodes and edges of atoms."""
    return together(
        graph_change(
            atom,
            _same_subject(atom, catalogue, without),
            _previous(atom, catalogue, without),
            same_hash=_same_words(atom, catalogue, without),
        )
        for atom in atoms
    )


def linked_to(atoms: Sequence[Atom], catalogue: CatalogueReader) -> list[str]:
    """Return the ids of atoms whose own edges end at these: later ones of the same subject and of the same words, the next in the
    conversation, and those that name them."""
    columns = catalogue.columns()
    affected: dict[str, None] = {}
    for atom in atoms:
        place = (atom.seq, atom.atom_id)
        later = catalogue.same_subject(atom.subject, after=place, limit=SAME_SUBJECT_NEWEST)
        again = catalogue.same_words(atom.normalized_content_hash, after=place, limit=SAME_WORDS_NEWEST)
        row = columns.row_of.get(atom.atom_id, -1)
        following = int(columns.following[row]) if row >= 0 else -1
        next_ids = [columns.atom_ids[following]] if following >= 0 else []
        affected |= dict.fromkeys([*later, *again, *next_ids, *catalogue.referrers(atom.atom_id)])
    return list(affected)


def _parted(neighbours: Iterable[Atom], moved: Sequence[Atom], catalogue: CatalogueReader) -> Iterator[Edge]:
    """Yield the edges that are removed when `moved` atoms are placed between others: to what is no longer among the newest of its
    subject, or no longer just before it."""
    came = Counter(normalize_subject(atom.subject) for atom in moved)
    said = Counter(atom.normalized_content_hash for atom in moved)
    between = {atom.atom_id for atom in moved}
    columns = catalogue.columns()
    for atom in neighbours:
        count = came[normalize_subject(atom.subject)]
        if count:
            earlier = catalogue.same_subject(atom.subject, before=(atom.seq, atom.atom_id), limit=SAME_SUBJECT_NEWEST + count)
            beyond = [atom_node(other) for other in earlier[SAME_SUBJECT_NEWEST:]]
            yield from same_subject_edges(atom_node(atom.atom_id), beyond)
        count = said[atom.normalized_content_hash]
        if count:
            place, most = (atom.seq, atom.atom_id), SAME_WORDS_NEWEST + count
            earlier = catalogue.same_words(atom.normalized_content_hash, before=place, limit=most)
            yield from (Edge(atom_node(atom.atom_id), atom_node(other), "same_hash") for other in earlier[SAME_WORDS_NEWEST:])
        row, passed = columns.row_of.get(atom.atom_id, -1), False
        while row >= 0 and (row := int(columns.previous[row])) >= 0:
            if columns.atom_ids[row] not in between:
                if passed:
                    yield Edge(atom_node(columns.atom_ids[row]), atom_node(atom.atom_id), "next_in_segment")
                break
            passed = True


def _same_subject(atom: Atom, catalogue: CatalogueReader, without: frozenset[str]) -> list[str]:
    earlier = catalogue.same_subject(atom.subject, before=(atom.seq, atom.atom_id), limit=SAME_SUBJECT_NEWEST + len(without))
    return [atom_id for atom_id in earlier if atom_id not in without][:SAME_SUBJECT_NEWEST]


def _same_words(atom: Atom, catalogue: CatalogueReader, without: frozenset[str]) -> list[str]:
    place, most = (atom.seq, atom.atom_id), SAME_WORDS_NEWEST + len(without)
    earlier = catalogue.same_words(atom.normalized_content_hash, before=place, limit=most)
    return [atom_id for atom_id in earlier if atom_id not in without][:SAME_WORDS_NEWEST]


def _previous(atom: Atom, catalogue: CatalogueReader, without: frozenset[str]) -> str | None:
    columns = catalogue.columns()
    row = columns.row_of.get(atom.atom_id, -1)
    while row >= 0:
        row = int(columns.previous[row])
        if row >= 0 and columns.atom_ids[row] not in without:
            return columns.atom_ids[row]
    return None

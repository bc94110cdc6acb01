"""Files of atoms that were changed by hand: derived state follows them, and nothing is ever written into them.

`follow_files` checks some paths and applies what changed; `repair` uses its steps for changes while Lattice was not running. Both
give the same state as a rebuild, whatever the owner did: edit, add, copy, move, delete, put back, break.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lattice_common.domain.atom import Atom
from lattice_common.ingest.commit import index_atoms
from lattice_common.ingest.index_documents import embedding_text
from lattice_common.ingest.link import link, linked_to
from lattice_common.ingest.reextraction import replaces_only
from lattice_common.ingest.stores import Stores
from lattice_common.logs import logger
from lattice_common.ports.atoms import FileMark, Unreadable
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.graph import Graph

log = logger(__name__)

UNFINISHED = -1
"""The `mtime_ns` under which the catalogue knows an atom until the graph and the engines have followed it. No file has it: after
a kill at any moment, the next start finds the atom changed, and makes the graph anew."""


@dataclass(frozen=True, slots=True)
class Followed:
    """How many atoms were read (edited, added, put back) and removed; `broken` are the files that cannot be read, by atom id."""

    read: int = 0
    gone: int = 0
    broken: Mapping[str, tuple[FileMark, Unreadable]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.read or self.gone)


class HandEdits:
    """Follows hand edits in a store, and knows which files they broke. One thread, the writer's, calls `follow`."""

    def __init__(self, stores: Stores, graph: Graph, next_index_seq: Callable[[], int]) -> None:
        self._stores = stores
        self._graph = graph
        self._next_index_seq = next_index_seq
        self._broken: Mapping[str, tuple[FileMark, Unreadable]] = {}

    def follow(self, paths: Sequence[str]) -> None:
        """Follow changes; see `follow_files`. A file that was broken before and is unchanged is not read again."""
        touched = _by_id(paths)
        followed = follow_files(self._stores, self._graph, paths, index_seq=self._next_index_seq(), broken=self._broken)
        others = {atom_id: each for atom_id, each in self._broken.items() if atom_id not in touched}
        self._broken = {**others, **followed.broken}

    def broken(self) -> tuple[Unreadable, ...]:
        """Return files that cannot be read, of those checked since the start. Any thread may call it."""
        return tuple(each for _, each in self._broken.values())


def follow_files(
    stores: Stores,
    graph: Graph,
    paths: Iterable[str],
    *,
    index_seq: int,
    broken: Mapping[str, tuple[FileMark, Unreadable]] | None = None,
) -> Followed:
    """Update derived state from the files at these paths (relative to the data folder), existing or not.

    What the catalogue knows already, above all the writer's own files, costs one look. Paths that name no atom are ignored.
    `broken` are files that were broken before. Raise `Unavailable` when an engine is away: then it has to be repeated.
    """
    stores.lock.check()
    known = stores.catalogue.marks(list(touched := _by_id(paths)))
    still: dict[str, tuple[FileMark, Unreadable]] = {}
    changed: list[tuple[str, FileMark]] = []
    gone: list[str] = []
    deleted: list[str] = []
    for atom_id, places in touched.items():
        before = known[atom_id][0] if atom_id in known else None
        mark = stores.atoms.find(atom_id, [*places, before.path] if before else places)
        if mark is None:
            deleted += [] if before and stores.atoms.is_hidden(before.path) else [atom_id]
            gone += [atom_id] if before else []
        elif broken and atom_id in broken and broken[atom_id][0] == mark:
            still[atom_id] = broken[atom_id]
        elif mark != before:
            changed.append((atom_id, mark))
    found, unreadable = read_changed(stores, changed)
    gone += [atom_id for atom_id in unreadable if atom_id in known]
    keep_deleted(stores, deleted)
    take_out(stores, gone, index_seq)
    read = take_in(stores, found, index_seq)
    if gone or read:
        graph.refresh()
        log.info("hand_edits_followed", read=read, gone=len(gone), unreadable=len(unreadable))
    marks = dict(changed)
    # One that disappears meanwhile is reported again.
    still |= {atom_id: (marks[atom_id], each) for atom_id, each in unreadable.items() if each.reason != "gone"}
    return Followed(read, len(gone), still)


def read_changed(
    stores: Stores, changed: Iterable[tuple[str, FileMark]]
) -> tuple[list[tuple[Atom, FileMark]], dict[str, Unreadable]]:
    """Return the atoms that could be read, and those that could not, by atom id."""
    found: list[tuple[Atom, FileMark]] = []
    unreadable: dict[str, Unreadable] = {}
    for atom_id, mark in changed:
        match stores.atoms.read_file(mark):
            case Unreadable(path, reason) as broken:
                # It is left alone and listed: the file is the owner's.
                unreadable[atom_id] = broken
                log.warning("atom_unreadable", path=path, reason=reason)
            case Atom() as atom:
                found.append((atom, mark))
    return found, unreadable


def take_in(stores: Stores, found: Sequence[tuple[Atom, FileMark]], index_seq: int) -> int:
    """Store atoms as their files have them now: their old nodes and edges leave the graph, the new ones are added, the engines
    follow.

    Return how many differ from before: for a file that was only touched or moved, the catalogue records where it is now.
    """
    ids = [atom.atom_id for atom, _ in found]
    marks = stores.catalogue.marks(ids)
    finished = [atom_id for atom_id in ids if atom_id in marks and marks[atom_id][0].mtime_ns != UNFINISHED]
    known = {atom.atom_id: atom for atom in stores.catalogue.get(ids)}
    same = {atom_id: known[atom_id] for atom_id in finished}
    changed = [(atom, mark) for atom, mark in found if same.get(atom.atom_id) != atom]
    if changed:
        atoms = [atom for atom, _ in changed]
        before = [known[atom.atom_id] for atom in atoms if atom.atom_id in known]
        beside = linked_to(before, stores.catalogue)
        stores.catalogue.put(unfinished(changed))
        link(stores, there=atoms, gone=before, moved=atoms, beside=beside)
        index_atoms(stores, atoms, {}, _vectors_of_same_words(stores, atoms, same), index_seq=index_seq)
    if found:
        stores.catalogue.put(found)
    return len(changed)


def take_out(stores: Stores, atom_ids: Sequence[str], index_seq: int) -> None:
    """Remove atoms whose files are gone, or cannot be read any more."""
    if not atom_ids:
        return
    gone = stores.catalogue.get(atom_ids)
    link(stores, there=(), gone=gone, without=frozenset(atom_ids))
    stores.catalogue.remove(atom_ids)
    index_atoms(stores, (), {}, {}, index_seq=index_seq, trashed=atom_ids)
    if stores.shelf is not None:
        stores.shelf.take_out(gone, index_seq, hide=False)


def keep_deleted(stores: Stores, atom_ids: Iterable[str]) -> None:
    """Remove what a hand deleted from the plans that are still carried out, so that a redo does not bring it back.

    Only atoms in the catalogue are known to have been written at all; the rest of a plan is written by its redo. What is read
    again into the place of a deleted atom does not come either.
    """
    known = {atom.atom_id: atom for atom in stores.catalogue.get(list(atom_ids))}
    if not known:
        return
    for entry_id in dict.fromkeys([*(atom.capture_id for atom in known.values()), *stores.worklog.open_ids()]):
        plan = stores.worklog.read_plan(entry_id) if entry_id else None
        if plan is None:
            continue
        gone = stores.catalogue.get(plan.trashed) if plan.of is not None else []
        left = tuple(atom for atom in plan.atoms if atom.atom_id not in known and not replaces_only(atom, gone, known))
        if left != plan.atoms:
            stores.worklog.write_plan(replace(plan, atoms=left))


def unfinished(found: Sequence[tuple[Atom, FileMark]]) -> list[tuple[Atom, FileMark]]:
    """Return the same under marks that say that the graph and the engines are still to follow."""
    return [(atom, replace(mark, mtime_ns=UNFINISHED)) for atom, mark in found]


def _by_id(paths: Iterable[str]) -> dict[str, list[str]]:
    touched: dict[str, list[str]] = {}
    for path in paths:
        name = path.rpartition("/")[2]
        if name.endswith(".md"):
            touched.setdefault(name.removesuffix(".md"), []).append(path)
    return touched


def _vectors_of_same_words(stores: Stores, atoms: Sequence[Atom], before: Mapping[str, Atom]) -> Mapping[str, Vectors]:
    """Return the vectors of atoms with unchanged words, which need not be made again."""
    if stores.dense is None:
        return {}
    same = [
        atom.atom_id for atom in atoms if atom.atom_id in before and embedding_text(before[atom.atom_id]) == embedding_text(atom)
    ]
    return stores.dense.vectors(same)

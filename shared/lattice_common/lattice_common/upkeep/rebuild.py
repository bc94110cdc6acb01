"""Everything derived, made anew from the markdown and the journal; and, at a start, only what has drifted.

`rebuild` empties the catalogue, the graph and the engines and fills them; `repair` compares first and touches only what differs
(files edited, added or deleted while Lattice was not running, engines that missed a commit). Both give the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from lattice_common.domain.atom import Atom
from lattice_common.domain.graph import GraphChange
from lattice_common.ingest.commit import Stores, index_atoms
from lattice_common.ingest.link import edges_of, link
from lattice_common.logs import logger
from lattice_common.ports.atoms import FileMark, Unreadable
from lattice_common.ports.graph import Graph

log = logger(__name__)

T = TypeVar("T")

CHUNK = 512
"""Atoms that are read, linked and indexed at once: bounds the memory, and is a good many batches for the embedder."""

UNFINISHED = -1
"""The `mtime_ns` under which the catalogue knows an atom until the graph and the engines have followed it. No file has it: cut
short at any moment, the next start finds the atom changed, and makes the graph anew."""

OnProgress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how many are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """How many atoms were read again, left the store, and were brought into the engines or taken out of them."""

    read: int = 0
    gone: int = 0
    indexed: int = 0
    unindexed: int = 0
    unreadable: int = 0

    def __bool__(self) -> bool:
        return bool(self.read or self.gone or self.indexed or self.unindexed)


def rebuild(stores: Stores, on_progress: OnProgress) -> Repaired:
    """Make everything derived anew. O(atoms); embedding them is most of it."""
    stores.lock.check()
    # The graph first: an empty one beside atoms is noticed by a repair, whatever is left undone from here on.
    stores.graph_log.replace(GraphChange())
    stores.catalogue.clear()
    stores.lexical.clear()
    if stores.dense is not None:
        stores.dense.clear()
    marks = list(stores.atoms.marks())
    found, unreadable = _read(stores, marks, on_progress)
    numbered = _numbered(stores, found)
    for chunk in _chunks(numbered):
        stores.catalogue.put(_unfinished(chunk))
    done = 0
    for chunk in _chunks(numbered):
        atoms = [atom for atom, _ in chunk]
        stores.graph_log.append(edges_of(atoms, stores.catalogue))
        index_atoms(stores, atoms, {}, {}, index_seq=_index_seq(stores))
        done += len(atoms)
        on_progress("indexing", done, len(found))
    for chunk in _chunks(numbered):
        stores.catalogue.put(chunk)
    log.info("rebuilt", atoms=len(found), unreadable=len(unreadable))
    return Repaired(read=len(found), indexed=len(found), unreadable=len(unreadable))


def repair(stores: Stores, graph: Graph, on_progress: OnProgress) -> Repaired:
    """Bring what is derived up to date with the files. Costs one look at each file's mark, and work only where they differ.

    `graph` shows what the sidecars hold.
    """
    stores.lock.check()
    known = stores.catalogue.marks()
    marks = dict(stores.atoms.marks())
    changed = [(atom_id, mark) for atom_id, mark in marks.items() if atom_id not in known or known[atom_id][0] != mark]
    _repair_graph(stores, graph, {atom_id: mark for atom_id, (mark, _) in known.items()})
    found, unreadable = _read(stores, changed, on_progress)
    # What cannot be read any more is not served either, as after a rebuild, until the owner has mended it.
    gone = [atom_id for atom_id in known if atom_id not in marks or atom_id in unreadable]
    for chunk in _chunks(_numbered(stores, found, after=stores.catalogue.last_seq())):
        _take_in(stores, chunk)
    for ids in _chunks(gone):
        link(stores.graph_log, stores.catalogue, there=(), gone=stores.catalogue.get(ids), without=frozenset(ids))
        stores.catalogue.remove(ids)
    indexed, unindexed = _repair_engines(stores, on_progress)
    repaired = Repaired(len(found), len(gone), indexed, unindexed, len(unreadable))
    if repaired:
        log.info("store_repaired", read=repaired.read, gone=repaired.gone, indexed=indexed, unindexed=unindexed)
    return repaired


def _read(
    stores: Stores, marks: Sequence[tuple[str, FileMark]], on_progress: OnProgress
) -> tuple[list[tuple[Atom, FileMark]], set[str]]:
    """What could be read, and the ids of what could not."""
    found: list[tuple[Atom, FileMark]] = []
    unreadable: set[str] = set()
    for done, (atom_id, mark) in enumerate(marks, start=1):
        match stores.atoms.read_file(mark):
            case Unreadable(path, reason):
                # Left alone, and listed by the doctor: the file is the owner's.
                unreadable.add(atom_id)
                log.warning("atom_unreadable", path=path, reason=reason)
            case Atom() as atom:
                found.append((atom, mark))
        if done % CHUNK == 0 or done == len(marks):
            on_progress("reading", done, len(marks))
    return found, unreadable


def _numbered(stores: Stores, found: Sequence[tuple[Atom, FileMark]], after: int = 0) -> list[tuple[Atom, FileMark]]:
    """In the order of writing. Atoms written by hand have no number yet: they come last, by id, and get one, which is noted in
    their file. Otherwise a later rebuild would put them behind everything that was written after them."""
    ordered = sorted(found, key=lambda each: (each[0].seq == 0, each[0].seq, each[0].atom_id))
    last = max([after, *(atom.seq for atom, _ in found)])
    known = {atom.atom_id: atom.seq for atom in stores.catalogue.get([atom.atom_id for atom, _ in found if atom.seq == 0])}
    numbered = []
    for atom, mark in ordered:
        if atom.seq:
            numbered.append((atom, mark))
            continue
        seq = known.get(atom.atom_id) or last + 1
        last = max(last, seq)
        numbered.append(stores.atoms.set_fields(atom.atom_id, {"seq": seq}) or (replace(atom, seq=seq), mark))
    return numbered


def _unfinished(found: Sequence[tuple[Atom, FileMark]]) -> list[tuple[Atom, FileMark]]:
    return [(atom, replace(mark, mtime_ns=UNFINISHED)) for atom, mark in found]


def _take_in(stores: Stores, found: Sequence[tuple[Atom, FileMark]]) -> None:
    """Files that changed by hand: their old place in the graph goes, their new one comes. The engines follow by hash, or here
    where the content is the same and something else that they hold has changed."""
    before = {atom.atom_id: atom for atom in stores.catalogue.get([atom.atom_id for atom, _ in found])}
    found = [(replace(atom, seq=before[atom.atom_id].seq) if atom.atom_id in before else atom, mark) for atom, mark in found]
    atoms = [atom for atom, _ in found]
    stores.catalogue.put(_unfinished(found))
    link(stores.graph_log, stores.catalogue, there=atoms, gone=list(before.values()), moved=atoms)
    index_atoms(stores, [atom for atom in atoms if atom.atom_id in before], {}, {}, index_seq=_index_seq(stores))
    stores.catalogue.put(found)


def _repair_graph(stores: Stores, graph: Graph, known: Mapping[str, FileMark]) -> None:
    """Sidecars that are damaged, were deleted, or that a start which was cut short had not finished, are made anew from the
    catalogue."""
    graph.refresh()
    cut_short = any(mark.mtime_ns == UNFINISHED for mark in known.values())
    if graph.trouble is None and not cut_short and bool(graph.stats().nodes) == bool(known):
        return
    log.warning("store_repaired", graph=graph.trouble or ("unfinished" if cut_short else "missing"))
    # One unfinished atom is enough for this to be taken up again, should it be cut short as well.
    witness = [] if cut_short else [(atom, known[atom.atom_id]) for atom in stores.catalogue.get(list(known)[:1])]
    stores.catalogue.put(_unfinished(witness))
    stores.graph_log.replace(GraphChange())
    for atoms in _chunks(stores.catalogue.all()):
        stores.graph_log.append(edges_of(atoms, stores.catalogue))
    stores.catalogue.put(witness)


def _repair_engines(stores: Stores, on_progress: OnProgress) -> tuple[int, int]:
    """Compare (id, content hash) both ways with each engine, and mend the differences."""
    expected = {atom_id: content for atom_id, (_, content) in stores.catalogue.marks().items()}
    lexical = {atom_id: content for atom_id, content, _ in stores.lexical.entries()}
    dense = {atom_id: content for atom_id, content, _ in stores.dense.entries()} if stores.dense is not None else expected
    missing = [
        atom_id for atom_id, content in expected.items() if lexical.get(atom_id) != content or dense.get(atom_id) != content
    ]
    extra = sorted((lexical.keys() | dense.keys()) - expected.keys())
    done = 0
    for ids in _chunks(missing):
        index_atoms(stores, stores.catalogue.get(ids), {}, {}, index_seq=_index_seq(stores))
        done += len(ids)
        on_progress("indexing", done, len(missing))
    if extra:
        index_atoms(stores, (), {}, {}, index_seq=_index_seq(stores), trashed=extra)
    return len(missing), len(extra)


def _index_seq(stores: Stores) -> int:
    """Below what ingest of this writer will use, above all that earlier writers used."""
    return stores.lock.epoch << 32


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    chunk: list[T] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk

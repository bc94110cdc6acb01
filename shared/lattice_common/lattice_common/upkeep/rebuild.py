"""All derived state, made anew from the markdown and the journal; and, at a start, only what has drifted.

`rebuild` empties the catalogue, the graph and the engines and fills them; `repair` compares first and changes only what differs
(files edited, added or deleted while Lattice was not running, engines that missed a commit). Both give the same state.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from lattice_common.domain.atom import Atom
from lattice_common.domain.graph import GraphChange
from lattice_common.errors import Unavailable
from lattice_common.ingest.commit import index_atoms
from lattice_common.ingest.link import edges_of
from lattice_common.ingest.stores import Stores
from lattice_common.logs import logger
from lattice_common.ports.atoms import FileMark
from lattice_common.ports.dense_index import DenseIndex
from lattice_common.ports.graph import Graph
from lattice_common.ports.lexical_index import LexicalIndex
from lattice_common.upkeep.hand_edits import UNFINISHED, keep_deleted, read_changed, take_in, take_out, unfinished

log = logger(__name__)

T = TypeVar("T")

CHUNK = 512
"""Atoms that are read, linked and indexed at once: limits the memory, and makes several batches for the embedder."""

OnProgress: TypeAlias = Callable[[str, int, int], None]
"""Called with the current step, how many are done, and of how many."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """How many atoms were read again, left the store, and were added to the engines or removed from them."""

    read: int = 0
    gone: int = 0
    indexed: int = 0
    unindexed: int = 0
    unreadable: int = 0

    def __bool__(self) -> bool:
        return bool(self.read or self.gone or self.indexed or self.unindexed)


def rebuild(stores: Stores, on_progress: OnProgress) -> Repaired:
    """Make all derived state anew. O(atoms); most of it is embedding, during which engines on servers answer from their old
    state. Raise `Unavailable` when one is away, or goes away meanwhile: then it keeps its old state."""
    stores.lock.check()
    marks = list(stores.atoms.marks())
    found, unreadable = _read(stores, marks, on_progress)
    ordered = _in_order(found)
    with contextlib.ExitStack() as engines:
        engines.enter_context(stores.lexical.anew())
        if stores.dense is not None:
            engines.enter_context(stores.dense.anew())
        # A repair notices an empty graph beside atoms, and an unfinished atom, wherever this is interrupted.
        stores.graph_log.replace(GraphChange())
        stores.catalogue.clear()
        for chunk in _counted("listing", ordered, on_progress):
            stores.catalogue.put(unfinished(chunk))
        for chunk in _counted("linking", ordered, on_progress):
            stores.graph_log.append(edges_of([atom for atom, _ in chunk], stores.catalogue))
        stores.behind.forget()
        for chunk in _counted("indexing", ordered, on_progress):
            index_atoms(stores, [atom for atom, _ in chunk], {}, {}, index_seq=_index_seq(stores))
            if away := stores.behind.legs:
                raise Unavailable(f"The {' and the '.join(sorted(away))} index went away: start it, and rebuild again.")
    for chunk in _counted("keeping", ordered, on_progress):
        stores.catalogue.put(chunk)
    if stores.shelf is not None:
        stores.shelf.rebuild(_index_seq(stores), on_progress)
    log.info("rebuilt", atoms=len(found), unreadable=len(unreadable))
    return Repaired(read=len(found), indexed=len(found), unreadable=len(unreadable))


def repair(stores: Stores, graph: Graph, on_progress: OnProgress) -> Repaired:
    """Update derived state from the files. Costs one look at each file's mark, and work only where they differ.

    `graph` shows what the sidecars hold.
    """
    stores.lock.check()
    known = stores.catalogue.marks()
    marks = dict(stores.atoms.marks())
    changed = [(atom_id, mark) for atom_id, mark in marks.items() if atom_id not in known or known[atom_id][0] != mark]
    _repair_graph(stores, graph, {atom_id: mark for atom_id, (mark, _) in known.items()})
    found, unreadable = _read(stores, changed, on_progress)
    # As after a rebuild, what cannot be read is removed until the owner has mended it.
    gone = [atom_id for atom_id in known if atom_id not in marks or atom_id in unreadable]
    missing = [atom_id for atom_id in gone if atom_id not in marks]
    keep_deleted(stores, [atom_id for atom_id in missing if not stores.atoms.is_hidden(known[atom_id][0].path)])
    for ids in _chunks(gone):
        take_out(stores, ids, _index_seq(stores))
    for chunk in _counted("keeping", _in_order(found), on_progress):
        take_in(stores, chunk, _index_seq(stores))
    indexed, unindexed = repair_engines(stores, lambda: _index_seq(stores), on_progress)
    repaired = Repaired(len(found), len(gone), indexed, unindexed, len(unreadable))
    if repaired:
        log.info("store_repaired", read=repaired.read, gone=repaired.gone, indexed=indexed, unindexed=unindexed)
    return repaired


def _read(
    stores: Stores, marks: Sequence[tuple[str, FileMark]], on_progress: OnProgress
) -> tuple[list[tuple[Atom, FileMark]], set[str]]:
    """Return the atoms that could be read, and the ids of those that could not."""
    found: list[tuple[Atom, FileMark]] = []
    unreadable: set[str] = set()
    for chunk in _counted("reading", marks, on_progress):
        read, broken = read_changed(stores, chunk)
        found += read
        unreadable |= broken.keys()
    return found, unreadable


def _in_order(found: Sequence[tuple[Atom, FileMark]]) -> list[tuple[Atom, FileMark]]:
    return sorted(found, key=lambda each: (each[0].seq, each[0].atom_id))


def _repair_graph(stores: Stores, graph: Graph, known: Mapping[str, FileMark]) -> None:
    """Make sidecars anew from the catalogue that are damaged, were deleted, or were left unfinished by an interrupted start."""
    graph.refresh()
    cut_short = any(mark.mtime_ns == UNFINISHED for mark in known.values())
    if graph.trouble is None and not cut_short and bool(graph.stats().nodes) == bool(known):
        return
    log.warning("store_repaired", graph=graph.trouble or ("unfinished" if cut_short else "missing"))
    # One unfinished atom is enough to continue this after an interruption.
    witness = [] if cut_short else [(atom, known[atom.atom_id]) for atom in stores.catalogue.get(list(known)[:1])]
    stores.catalogue.put(unfinished(witness))
    rebuild_graph(stores)
    stores.catalogue.put(witness)


def rebuild_graph(stores: Stores) -> None:
    """Make the sidecars anew from the catalogue."""
    stores.lock.check()
    stores.graph_log.replace(GraphChange())
    for atoms in _chunks(stores.catalogue.all()):
        stores.graph_log.append(edges_of(atoms, stores.catalogue))


def repair_engines(stores: Stores, next_index_seq: Callable[[], int], on_progress: OnProgress) -> tuple[int, int]:
    """Compare (id, content hash) both ways with each engine, and mend the differences; return how many atoms were missing, and
    too many.

    An engine that may be away and is stays behind, and is left out. O(atoms), some 20 µs each.
    """
    expected = {atom_id: content for atom_id, (_, content) in stores.catalogue.marks().items()}
    lexical = dense = expected
    newest = 0
    with stores.behind.tolerated("lexical"):
        lexical, newest = _held(stores.lexical)
    if stores.dense is not None:
        with stores.behind.tolerated("dense"):
            dense, newer = _held(stores.dense)
            newest = max(newest, newer)
    index_seq = next_index_seq()
    if newest > index_seq:
        # The folder is older than the engines: a backup was restored. With its numbers continued, everything written from here on
        # would be older than what they hold, and ignored.
        stores.lock.raise_above(newest >> 32)
        index_seq = next_index_seq()
    missing = [
        atom_id for atom_id, content in expected.items() if lexical.get(atom_id) != content or dense.get(atom_id) != content
    ]
    extra = sorted((lexical.keys() | dense.keys()) - expected.keys())
    for ids in _counted("indexing", missing, on_progress):
        index_atoms(stores, stores.catalogue.get(ids), {}, {}, index_seq=index_seq)
    if extra:
        index_atoms(stores, (), {}, {}, index_seq=index_seq, trashed=extra)
    if stores.shelf is not None:
        stores.shelf.repair(index_seq)
    return len(missing), len(extra)


def _held(index: LexicalIndex | DenseIndex) -> tuple[dict[str, str], int]:
    """Return the content hashes by atom id, and the newest seq."""
    held: dict[str, str] = {}
    newest = 0
    for atom_id, content, seq in index.entries():
        held[atom_id] = content
        newest = max(newest, seq)
    return held, newest


def _index_seq(stores: Stores) -> int:
    """Return a number below those that ingest of this writer will use, above all that earlier writers used."""
    return stores.lock.epoch << 32


def _counted(step: str, items: Sequence[T], on_progress: OnProgress) -> Iterator[list[T]]:
    """Yield items by chunks; each is told as done when the next one is asked for."""
    done = 0
    for chunk in _chunks(items):
        yield chunk
        done += len(chunk)
        on_progress(step, done, len(items))


def _chunks(items: Iterable[T]) -> Iterator[list[T]]:
    chunk: list[T] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk

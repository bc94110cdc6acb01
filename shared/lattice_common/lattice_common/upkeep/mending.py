"""Mends derived state that the doctor found damaged: catalogue, indexes, graph and passages, from markdown and journal.

Canonical state is read and never written: a file that cannot be read, a quote that is wrong, or a journal with a gap are left to
the owner. Only what a finding names is made anew; the graph, which takes seconds, as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lattice_common.domain.atom import Atom
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ingest.commit import index_atoms
from lattice_common.ingest.stores import Stores
from lattice_common.logs import logger
from lattice_common.upkeep.doctor import Area, Finding
from lattice_common.upkeep.hand_edits import take_in, take_out
from lattice_common.upkeep.health import WHOLE
from lattice_common.upkeep.rebuild import CHUNK, OnProgress, rebuild, rebuild_graph, repair_engines

log = logger(__name__)

DERIVED: frozenset[Area] = frozenset(("catalogue", "lexical", "dense", "graph", "who", "passages"))
"""Areas that are derived from canonical state; findings of all others are the owner's to settle."""

PAGES = frozenset((("catalogue", "the file"), ("lexical", "the files")))
"""Where the pages of a file are damaged, nothing in it is relied on."""


@dataclass(frozen=True, slots=True)
class Mended:
    """How many memories were made anew in the catalogue and the indexes, or removed from them; whether the graph and the passages
    were; whether everything was, because the catalogue could not be read."""

    memories: int = 0
    gone: int = 0
    graph: bool = False
    passages: bool = False
    everything: bool = False


def is_derived(finding: Finding) -> bool:
    """Return whether mending can do something about it."""
    return finding.area in DERIVED


def mend(stores: Stores, findings: Iterable[Finding], on_progress: OnProgress) -> Mended:
    """Make anew what the findings of derived areas name. For the one writer, before it is started. Raise `Unavailable` where an
    engine that is to be mended is away."""
    stores.lock.check()
    found = [each for each in findings if is_derived(each)]
    if not found:
        return Mended()
    named = {each.thing for each in found if each.area in ("catalogue", "lexical", "dense", "who")} - WHOLE
    if any((each.area, each.thing) in PAGES for each in found):
        return _all_anew(stores, on_progress)
    try:
        # First, because it makes what is written from here on newer than what the engines hold.
        missing, _ = repair_engines(stores, lambda: stores.lock.epoch << 32, on_progress)
        index_seq = stores.lock.epoch << 32
        memories, gone = _mend_memories(stores, sorted(named), index_seq, on_progress)
    except Corrupt:
        return _all_anew(stores, on_progress)
    of_graph = any(each.area in ("graph", "catalogue", "who") for each in found)
    if of_graph:
        rebuild_graph(stores)
    of_passages = any(each.area == "passages" for each in found)
    if of_passages and stores.shelf is not None:
        stores.shelf.rebuild(index_seq)
    if away := stores.behind.legs:
        raise Unavailable(f"The {' and the '.join(sorted(away))} index is away: start it, and repair again.")
    memories = max(memories, missing)  # those that were only missing are among them
    log.info("store_repaired", read=memories, gone=gone)
    return Mended(memories, gone, of_graph, of_passages)


def _all_anew(stores: Stores, on_progress: OnProgress) -> Mended:
    made = rebuild(stores, on_progress)
    return Mended(memories=made.read, graph=True, passages=True, everything=True)


def _mend_memories(stores: Stores, named: Sequence[str], index_seq: int, on_progress: OnProgress) -> tuple[int, int]:
    """Return how many memories were made anew from their files, and how many were removed because they have no readable file."""
    for _ in stores.catalogue.all():
        pass  # raises `Corrupt` where it cannot be believed at all
    marks = dict(stores.atoms.marks())
    mended = gone = 0
    for start in range(0, len(named), CHUNK):
        chunk = named[start : start + CHUNK]
        there = [
            (atom, marks[each])
            for each in chunk
            if each in marks and isinstance(atom := stores.atoms.read_file(marks[each]), Atom)
        ]
        without = [each for each in chunk if each not in {atom.atom_id for atom, _ in there}]
        take_out(stores, without, index_seq)
        take_in(stores, there, index_seq)
        # `take_in` passes over what the catalogue has as the file has it: what it has of names, and the indexes, are made anew.
        stores.catalogue.put(there)
        index_atoms(stores, [atom for atom, _ in there], {}, {}, index_seq=index_seq)
        mended += len(there)
        gone += len(without)
        on_progress("mending", start + len(chunk), len(named))
    return mended, gone

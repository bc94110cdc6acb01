"""The stages of ingest that decide: segment -> extract -> ground -> reconcile, for one part of a capture.

Each stage is a function of values, tested by itself; nothing here writes. What comes out is a `Plan`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture
from lattice_common.domain.receipt import Stage
from lattice_common.domain.segment import Candidate, Rejection, Segment
from lattice_common.ingest.atoms import build_atoms
from lattice_common.ingest.extract import extract
from lattice_common.ingest.ground import ground
from lattice_common.ingest.index_documents import embedding_text
from lattice_common.ingest.reconcile import Thresholds, reconcile
from lattice_common.ingest.segment import segment
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.embedder import Embedder, Vectors
from lattice_common.ports.journal import Plan, Tally

PART_CHARACTERS = 40_000
"""A part of a capture is what is planned and committed at once: about 300 facts, a second of work, so that something urgent
can come between two parts of a long text."""


@dataclass(frozen=True, slots=True)
class Proved:
    """What one part of a capture says: grounded candidates beside the segment they are from, and what was not proved."""

    grounded: tuple[tuple[Segment, tuple[Candidate, ...]], ...]
    rejected: tuple[Rejection, ...]

    @property
    def facts(self) -> int:
        return sum(len(candidates) for _, candidates in self.grounded)


def parts_of(capture: Capture) -> list[tuple[Segment, ...]]:
    """The segments of a capture, grouped into parts; at least one, possibly empty. The same capture gives the same parts."""
    parts: list[tuple[Segment, ...]] = []
    part: list[Segment] = []
    size = 0
    for piece in segment(capture):
        if part and size + len(piece.text) > PART_CHARACTERS:
            parts.append(tuple(part))
            part, size = [], 0
        part.append(piece)
        size += len(piece.text)
    return [*parts, tuple(part)]


def prove(capture: Capture, part: Sequence[Segment], on_stage: Callable[[Stage], None]) -> Proved:
    """Extract and ground one part."""
    on_stage("extract")
    proposed = [(piece, extract(capture, piece)) for piece in part]
    on_stage("ground")
    grounded: list[tuple[Segment, tuple[Candidate, ...]]] = []
    rejected: list[Rejection] = []
    for piece, candidates in proposed:
        proved, unproved = ground(capture, piece, candidates)
        grounded.append((piece, tuple(proved)))
        rejected.extend(unproved)
    return Proved(tuple(grounded), tuple(rejected))


def atoms_of(capture: Capture, proved: Proved, *, ordinal: int, seq: int) -> list[Atom]:
    """The atoms of a part, numbered from `ordinal` and `seq`."""
    atoms: list[Atom] = []
    for piece, candidates in proved.grounded:
        atoms += build_atoms(capture, piece, candidates, ordinal=ordinal + len(atoms), seq=seq + len(atoms))
    return atoms


def embed_atoms(atoms: Sequence[Atom], embedder: Embedder | None) -> dict[str, Vectors]:
    """Vectors by atom id; empty without an embedder."""
    if embedder is None or not atoms:
        return {}
    vectors = embedder.embed([embedding_text(atom) for atom in atoms])
    return {atom.atom_id: vector for atom, vector in zip(atoms, vectors, strict=True)}


@dataclass(frozen=True, slots=True)
class Known:
    """What the store knows already, as reconcile asks it."""

    catalogue: CatalogueReader
    vectors_of: Callable[[Sequence[str]], Mapping[str, Vectors]]
    thresholds: Thresholds


def plan_part(
    capture_id: str, part: int, parts: int, epoch: int, before: Tally, proved: Proved, atoms: Sequence[Atom],
    vectors: Mapping[str, Vectors], known: Known,
) -> Plan:  # fmt: skip
    """Decide what one part comes to. `before` is the tally of the parts before it."""
    decided = reconcile(atoms, vectors, known.catalogue, known.vectors_of, known.thresholds)
    tally = replace(
        before,
        atom_ids=before.atom_ids + tuple(atom.atom_id for atom in decided.atoms),
        atoms_updated=before.atoms_updated + sum("is_superseded" in change.after for change in decided.changes),
        duplicates_skipped=before.duplicates_skipped + len(decided.duplicates),
        rejected=before.rejected + len(proved.rejected),
        changes=before.changes + decided.changes,
        next_ordinal=before.next_ordinal + len(atoms),
    )
    return Plan(
        capture_id=capture_id,
        part=part,
        parts=parts,
        epoch=epoch,
        atoms=decided.atoms,
        changes=decided.changes,
        rejected=proved.rejected,
        trashed=(),
        restored=(),
        tally=tally,
    )

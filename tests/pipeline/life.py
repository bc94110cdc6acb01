"""A year of one person's notes (tests/data/extraction/life_notes.yaml), taken in one after another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from known_atoms import KnownAtoms
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture
from lattice_common.ingest.atoms import build_atoms
from lattice_common.ingest.extract import extract
from lattice_common.ingest.ground import ground
from lattice_common.ingest.reconcile import Thresholds, reconcile
from lattice_common.ingest.segment import segment

NOTES = Path(__file__).resolve().parent.parent / "data" / "extraction" / "life_notes.yaml"


@cache
def notes() -> tuple[dict[str, Any], ...]:
    """The rows, in the order they were said."""
    return tuple(yaml.safe_load(NOTES.read_text(encoding="utf-8")))


def atoms_of(capture: Capture, *, seq: int = 0) -> list[Atom]:
    """What ingest makes of a capture, before it is compared with what is known; a rejection is a defect of the rules."""
    atoms: list[Atom] = []
    for piece in segment(capture):
        proved, rejected = ground(capture, piece, extract(capture, piece))
        assert rejected == [], [(one.reason, one.detail, one.candidate.content) for one in rejected]
        atoms += build_atoms(capture, piece, proved, ordinal=len(atoms), seq=seq + len(atoms))
    return atoms


def lived() -> Iterator[tuple[dict[str, Any], list[Atom]]]:
    """Each row with its atoms as they are at the end of the year."""
    known, told = KnownAtoms(), []
    for number, row in enumerate(notes(), 1):
        at = row["at"]
        moment = (
            at.replace(tzinfo=UTC)
            if isinstance(at, datetime)
            else datetime(at.year, at.month, at.day, 9 + number % 8, tzinfo=UTC)
        )
        capture = Capture(f"{number:026d}", moment, row["note"], moment)
        atoms = atoms_of(capture, seq=len(known.atoms) + 1)
        known.take(reconcile(atoms, {}, known, lambda _: {}, Thresholds()))
        told.append((row, [atom.atom_id for atom in atoms]))
    for row, ids in told:
        yield row, [known.atoms[atom_id] for atom_id in ids if atom_id in known.atoms]

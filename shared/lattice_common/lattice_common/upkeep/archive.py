"""The archive: memories that the owner archived, and those offered for it because they have not been used for long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.decay import (
    EPHEMERAL_UNRECALLED,
    FAINT,
    UNRECALLED,
    decayed,
    decayed_each,
    is_faded,
    last_used,
)
from lattice_common.domain.last_said import said_at
from lattice_common.domain.score import SECONDS_PER_DAY
from lattice_common.ports.catalogue import CatalogueReader

LOOKED_AT = 200
"""Memories that are read at once, until enough are found."""


@dataclass(frozen=True, slots=True)
class ArchiveCandidate:
    """A memory that may be archived: how sure it still is, and since when it has been neither told nor recalled."""

    atom: Atom
    confidence: float
    unused_since: datetime


def archived(catalogue: CatalogueReader, *, limit: int, before: str | None) -> tuple[list[Atom], int]:
    """Return archived memories, the newest first, from after `before` on; and how many there are in all."""
    columns = catalogue.columns()
    rows = np.flatnonzero(columns.alive[: columns.count] & columns.archived[: columns.count])
    total = len(rows)
    if before is not None:
        rows = rows[rows < columns.row_of.get(before, 0)]
    return catalogue.get([columns.atom_ids[row] for row in rows[::-1][:limit]]), total


def candidates(catalogue: CatalogueReader, now: datetime, limit: int) -> list[ArchiveCandidate]:
    """Return faded memories, the faintest first; never superseded ones (they are history), conclusions, or what is still to
    come."""
    found = []
    for atom in _faint(catalogue, now):
        to_come = atom.valid_until or atom.valid_from
        if is_conclusion(atom) or (to_come is not None and to_come > now) or not is_faded(atom, now):
            continue
        confidence = decayed(atom.confidence, atom.persistence, now - said_at(atom))
        found.append(ArchiveCandidate(atom, round(confidence, 3), last_used(atom)))
        if len(found) == limit:
            break
    return found


def _faint(catalogue: CatalogueReader, now: datetime) -> Iterator[Atom]:
    """Yield memories that the columns do not rule out: they do not hold when something was told again, or recalled."""
    columns = catalogue.columns()
    count = columns.count
    age_days = (now.timestamp() - columns.observed_at[:count]) / SECONDS_PER_DAY
    confidence = decayed_each(columns.confidence[:count].astype(np.float64), columns.persistence[:count], age_days)
    faint = (confidence < FAINT) & (age_days >= UNRECALLED.days)
    faint |= (columns.persistence[:count] == 0) & (age_days >= EPHEMERAL_UNRECALLED.days)
    rows = np.flatnonzero(faint & columns.alive[:count] & ~columns.superseded[:count] & ~columns.archived[:count])
    rows = rows[np.lexsort((rows, confidence[rows]))]
    for start in range(0, len(rows), LOOKED_AT):
        yield from catalogue.get([columns.atom_ids[row] for row in rows[start : start + LOOKED_AT]])

"""Memories in the order of the time that they are about: their own date, where that is known, else when they were said."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.conclusion import KINDS
from lattice_common.ports.catalogue import CatalogueReader, Columns


def timeline(
    catalogue: CatalogueReader,
    *,
    after: datetime | None,
    before: datetime | None,
    subject: str | None,
    limit: int,
    archived: bool = False,
    kind: str | None = None,
) -> list[tuple[datetime, Atom]]:
    """Return the latest `limit` in [after, before), oldest first: superseded ones included, but no conclusions, and archived ones
    only on request. Of one kind where that is given."""
    columns = catalogue.columns()
    rows = np.flatnonzero(columns.alive[: columns.count] & told(columns))
    if not archived:
        rows = rows[~columns.archived[rows]]
    if kind is not None:
        rows = rows[columns.kind[rows] == columns.kinds.get(kind, -2)]
    if subject is not None:
        rows = rows[columns.subject[rows] == columns.names.get(normalize_subject(subject), -2)]
    at = np.where(np.isnan(columns.valid_from[rows]), columns.observed_at[rows], columns.valid_from[rows])
    within = (at >= (after.timestamp() if after else -np.inf)) & (at < (before.timestamp() if before else np.inf))
    rows, at = rows[within], at[within]
    order = np.argsort(at, kind="stable")[-limit:]
    when = {columns.atom_ids[rows[each]]: datetime.fromtimestamp(float(at[each]), UTC) for each in order}
    return [(when[atom.atom_id], atom) for atom in catalogue.get(list(when))]


def told(columns: Columns) -> npt.NDArray[np.bool_]:
    """Return for each row whether somebody said it; what the product concluded counts from when its owner changed its words."""
    concluded = [columns.kinds[kind] for kind in KINDS if kind in columns.kinds]
    said: npt.NDArray[np.bool_] = ~np.isin(columns.kind[: columns.count], concluded) | (columns.trust[: columns.count] == 0)
    return said


def newest(catalogue: CatalogueReader, *, limit: int, before: str | None, kind: str | None) -> list[Atom]:
    """Return the newest first, of one kind where that is given; `before` is an atom id to go on from."""
    if kind is None:
        return catalogue.recent(limit, before=before)
    columns = catalogue.columns()
    end = columns.count if before is None else columns.row_of.get(before, 0)
    rows = np.flatnonzero(columns.alive[:end] & ~columns.archived[:end] & (columns.kind[:end] == columns.kinds.get(kind, -2)))
    return catalogue.get([columns.atom_ids[row] for row in rows[::-1][:limit]])

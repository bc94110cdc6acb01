"""The order of candidates, which does not depend on the history of the store."""

from __future__ import annotations

import numpy as np

from lattice_common.ports.catalogue import Columns
from lattice_common.recall.question import Floats, Rows


def best_first(scores: Floats, rows: Rows, columns: Columns) -> Rows:
    """Return positions in `scores`, the highest first; of equal ones the newest, by their ids.

    Rows would not do: an atom keeps its row when a hand changes its `seq`, and a rebuild gives it another. Without equal scores
    it costs one sort.
    """
    order = np.argsort(-scores, kind="stable")
    starts = np.flatnonzero(np.diff(scores[order], prepend=np.inf))
    lengths = np.diff(starts, append=len(order))
    for start, length in zip(starts[lengths > 1].tolist(), lengths[lengths > 1].tolist(), strict=True):
        tied = order[start : start + length].tolist()
        order[start : start + length] = sorted(tied, key=lambda place: columns.atom_ids[rows[place]], reverse=True)
    return order

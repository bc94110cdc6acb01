"""The order of candidates, which does not depend on the history of the store."""

from __future__ import annotations

import numpy as np

from lattice_common.ports.catalogue import Columns
from lattice_common.recall.question import Floats, Rows


def best_first(scores: Floats, rows: Rows, columns: Columns, *, most: int | None = None) -> Rows:
    """Return positions in `scores`, the highest first; of equal ones the newest, by their ids: of the first `most` places, where
    no others are looked at.

    Rows would not do: an atom keeps its row when a hand changes its `seq`, and a rebuild gives it another. Without equal scores
    it costs one sort.
    """
    order = np.argsort(-scores, kind="stable")
    sorted_scores = scores[order]
    starts = np.flatnonzero(np.concatenate([[True], sorted_scores[1:] != sorted_scores[:-1]])) if len(order) else order
    lengths = np.diff(starts, append=len(order))
    tied = lengths > 1 if most is None else (lengths > 1) & (starts < most)
    for start, length in zip(starts[tied].tolist(), lengths[tied].tolist(), strict=True):
        equal = order[start : start + length].tolist()
        order[start : start + length] = sorted(equal, key=lambda place: columns.atom_ids[rows[place]], reverse=True)
    return order

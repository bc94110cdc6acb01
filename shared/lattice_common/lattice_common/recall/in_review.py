"""The pairs about which the owner is asked whether the older one is still so.

What is only going to hold ("From December on I work at …") is asked about from its day on: until then the older one holds.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np

from lattice_common.domain.atom import TO_COME
from lattice_common.domain.status import NUMBERS
from lattice_common.ports.catalogue import CatalogueReader, Columns

MOST = 100_000
"""Pairs that are looked through where some are about what is to come."""


def in_review(catalogue: CatalogueReader, now: datetime, limit: int) -> list[tuple[str, str]]:
    """Return ids (newer, older) of the pairs in doubt that are to be settled by now, the newest first."""
    columns = catalogue.columns()
    if not _anything_is_to_come(columns, now):
        return catalogue.in_review(limit)
    return [(newer, older) for newer, older in catalogue.in_review(MOST) if not is_coming(columns, newer, older, now)][:limit]


def count_in_review(catalogue: CatalogueReader, now: datetime) -> int:
    """Return how many such pairs there are."""
    if not _anything_is_to_come(catalogue.columns(), now):
        return catalogue.count_in_review()
    return len(in_review(catalogue, now, MOST))


def is_coming(columns: Columns, newer: str, older: str, now: datetime) -> bool:
    """Return whether one statement is only going to hold in the place of another; not where that was yet to come itself."""
    row, old = (columns.row_of.get(each, columns.count) for each in (newer, older))
    if max(row, old) >= columns.count or not columns.valid_from[row] > now.timestamp():
        return False
    kinds = [columns.kinds.get(kind, -1) for kind in TO_COME]
    was_ahead = columns.valid_from[old] > columns.observed_at[old] or columns.status[old] == NUMBERS["planned"]
    return not (was_ahead or columns.kind[old] in kinds)


def _anything_is_to_come(columns: Columns, now: datetime) -> bool:
    return bool(np.any(columns.valid_from[: columns.count] > now.timestamp()))

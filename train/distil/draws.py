"""Which rows of a table an epoch reads, and in which batches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from train.distil.rows import Table

Places = npt.NDArray[np.int64]

POOL = 24
"""Batches within which rows are put together by their length."""
CHOSEN_AMONG = frozenset({"news", "answers", "lines"})
"""Heads whose rows of one group stay in one batch, for their loss is also that of the choice among them."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Beside what is labelled, the `close` others most like each text, and `far` of the rest, drawn anew each time; of a `share`
    of the texts (0 to 1), in every turn or in each `every`th."""

    close: int = 0
    far: int = 0
    share: float = 1.0
    every: int = 1


def drawn_rows(table: Table, draw: Draw, chance: np.random.Generator) -> Places:
    """Return the places of the rows that are read, rising."""
    if not len(table):
        return np.empty(0, dtype=np.int64)
    kept = table.place < draw.close
    rest = np.flatnonzero(~kept)
    order = rest[np.lexsort((chance.random(len(rest)), table.group[rest]))]
    groups = table.group[order]
    rank = np.arange(len(order)) - np.searchsorted(groups, groups)
    kept[order[rank < draw.far]] = True
    if draw.share < 1:
        kept &= (chance.random(int(table.group.max()) + 1) < draw.share)[table.group]
    return np.flatnonzero(kept)


def batches(table: Table, rows: Places, size: int, chance: np.random.Generator) -> list[Places]:
    """Return `rows` in batches of about `size`, of like lengths, and groups that are chosen among whole."""
    if not len(rows):
        return []
    groups = table.group[rows] if table.head in CHOSEN_AMONG else np.arange(len(rows))
    _, group, counts = np.unique(groups, return_inverse=True, return_counts=True)
    longest = np.zeros(len(counts), dtype=np.int64)
    np.maximum.at(longest, group, table.lengths[rows])
    shuffled = chance.permutation(len(counts))
    pool = np.empty(len(counts), dtype=np.int64)
    pool[shuffled] = np.cumsum(counts[shuffled]) // (size * POOL)
    order = np.lexsort((chance.random(len(counts)), longest, pool))
    batch = np.empty(len(counts), dtype=np.int64)
    batch[order] = (np.cumsum(counts[order]) - 1) // size
    sorted_rows = np.argsort(batch[group], kind="stable")
    cuts = np.flatnonzero(np.diff(batch[group][sorted_rows])) + 1
    return [rows[places] for places in np.split(sorted_rows, cuts)]


def epoch(
    tables: Mapping[str, Table], draws: Mapping[str, Draw], turn: int, size: int, chance: np.random.Generator
) -> list[tuple[str, Places]]:
    """Return the batches of the `turn`th epoch in random order, each as (part, places in its table)."""
    found = [
        (part, places)
        for part, draw in draws.items()
        if turn % draw.every == 0
        for places in batches(tables[part], drawn_rows(tables[part], draw, chance), size, chance)
    ]
    return [found[place] for place in chance.permutation(len(found)).tolist()]

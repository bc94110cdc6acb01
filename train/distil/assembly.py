"""Batches of a table, put together on the device that reads them: the same numbers as `train.batches.tensors`, at no cost of the
processor's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from train.distil.draws import Places
from train.distil.rows import UNKNOWN, Table

STEP = 8
"""A batch is as wide as a multiple of this, as attention on a GPU wants it."""

Soft = npt.NDArray[np.float16]


def best_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass(frozen=True, slots=True)
class Batch:
    """`ids`, `types` and `mask` (rows, tokens); `target` (rows, targets); `group` (rows,); `soft` (rows, outputs), what teachers'
    heads give, if they were asked; `labelled` tells whether the targets are known."""

    head: str
    ids: Tensor
    types: Tensor
    mask: Tensor
    target: Tensor
    group: Tensor
    soft: Tensor | None
    labelled: bool


class Held:
    """A table on a device, with what teachers gave for its rows."""

    def __init__(self, table: Table, device: torch.device, soft: Soft | None = None) -> None:
        self.table = table
        self.labelled = not bool((table.target == UNKNOWN).any())
        self._device = device
        self._tokens = torch.from_numpy(table.tokens).to(device)
        self._starts = torch.from_numpy(table.starts).to(device)
        self._firsts = torch.from_numpy(table.firsts).to(device)
        self._target = torch.from_numpy(table.target).to(device)
        self._group = torch.from_numpy(table.group).to(device)
        self._soft = None if soft is None else torch.from_numpy(soft).to(device)

    def batch(self, places: Places) -> Batch:
        """Return the rows at `places`."""
        widest = int(self.table.lengths[places].max())
        at = torch.from_numpy(places).to(self._device)
        starts, ends = self._starts[at, None], self._starts[at + 1, None]
        column = torch.arange(-(-widest // STEP) * STEP, device=self._device)[None, :]
        mask = starts + column < ends
        ids = self._tokens[torch.where(mask, starts + column, 0)].long() * mask
        types = mask & (column >= self._firsts[at, None])
        return Batch(
            self.table.head,
            ids,
            types.long(),
            mask.long(),
            self._target[at].float(),
            self._group[at].long(),
            None if self._soft is None else self._soft[at].float(),
            self.labelled,
        )

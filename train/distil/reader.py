"""An encoder that reads a batch by the head it is for: teachers and the judge that learns from them have the same heads."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from train.distil.assembly import Batch, Held, Soft
from train.distil.draws import batches
from train.distil.teacher import Teacher
from train.encoder import Judge, new_head

AT_ONCE = 1024
"""Rows that are read together where nothing is learned."""


class Reader(nn.Module):
    """`encoder` with its heads, and `lines`, one more for the lines of documents."""

    def __init__(self, encoder: Judge | Teacher) -> None:
        super().__init__()
        self.encoder = encoder
        self.lines = new_head(encoder.answers.in_features, 1)

    def forward(self, batch: Batch) -> Tensor:
        """Return what the batch's head gives, (rows, outputs)."""
        row = batch.ids, batch.types, batch.mask
        given: Tensor
        match batch.head:
            case "utterance":
                given = self.encoder.utterance(self.encoder.text_features(*row))
            case "answers":
                given = self.encoder.answers(self.encoder.pair_features(*row))
            case "lines":
                given = self.lines(self.encoder.pair_features(*row))
            case _:
                given = self.encoder.relation(self.encoder.pair_features(*row))
        return given

    def heads(self) -> list[nn.Module]:
        return [self.encoder.relation, self.encoder.answers, self.encoder.utterance, self.lines]


@torch.no_grad()
def logits(reader: Reader, held: Held) -> Soft:
    """Return what the head gives for each row of a table, (rows, outputs)."""
    every = np.arange(len(held.table))
    found: list[tuple[np.ndarray, Soft]] = []
    for places in batches(held.table, every, AT_ONCE, np.random.default_rng(0)):
        batch = held.batch(places)
        with torch.autocast(batch.ids.device.type, dtype=torch.bfloat16):
            found.append((places, reader(batch).half().cpu().numpy()))
    whole = np.empty((len(every), found[0][1].shape[1] if found else 0), dtype=np.float16)
    for places, given in found:
        whole[places] = given
    return whole

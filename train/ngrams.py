"""Fit how an utterance is meant by its n-grams alone: `python -m train.ngrams`, one minute; writes `judge_ngrams.npz`.

One linear map for intent, status and kind together, cross-entropy as in `train.fit`, decayed weights; seeded.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

import numpy as np
import torch
from lattice_common.adapters.models.ngram_reading import BUCKETS, FILE, buckets_of
from lattice_common.adapters.models.onnx_judge import FOLDER
from torch import Tensor, nn

from train.corpus import INTENTS, KINDS, STATUSES, Utterance, endings, utterances
from train.fit import label_loss

SIZES = [len(INTENTS), len(STATUSES), len(KINDS)]
BATCH, RATE = 64, 0.02


def fit(found: list[Utterance], *, epochs: int, decay: float, seed: int) -> tuple[Tensor, Tensor]:
    """Weights (BUCKETS, outputs) and bias (outputs,)."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    bags = [torch.from_numpy(buckets_of(each.text)) for each in found]
    goals = torch.tensor([(each.intent, each.status, each.kind) for each in found])
    table = nn.EmbeddingBag(BUCKETS, sum(SIZES), mode="sum")
    nn.init.zeros_(table.weight)
    bias = nn.Parameter(torch.zeros(sum(SIZES)))
    optimizer = torch.optim.Adam([table.weight, bias], lr=RATE)
    order = list(range(len(found)))
    for _ in range(epochs):
        chance.shuffle(order)
        for at in range(0, len(order), BATCH):
            rows = order[at : at + BATCH]
            own = [bags[row] for row in rows]
            shares = torch.cat([torch.full((len(bag),), max(1, len(bag)) ** -0.5) for bag in own])
            starts = torch.tensor([0, *np.cumsum([len(bag) for bag in own])[:-1].tolist()])
            given = table(torch.cat(own), starts, per_sample_weights=shares) + bias
            parts = given.split(SIZES, dim=1)
            loss = torch.stack([label_loss(part, goal) for part, goal in zip(parts, goals[rows].T, strict=True)]).sum()
            loss = loss + decay * table.weight[torch.cat(own).unique()].square().sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return table.weight.detach(), bias.detach()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--decay", type=float, default=1e-6)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    weights, bias = fit([*utterances("train"), *endings("train")], epochs=given.epochs, decay=given.decay, seed=given.seed)
    scale = weights.abs().amax(dim=0).clamp(min=1e-6) / 127
    rounded = (weights / scale).round().to(torch.int8)
    np.savez_compressed(given.folder / FILE, weights=rounded.numpy(), scale=scale.numpy(), bias=bias.numpy())


if __name__ == "__main__":
    main()

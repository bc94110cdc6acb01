"""Fit the matrix that turns a new statement's vector towards what it may make untrue: `python -m train.seek`, a minute.

An update shares few words with what it ends, so among thousands of statements the old one is often not near. A linear map over
the packaged embedder's vectors, x + x·M, is fitted so that the turned vector is nearest to the statement that was ended, among
all others of the training data (softmax over cosines, weight decay, stopped early by dev). One search more, nothing stored.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from lattice_common.adapters.models.onnx_judge import FOLDER, SEEK
from lattice_common.adapters.models.open_embedder import open_embedder

from train.corpus import RELATIONS, Pair, Split, lives, memories, pairs

UPDATES = RELATIONS.index("updates")
EPOCHS, RATE, DECAY, SHARPNESS, DROPOUT = 12, 2e-3, 3.0, 20.0, 0.1

Vectors = npt.NDArray[np.float32]


class Pool:
    """The statements of one split as vectors, and which of them each update ended."""

    def __init__(self, split: Split, embed: object, *, beside: bool) -> None:
        found = [*pairs(split), *_pairs_of_lives(split)]
        olds = [pair.old for pair in found]
        others = [pair.new for pair in found if pair.label != UPDATES]
        kept = [text for memory in memories(split) for _, text in memory.statements.values()] if beside else []
        texts = list(dict.fromkeys([*olds, *others, *kept]))
        place = {text: number for number, text in enumerate(texts)}
        updates = [pair for pair in found if pair.label == UPDATES]
        self.statements = torch.tensor(embed.embed(texts))  # type: ignore[attr-defined]
        self.new = torch.tensor(embed.embed([pair.new for pair in updates]))  # type: ignore[attr-defined]
        self.ended = torch.tensor([place[pair.old] for pair in updates])


def _pairs_of_lives(split: Split) -> list[Pair]:
    """What each piece of news ends or touches of its life."""
    return [
        Pair(life.statements[place], news.text, news.label(place), life.lang, "life", life.id)
        for life in lives(split)
        for news in life.news
        for place in (*news.updates, *news.touches)
    ]


def turned(vectors: torch.Tensor, matrix: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.normalize(vectors + vectors @ matrix, dim=-1)


@torch.no_grad()
def found_among(pool: Pool, matrix: torch.Tensor, sizes: tuple[int, ...], nearest: int) -> dict[int, float]:
    """Share of updates whose old statement is among the `nearest`, by size of a random memory around it."""
    scores = turned(pool.new, matrix) @ pool.statements.T
    chance = np.random.default_rng(1)
    shares = {}
    for size in sizes:
        hits = []
        for row, ended in zip(scores, pool.ended.tolist(), strict=True):
            beside = chance.choice(len(row), min(size, len(row)), replace=False)
            hits.append(int((row[torch.tensor(beside)] > row[ended]).sum()) < nearest)
        shares[size] = float(np.mean(hits))
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--cache", type=Path, default=Path("build/models"))
    given = parser.parse_args()
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=given.cache, threads=2)
    train, dev, test = (Pool(split, embedder, beside=split != "train") for split in ("train", "dev", "test"))
    torch.manual_seed(1)
    matrix = torch.nn.Parameter(torch.zeros(train.new.shape[1], train.new.shape[1]))
    optimizer = torch.optim.AdamW([matrix], lr=RATE, weight_decay=DECAY)
    best, kept = 0.0, matrix.detach().clone()
    for epoch in range(EPOCHS):
        for rows in torch.randperm(len(train.new)).split(256):
            query = torch.nn.functional.dropout(turned(train.new[rows], matrix), DROPOUT)
            loss = torch.nn.functional.cross_entropy(SHARPNESS * query @ train.statements.T, train.ended[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        share = found_among(dev, matrix, (1000,), 24)[1000]
        print(f"epoch {epoch + 1}: loss {loss.item():.3f}, dev: the old statement among the nearest 24 of 1,000: {share:.1%}")
        if share > best:
            best, kept = share, matrix.detach().clone()
    np.save(given.folder / SEEK, kept.numpy().astype(np.float16))
    for name, pool in (("dev", dev), ("test", test)):
        for way, chosen in (("as it is", torch.zeros_like(kept)), ("turned", kept)):
            shares = found_among(pool, chosen, (100, 300, 1000), 24)
            print(
                f"{name}, {way}: among the nearest 24 of " + ", ".join(f"{size:,}: {share:.1%}" for size, share in shares.items())
            )


if __name__ == "__main__":
    main()

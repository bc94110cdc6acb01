"""A course: which rows a reader learns from, how many of them in each epoch, and for how long."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from torch import Tensor, nn

from train.distil.assembly import Batch, Held
from train.distil.descent import Pace, descend_in_time
from train.distil.draws import Draw, epoch
from train.distil.objective import loss_of
from train.distil.reader import Reader

ALL = Draw()
TAUGHT: Mapping[str, Draw] = {
    "pairs": ALL,
    "near_updates": Draw(far=1),
    "far_updates": Draw(far=1),
    "near_others": Draw(far=1, share=0.5),
    "lives": Draw(close=1, far=2),
    "histories": Draw(close=3, far=1, every=2),
    "asked": Draw(close=4, far=2),
    "lines": ALL,
    "utterances": ALL,
}
"""What is labelled: teachers learn from nothing else."""
ELSEWHERE: Mapping[str, Draw] = {"other_lives": Draw(close=3), "other_memories": Draw(close=6)}
"""What only teachers have judged."""
LEARNED: Mapping[str, Draw] = {**TAUGHT, **ELSEWHERE}
ANSWERED: Mapping[str, Draw] = {name: LEARNED[name] for name in ("asked", "lines", "other_memories")}
"""What the copies of the last layers learn from."""
GONE_ON: Mapping[str, Draw] = {
    **{name: TAUGHT[name] for name in ("pairs", "near_updates", "far_updates", "near_others", "utterances")},
    "lives": replace(TAUGHT["lives"], share=1 / 6),
    "histories": replace(TAUGHT["histories"], share=0.2, every=1),
}
"""What the last layers are gone on with: pairs and utterances first of all, whose rows are few beside those of lives."""


@dataclass(frozen=True, slots=True)
class Course:
    """Rows by `draws`, in batches of `size`; `soft_shares` are the weights of teachers by head, `soft_share` that of all
    others."""

    draws: Mapping[str, Draw]
    size: int
    pace: Pace
    seed: int
    soft_share: float = 0.0
    soft_shares: Mapping[str, float] | None = None

    def epochs(self, held: Mapping[str, Held]) -> Iterator[Sequence[Callable[[], Batch]]]:
        """Yield the batches of one epoch after the other, without end."""
        chance = np.random.default_rng(self.seed)
        tables = {part: held[part].table for part in self.draws}
        turn = 0
        while True:
            found = epoch(tables, self.draws, turn, self.size, chance)
            yield [partial(held[part].batch, places) for part, places in found]
            turn += 1

    def loss(self, batch: Batch, given: Tensor) -> Tensor:
        return loss_of(batch, given, (self.soft_shares or {}).get(batch.head, self.soft_share))

    def take(self, reader: Reader, held: Mapping[str, Held], learning: Sequence[nn.Module], heads: Sequence[nn.Module]) -> None:
        """Train the parts `learning` of `reader`, `heads` among them."""

        def loss_of_batch(batch: Batch) -> Tensor:
            return self.loss(batch, reader(batch))

        descend_in_time(reader, self.epochs(held), loss_of_batch, self.pace, learning=learning, heads=heads)

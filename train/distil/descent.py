"""Gradient descent for as long as there is time: AdamW, a warm-up and then a linear fall of the rate to nothing at the end of the
time, and weights averaged over the last steps, as in `train.descent`, where the number of steps is known."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from train.distil.assembly import Batch

AVERAGE = 0.997
"""Of the moving average over the weights; of the first steps it is that of all."""
WARMUP = 150
"""Steps until the full rate."""
SAID_EVERY = 300


@dataclass(frozen=True, slots=True)
class Pace:
    """For how many `seconds`, or for `turns` of the epochs where those end sooner; the heads' rate is `heads_faster` times the
    `rate` of all else."""

    seconds: float
    rate: float
    heads_faster: float = 5.0
    turns: float = float("inf")


def descend_in_time(
    model: nn.Module,
    epochs: Iterator[Sequence[Callable[[], Batch]]],
    loss_of: Callable[[Batch], Tensor],
    pace: Pace,
    *,
    learning: Sequence[nn.Module],
    heads: Sequence[nn.Module],
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Train the parts `learning` of `model`, `heads` among them, and leave the model with their averaged weights, in evaluation.
    Each of `epochs` has batches that are put together when their turn comes."""
    head_weights = [weight for each in heads for weight in each.parameters()]
    known = {id(weight) for weight in head_weights}
    with only(model, learning) as weights:
        others = [weight for weight in weights if id(weight) not in known]
        groups = [{"params": others, "own": 1.0}, {"params": head_weights, "own": pace.heads_faster}]
        optimizer = torch.optim.AdamW(groups, lr=pace.rate, weight_decay=0.01, fused=weights[0].is_cuda)
        averaged = [weight.detach().clone() for weight in weights]
        step, told = 0, torch.zeros(())
        for batch, progress in _timed(epochs, pace, clock):
            for group in optimizer.param_groups:
                group["lr"] = pace.rate * group["own"] * min((step + 1) / WARMUP, 1.0) * (1 - progress)
            taken = batch()
            with torch.autocast(taken.ids.device.type, dtype=torch.bfloat16):
                loss = loss_of(taken)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            step += 1
            with torch.no_grad():
                for mean, weight in zip(averaged, weights, strict=True):
                    mean.lerp_(weight, max(1 - AVERAGE, 1 / step))
            told = loss.detach() if step == 1 else 0.98 * told + 0.02 * loss.detach()
            if step % SAID_EVERY == 0:
                print(f"step {step}  loss {told.item():.3f}  {progress:.0%}", flush=True)
        with torch.no_grad():
            for weight, mean in zip(weights, averaged, strict=True):
                weight.copy_(mean)
    print(f"ended after {step} steps, loss {told.item():.3f}", flush=True)


def _timed(
    epochs: Iterator[Sequence[Callable[[], Batch]]], pace: Pace, clock: Callable[[], float]
) -> Iterator[tuple[Callable[[], Batch], float]]:
    """Yield each batch with how much of the time or of the turns is over (0 to 1), until one of them is."""
    started = clock()
    for turn, batches in enumerate(epochs):
        for place, batch in enumerate(batches):
            progress = max((clock() - started) / pace.seconds, (turn + place / len(batches)) / pace.turns)
            if progress >= 1:
                return
            yield batch, progress


@contextmanager
def only(model: nn.Module, learning: Sequence[nn.Module]) -> Iterator[list[nn.Parameter]]:
    """Yield the weights of `learning` that may be trained; all others of `model` stay as they are meanwhile, without dropout."""
    weights = list(dict.fromkeys(weight for each in learning for weight in each.parameters() if weight.requires_grad))
    chosen = {id(weight) for weight in weights}
    rest = [weight for weight in model.parameters() if weight.requires_grad and id(weight) not in chosen]
    model.eval()
    for each in learning:
        each.train()
    for weight in rest:
        weight.requires_grad_(False)
    try:
        yield weights
    finally:
        for weight in rest:
            weight.requires_grad_(True)
        model.eval()

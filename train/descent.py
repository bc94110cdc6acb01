"""Gradient descent over batches, as all of the judge's parts are trained: AdamW, a warm-up and then a linear fall of the rate,
and weights averaged over the last steps, which smooths the last epochs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import torch
from torch import Tensor, nn

from train.batches import Row
from train.encoder import warmup_then_linear

Model = TypeVar("Model", bound=nn.Module)


def descend(
    model: Model,
    batches: Sequence[list[Row]],
    loss_of: Callable[[list[Row]], Tensor],
    *,
    layers: Iterable[nn.Parameter],
    heads: Iterable[nn.Parameter],
    rate: float,
    heads_faster: float,
    average: float,
    say: bool = True,
) -> Model:
    """Return the model with the weights averaged over the steps, each step counting `average` of the next. The heads' rate is
    `heads_faster` times that of the layers."""
    groups = [{"params": list(layers)}, {"params": list(heads), "lr": rate * heads_faster}]
    optimizer = torch.optim.AdamW(groups, lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: warmup_then_linear(step, len(batches)))
    averaged = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(average))
    model.train()
    started, told = time.monotonic(), 0.0
    for step, batch in enumerate(batches):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = loss_of(batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        averaged.update_parameters(model)
        told = loss.item() if not told else 0.98 * told + 0.02 * loss.item()
        if say and (step + 1) % 50 == 0:
            spent = time.monotonic() - started
            left = spent / (step + 1) * (len(batches) - step - 1)
            print(f"step {step + 1}/{len(batches)}  loss {told:.3f}  {spent:.0f} s, {left:.0f} s to go", flush=True)
    model.load_state_dict(averaged.module.state_dict())
    return model.eval()

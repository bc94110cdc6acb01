"""The loss of a batch: that of `train.fit`, and how far what is given lies from what teachers gave (Hinton et al. 2015)."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from train.beside import UPDATES
from train.distil.assembly import Batch
from train.fit import CHOICE, UTTERANCE_WEIGHTS, choice_loss, relation_loss, update_odds, utterance_loss, utterance_parts

SOFT_CHOICE = 0.5
"""By how much of the share of teachers the choice counts less, which they do not see."""
SINGLE = {"answers": 1.0, "lines": 0.2}
"""Weight of each row by itself, next to ..."""
AMONG = {"answers": CHOICE, "lines": 1.0}
"""... that of the choice among the rows of one question."""


def loss_of(batch: Batch, given: Tensor, soft_share: float) -> Tensor:
    """Return the mean loss of `given` (rows, outputs). `soft_share` (0 to 1) is the weight of what teachers gave, where they were
    asked; of rows without a label there is nothing else."""
    given = given.float()
    share = 0.0 if batch.soft is None else soft_share if batch.labelled else 1.0
    match batch.head:
        case "utterance":
            return _weighed(batch, given, share)
        case "answers" | "lines":
            single = SINGLE[batch.head] * _weighed(batch, given, share)
            odds, right, weight = given[:, 0], batch.target[:, 0] > 0, AMONG[batch.head]
        case "news":
            single = _weighed(batch, given, share)
            odds, right, weight = update_odds(given), batch.target[:, 0] == UPDATES, CHOICE
        case _:
            return _weighed(batch, given, share)
    if not batch.labelled:
        return single
    return single + weight * (1 - SOFT_CHOICE * share) * choice_loss(odds, right, batch.group)


def _weighed(batch: Batch, given: Tensor, share: float) -> Tensor:
    """Labels and teachers, `share` of it the latter."""
    if batch.soft is None:
        return _labelled(batch, given)
    soft = soft_loss(batch.head, given, batch.soft)
    return soft if share == 1 else (1 - share) * _labelled(batch, given) + share * soft


def _labelled(batch: Batch, given: Tensor) -> Tensor:
    match batch.head:
        case "utterance":
            return utterance_loss(given, batch.target)
        case "answers" | "lines":
            return functional.binary_cross_entropy_with_logits(given, batch.target)
        case _:
            return relation_loss(given, batch.target[:, 0])


def soft_loss(head: str, given: Tensor, soft: Tensor) -> Tensor:
    """Return the mean cross-entropy between the probabilities of two outputs of a head, (rows, outputs): least where they are
    the same."""
    match head:
        case "utterance":
            parts = zip(UTTERANCE_WEIGHTS, utterance_parts(given), utterance_parts(soft), strict=True)
            return torch.stack([weight * functional.cross_entropy(own, other.softmax(1)) for weight, own, other in parts]).sum()
        case "answers" | "lines":
            return functional.binary_cross_entropy_with_logits(given, soft.sigmoid())
        case _:
            return functional.cross_entropy(given, soft.softmax(1))

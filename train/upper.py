"""Copies of the judge's last layers, for what has them for itself: `train.answers`, `train.texts`.

The layers below, and all that the judge knows else, stay as they are: what they make of each row is reckoned once, so that a step
of training costs a third of what it costs to train the whole judge.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from lattice_common.adapters.models.bert_graph import GraphDraft, encoder_layer
from lattice_common.adapters.models.calibrated_features import Largest
from onnx import TensorProto, save_model
from torch import Tensor, nn

from train.batches import Row, batched, tensors
from train.descent import descend
from train.encoder import WIDTH, Judge, pair_pooled
from train.export import COPIED, POOLED_BY, SHAPE, Floats, add_head, info, model_of, named_tensors, pooled
from train.shipped import arrays_of, head_state, layer_state, set_state

AT_ONCE = 64


class Upper(nn.Module):
    """The judge's last `layers`, and heads over the features of a pair that they make."""

    def __init__(self, judge: Judge, heads: Mapping[str, nn.Linear], layers: int = COPIED) -> None:
        """Begins with copies of `heads`. The layers are those of `judge`, which is another one once they are trained."""
        super().__init__()
        self.layers = nn.ModuleList(list(judge.layers)[len(judge.layers) - layers :])
        self.heads = nn.ModuleDict({name: copy.deepcopy(head) for name, head in heads.items()})
        self.dropout = judge.dropout

    def forward(self, head: str, hidden: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """`hidden` (rows, tokens, width); returns what the head gives, (rows, outputs)."""
        seen = mask.bool()[:, None, None, :]
        for layer in self.layers:
            hidden = layer(hidden, seen)
        given: Tensor = self.heads[head](self.dropout(pair_pooled(hidden.float(), types, mask)))
        return given


@dataclass(frozen=True, slots=True)
class Read:
    """Rows, and what the layers below make of each: (tokens, width) in half precision."""

    rows: Sequence[Row]
    hidden: Sequence[Tensor]

    def __add__(self, other: Read) -> Read:
        return Read([*self.rows, *other.rows], [*self.hidden, *other.hidden])


@torch.no_grad()
def lower(judge: Judge, ids: Tensor, types: Tensor, mask: Tensor, layers: int = COPIED) -> Tensor:
    """Return what all but the last `layers` of the judge, which is not in training, make of the tokens, (rows, tokens, width)."""
    where = torch.arange(ids.shape[1], device=ids.device)
    hidden: Tensor = judge.norm(judge.words(ids) + judge.positions(where) + judge.types(types))
    for layer in list(judge.layers)[: len(judge.layers) - layers]:
        hidden = layer(hidden, mask.bool()[:, None, None, :])
    return hidden


@torch.no_grad()
def read(judge: Judge, rows: Sequence[Row], layers: int = COPIED) -> Read:
    """Return the rows with what all but the last `layers` of the judge make of them."""
    found: list[Tensor] = [torch.empty(0)] * len(rows)
    for places in _of_like_lengths(rows):
        ids, types, mask, _ = tensors([rows[place] for place in places])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = lower(judge, ids, types, mask, layers)
        for at, place in enumerate(places):
            found[place] = hidden[at, : len(rows[place].ids)].half().clone()
    return Read(rows, found)


def trained(
    model: Upper,
    epochs: Sequence[Read],
    loss: Callable[[Tensor, Tensor, list[Row]], Tensor],
    *,
    batch: int,
    rate: float,
    average: float,
) -> Upper:
    """Train the layers and heads; each epoch has rows of its own. `loss` takes what the head of a batch gives, (rows, outputs),
    its targets and its rows."""
    chance = random.Random(1)
    torch.manual_seed(1)
    known = {id(row): hidden for each in epochs for row, hidden in zip(each.rows, each.hidden, strict=True)}
    batches = [rows for each in epochs for rows in batched(each.rows, batch, chance)]

    def loss_of(rows: list[Row]) -> Tensor:
        _, types, mask, target = tensors(rows)
        return loss(model(rows[0].head, padded([known[id(row)] for row in rows]), types, mask).float(), target, rows)

    layers, heads = model.layers.parameters(), model.heads.parameters()
    return descend(model, batches, loss_of, layers=layers, heads=heads, rate=rate, heads_faster=3, average=average)


def padded(hidden: Sequence[Tensor]) -> Tensor:
    whole = torch.zeros(len(hidden), max(len(each) for each in hidden), WIDTH)
    for place, each in enumerate(hidden):
        whole[place, : len(each)] = each
    return whole


@torch.no_grad()
def logits(model: Upper, head: str, found: Read) -> Floats:
    """Return what the head gives for each row, (rows, outputs)."""
    given: list[Floats] = [np.empty(0, dtype=np.float32)] * len(found.rows)
    for places in _of_like_lengths(found.rows):
        _, types, mask, _ = tensors([found.rows[place] for place in places])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            batch = model(head, padded([found.hidden[place] for place in places]), types, mask).float().numpy()
        for place, row in zip(places, batch, strict=True):
            given[place] = row
    return np.stack(given)


def _of_like_lengths(rows: Sequence[Row]) -> list[list[int]]:
    order = sorted(range(len(rows)), key=lambda place: len(rows[place].ids))
    return [order[start : start + AT_ONCE] for start in range(0, len(order), AT_ONCE)]


def load_graph(model: Upper, path: Path) -> None:
    """Set the weights of `model` to those that `write_graph` wrote, up to the rounding of their 8 bits."""
    found = arrays_of(path)
    state: dict[str, Floats] = {}
    for head in model.heads:
        state |= head_state(found, head, f"heads.{head}")
    for own in range(len(model.layers)):
        state |= layer_state(found, SHAPE.layers - len(model.layers) + own, own)
    missing = set_state(model, state, path)
    assert not missing, f"{path} lacks {missing}"


def write_graph(model: Upper, judge: Judge, largest: Largest, path: Path, layers: int = COPIED) -> None:
    """`judge` is what `model` was made of. Inputs: what the layers below made of the tokens, by the name it has in `judge.onnx`;
    `token_counts` and `pooling` as there. Outputs: those of the heads, (texts, outputs)."""
    graph = GraphDraft(None)
    weights = named_tensors(judge)
    first = SHAPE.layers - layers
    hidden = f"layer{first - 1}_output"
    inputs = [info(hidden, TensorProto.FLOAT, "texts", "tokens", WIDTH), *POOLED_BY]
    for layer in range(first, SHAPE.layers):
        hidden = encoder_layer(graph, weights, SHAPE, layer, hidden, largest)
    pair, _ = pooled(graph, hidden)
    sizes: dict[str, int] = {}
    for name, head in model.heads.items():
        assert isinstance(head, nn.Linear)
        add_head(graph, name, head, pair)
        sizes[name] = head.out_features
    save_model(model_of(graph, inputs, [info(name, TensorProto.FLOAT, "texts", size) for name, size in sizes.items()]), path)

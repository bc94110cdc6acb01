"""The shipped judge as weights to go on from: what `train.export` wrote, read back out of its 8 bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch
from lattice_common.adapters.models.onnx_judge import GRAPH, PAIRS, RELATIONS
from torch import nn

from train.encoder import LAYERS, Judge

Floats = npt.NDArray[np.float32]

_PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}
_SMOOTHED_BY = {"query": "query", "key": "query", "value": "query", "wide": "wide"}
"""Linear maps whose input is divided feature by feature, and the one by whose name the factors are kept."""


def load_shipped(judge: Judge, graph: Path) -> None:
    """Set the weights of `judge` to those of `graph`, up to the rounding of its 8 bits: all that is in `judge_second.onnx`, or
    `judge.onnx` with the stages that follow it."""
    found = arrays_of(graph)
    if graph.name == GRAPH:
        found |= arrays_of(graph.with_name(PAIRS)) | arrays_of(graph.with_name(RELATIONS))
    state: dict[str, Floats] = {
        "norm.weight": found["embedding_weight"],
        "norm.bias": found["embedding_bias"],
        "types.weight": found["type_embeddings"],
    }
    for head in ("relation", "answers", "utterance"):
        state |= head_state(found, head, head)
    for number in range(LAYERS):
        state |= layer_state(found, number, number)
    missing = set_state(judge, state, graph)
    assert missing <= {"words.weight", "positions.weight"}, f"{graph} lacks {missing}"


def arrays_of(graph: Path) -> dict[str, Floats]:
    return {each.name: onnx.numpy_helper.to_array(each) for each in onnx.load(str(graph)).graph.initializer}


def head_state(found: dict[str, Floats], theirs: str, own: str) -> dict[str, Floats]:
    return {f"{own}.weight": found[f"{theirs}_weight"].T, f"{own}.bias": found[f"{theirs}_bias"]}


def layer_state(found: dict[str, Floats], theirs: int, number: int) -> dict[str, Floats]:
    """The layer that is `theirs` in the graph, and `number` in the model."""
    state: dict[str, Floats] = {}
    for own, part in _PARTS.items():
        state[f"layers.{number}.{own}.weight"] = _matrix(found, f"layer{theirs}.{part}", theirs, own).T
        state[f"layers.{number}.{own}.bias"] = found[f"layer{theirs}.{part}.bias"]
    for own, part in (("norm_attended", "attention.output.LayerNorm"), ("norm_output", "output.LayerNorm")):
        for kind in ("weight", "bias"):
            state[f"layers.{number}.{own}.{kind}"] = found[f"layer{theirs}.{part}.{kind}"]
    return state


def set_state(model: nn.Module, state: dict[str, Floats], graph: Path) -> set[str]:
    """Set the weights of `model`, and return which of them the graph lacks."""
    missing, unknown = model.load_state_dict({name: torch.tensor(value.copy()) for name, value in state.items()}, strict=False)
    assert not unknown, f"{graph} holds what the encoder has no place for: {unknown}"
    return set(missing)


def _matrix(found: dict[str, Floats], name: str, layer: int, own: str) -> Floats:
    """(in, out), as it was before it was rounded."""
    matrix = found[f"{name}.weight"].astype(np.float32) * found[f"{name}.scales"]
    if own in _SMOOTHED_BY:
        matrix = matrix * found[f"layer{layer}.{_PARTS[_SMOOTHED_BY[own]]}.factors"][:, np.newaxis]
    if f"{name}.apart" in found:
        matrix[found[f"{name}.apart"]] = found[f"{name}.apart_weight"]
    return matrix

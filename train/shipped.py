"""The shipped judge as weights to go on from: what `train.export` wrote, read back out of its 8 bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import torch

from train.encoder import LAYERS, Judge, Layer

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
    """Set the weights of `judge` to those of `graph`, a `judge.onnx`, up to the rounding of its 8 bits."""
    found: dict[str, Floats] = {each.name: onnx.numpy_helper.to_array(each) for each in onnx.load(str(graph)).graph.initializer}
    state: dict[str, Floats] = {
        "norm.weight": found["embedding_weight"],
        "norm.bias": found["embedding_bias"],
        "types.weight": found["type_embeddings"],
    }
    for head in ("relation", "answers", "utterance"):
        state[f"{head}.weight"], state[f"{head}.bias"] = found[f"{head}_weight"].T, found[f"{head}_bias"]
    for number in range(LAYERS):
        for own, theirs in _PARTS.items():
            name = f"layer{number}.{theirs}"
            state[f"layers.{number}.{own}.weight"] = _matrix(found, name, number, own).T
            state[f"layers.{number}.{own}.bias"] = found[f"{name}.bias"]
        for own, theirs in (("norm_attended", "attention.output.LayerNorm"), ("norm_output", "output.LayerNorm")):
            for part in ("weight", "bias"):
                state[f"layers.{number}.{own}.{part}"] = found[f"layer{number}.{theirs}.{part}"]
    missing, unknown = judge.load_state_dict({name: torch.tensor(value.copy()) for name, value in state.items()}, strict=False)
    assert not unknown, f"{graph} holds what the encoder has no place for: {unknown}"
    assert set(missing) <= {"words.weight", "positions.weight"}, f"{graph} lacks {missing}"
    assert isinstance(judge.layers[0], Layer)


def _matrix(found: dict[str, Floats], name: str, layer: int, own: str) -> Floats:
    """(in, out), as it was before it was rounded."""
    matrix = found[f"{name}.weight"].astype(np.float32) * found[f"{name}.scales"]
    if own in _SMOOTHED_BY:
        matrix = matrix * found[f"layer{layer}.{_PARTS[_SMOOTHED_BY[own]]}.factors"][:, np.newaxis]
    if f"{name}.apart" in found:
        matrix[found[f"{name}.apart"]] = found[f"{name}.apart_weight"]
    return matrix

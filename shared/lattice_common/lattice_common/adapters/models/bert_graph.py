"""Writes a BERT sentence encoder as one ONNX graph of onnxruntime's fused operators.

`com.microsoft` operators (embedding + layer norm, attention, skip + layer norm, bias + GELU) do in one pass what an exported
graph does in dozens of small ones; mean pooling and L2 normalisation are in the graph too, so that nothing but one vector per
text comes back. Sums are the same as in the original up to float rounding: a test holds the graph against a plain numpy
forward pass. Weights go into a file beside the graph, which onnxruntime maps into memory instead of copying it.

Operators: https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, StringStringEntryProto, TensorProto, ValueInfoProto, helper, save_model

from lattice_common.adapters.models.safetensors import Tensors

GRAPH_FILE = "model.onnx"
WEIGHTS_FILE = "model.onnx.weights"
OUTPUT_NAME = "sentence_embedding"

# Newest operator set and file version that every onnxruntime we allow (>= 1.24) reads.
_OPSET = 17
_IR_VERSION = 8
_FUSED = "com.microsoft"
# Memory can only be mapped from a page boundary; 64 kB is the coarsest in use (Windows, some ARM systems).
_PAGE = 65_536


@dataclass(frozen=True, slots=True)
class BertShape:
    """What the weights alone do not say. `epsilon` is the layer norms'."""

    layers: int
    heads: int
    epsilon: float


class _GraphFile:
    """Collects nodes, and streams the weights they name into the weights file."""

    def __init__(self, weights: BinaryIO) -> None:
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []
        self._weights = weights

    def node(self, operator: str, inputs: list[str], output: str, *, domain: str = "", **attributes: float) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], output, None, domain, None, **attributes))
        return output

    def constant(self, name: str, values: list[int]) -> str:
        self.initializers.append(helper.make_tensor(name, TensorProto.INT64, [len(values)], values))
        return name

    def weight(self, name: str, values: npt.NDArray[np.float32]) -> str:
        self._weights.write(bytes(-self._weights.tell() % _PAGE))
        offset = self._weights.tell()
        content = np.ascontiguousarray(values, dtype="<f4")
        self._weights.write(content.data)
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=content.shape, data_location=TensorProto.EXTERNAL)
        for key, value in (("location", WEIGHTS_FILE), ("offset", offset), ("length", content.nbytes)):
            tensor.external_data.append(StringStringEntryProto(key=key, value=str(value)))
        self.initializers.append(tensor)
        return name


def write_bert_graph(tensors: Tensors, shape: BertShape, folder: Path) -> None:
    """Writes `model.onnx` and its weights into `folder`.

    Input: `input_ids` and `attention_mask`, int64 (texts, tokens), padded at the right. Output: `sentence_embedding`, float32
    (texts, dimension), rows of unit length. `tensors` are named as in Hugging Face's `BertModel`.
    """
    with (folder / WEIGHTS_FILE).open("wb") as weights:
        graph = _GraphFile(weights)
        hidden = _embedding(graph, tensors, shape)
        for layer in range(shape.layers):
            hidden = _layer(graph, tensors, shape, layer, hidden)
        _pooling(graph, hidden)
    save_model(_model(graph, dimension=tensors["embeddings.LayerNorm.weight"].shape[0]), folder / GRAPH_FILE)


def _embedding(graph: _GraphFile, tensors: Tensors, shape: BertShape) -> str:
    """Word, position and type embeddings, summed and normalised; also the number of real tokens of each text.

    There is one text per row, so its type is 0 throughout: that vector is added to every position's beforehand.
    """
    positions = tensors["embeddings.position_embeddings.weight"] + tensors["embeddings.token_type_embeddings.weight"][0]
    graph.node("Cast", ["input_ids"], "input_ids_32", to=TensorProto.INT32)
    graph.node("Cast", ["attention_mask"], "attention_mask_32", to=TensorProto.INT32)
    inputs = [
        "input_ids_32",
        "",
        graph.weight("words", tensors["embeddings.word_embeddings.weight"]),
        graph.weight("positions", positions),
        "",
        graph.weight("embedding_scale", tensors["embeddings.LayerNorm.weight"]),
        graph.weight("embedding_shift", tensors["embeddings.LayerNorm.bias"]),
        "attention_mask_32",
    ]
    outputs = ["embedded", "token_counts"]
    graph.nodes.append(
        helper.make_node("EmbedLayerNormalization", inputs, outputs, name="embedding", domain=_FUSED, epsilon=shape.epsilon)
    )
    return outputs[0]


def _layer(graph: _GraphFile, tensors: Tensors, shape: BertShape, layer: int, hidden: str) -> str:
    """Self-attention and the feed-forward network, each added to its input and normalised.

    Hugging Face keeps a linear layer's weight as (out, in) and applies its transpose; ONNX multiplies by (in, out).
    """

    def named(part: str) -> npt.NDArray[np.float32]:
        return tensors[f"encoder.layer.{layer}.{part}"]

    def weight(name: str, values: npt.NDArray[np.float32]) -> str:
        return graph.weight(f"weight.layer{layer}.{name}", values)

    def added_and_normalised(name: str, update: str, onto: str, bias: str, norm: str) -> str:
        scale, shift = weight(f"{name}_scale", named(f"{norm}.weight")), weight(f"{name}_shift", named(f"{norm}.bias"))
        inputs = [update, onto, scale, shift, weight(f"{name}_bias", named(bias))]
        return graph.node("SkipLayerNormalization", inputs, f"layer{layer}_{name}", domain=_FUSED, epsilon=shape.epsilon)

    parts = ("query", "key", "value")
    query_key_value = np.concatenate([named(f"attention.self.{part}.weight").T for part in parts], axis=1)
    query_key_value_bias = np.concatenate([named(f"attention.self.{part}.bias") for part in parts])
    attended = graph.node(
        "Attention",
        [hidden, weight("qkv", query_key_value), weight("qkv_bias", query_key_value_bias), "token_counts"],
        f"layer{layer}_attention",
        domain=_FUSED,
        num_heads=shape.heads,
    )
    mixed_weight = weight("mix", named("attention.output.dense.weight").T)
    mixed = graph.node("MatMul", [attended, mixed_weight], f"layer{layer}_mixed")
    attention = added_and_normalised("attended", mixed, hidden, "attention.output.dense.bias", "attention.output.LayerNorm")

    widened = graph.node("MatMul", [attention, weight("widen", named("intermediate.dense.weight").T)], f"layer{layer}_wide")
    # BiasGelu is the exact (erf) GELU that BERT was trained with; FastGelu would be the tanh approximation.
    active = graph.node(
        "BiasGelu", [widened, weight("widen_bias", named("intermediate.dense.bias"))], f"layer{layer}_active", domain=_FUSED
    )
    narrowed = graph.node("MatMul", [active, weight("narrow", named("output.dense.weight").T)], f"layer{layer}_narrow")
    return added_and_normalised("output", narrowed, attention, "output.dense.bias", "output.LayerNorm")


def _pooling(graph: _GraphFile, hidden: str) -> None:
    """The mean over real tokens, at unit length. Unit length makes the mean's divisor void, so it is a sum: one product."""
    graph.node("Cast", ["attention_mask"], "mask_float", to=TensorProto.FLOAT)
    graph.node("Unsqueeze", ["mask_float", graph.constant("axis_one", [1])], "mask_row")
    graph.node("MatMul", ["mask_row", hidden], "pooled")
    graph.node("Squeeze", ["pooled", "axis_one"], "summed")
    graph.node("LpNormalization", ["summed"], OUTPUT_NAME, axis=1, p=2)


def _model(graph: _GraphFile, *, dimension: int) -> ModelProto:
    def tensor(name: str, kind: int, *sizes: str | int) -> ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, list(sizes))

    inputs = [tensor(name, TensorProto.INT64, "texts", "tokens") for name in ("input_ids", "attention_mask")]
    outputs = [tensor(OUTPUT_NAME, TensorProto.FLOAT, "texts", dimension)]
    content = helper.make_graph(graph.nodes, "bert_sentence_encoder", inputs, outputs, graph.initializers)
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    return helper.make_model(content, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="lattice")

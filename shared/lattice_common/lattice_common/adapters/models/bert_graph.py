"""Writes a BERT sentence encoder as one ONNX graph, of onnxruntime's fused operators where they are the faster ones.

Mean pooling and L2 normalisation are in the graph too, so that nothing but one vector per text comes back. Weights go into a file
beside the graph, which onnxruntime maps into memory instead of copying it.

The linear layers are written in float32, or in 8 bits, weights and inputs (`quantised_product`); all else is the same and stays
float32. With float32 the sums are the original's up to float rounding: a test holds that graph against a plain numpy forward
pass, and the 8-bit one against that.

Measured with all-MiniLM-L6-v2 on a processor with AVX-512 VNNI, one thread, onnxruntime 1.31, 16 texts of 24 tokens: 1.4 ms a
text in 8 bits, 3.5 ms with 8-bit weights in blocks (`MatMulNBits`, which rounds its input by blocks, too), 3.3 ms in float32.
With 8 bits the cosine to float32 is 0.9989 on average over LoCoMo's facts, and 0.9970 at worst.

What is not used: `SkipLayerNormalization` takes ten times as long as `LayerNormalization`, and onnxruntime would make it of `Add`
and that one, but not of `Sum`. `QAttention` is no faster than its products and `MultiHeadAttention` apart.

Operators: https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

import numpy as np
import numpy.typing as npt
from onnx import ModelProto, NodeProto, StringStringEntryProto, TensorProto, ValueInfoProto, helper, numpy_helper, save_model

from lattice_common.adapters.models.bert_shape import BertShape
from lattice_common.adapters.models.calibrated_features import Largest, Site
from lattice_common.adapters.models.quantised_product import QuantisedProduct, quantised
from lattice_common.adapters.models.safetensors import Tensors

GRAPH_FILE = "model.onnx"
QUESTIONS_FILE = "questions.onnx"
WEIGHTS_FILE = "model.onnx.weights"
OUTPUT_NAME = "sentence_embedding"

# Newest operator set and file version that every onnxruntime we allow (>= 1.24) reads.
_OPSET = 17
_IR_VERSION = 8
_FUSED = "com.microsoft"
_EMBEDDINGS = frozenset({"words", "positions", "embedding_scale", "embedding_shift"})
# Memory can only be mapped from a page boundary; 64 kB is the coarsest in use (Windows, some ARM systems).
_PAGE = 65_536
# The least value of GELU, at -0.75.
_GELU_LOWEST = -0.17
# Of 1536 active units a layer; one to three of them are ten times as large as the others. Mean cosine to float32 on LoCoMo:
# 0.99873 with 4, 0.99882 with 8, 0.99887 with 16, 0.99891 with 32.
_EXCEPTIONAL_UNITS = 16


class GraphDraft:
    """Collects nodes, and streams the weights they name into the weights file; without one they stay within the graph. Weights
    of `shared` are in the file already, by their names."""

    def __init__(self, weights: BinaryIO | None, shared: Mapping[str, TensorProto] = MappingProxyType({})) -> None:
        self.nodes: list[NodeProto] = []
        self.initializers: list[TensorProto] = []
        self._weights = weights
        self._shared = shared

    def node(self, operator: str, inputs: list[str], output: str, *, domain: str = "", **attributes: float) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], output, None, domain, None, **attributes))
        return output

    def constant(self, name: str, values: npt.NDArray[np.generic]) -> str:
        self.initializers.append(numpy_helper.from_array(values, name))
        return name

    def weight(self, name: str, values: npt.NDArray[np.float32]) -> str:
        return self._stored(name, np.ascontiguousarray(values, dtype="<f4"), TensorProto.FLOAT)

    def numbers(self, name: str, values: npt.NDArray[np.int8]) -> str:
        return self._stored(name, np.ascontiguousarray(values), TensorProto.INT8)

    def _stored(self, name: str, content: npt.NDArray[np.float32] | npt.NDArray[np.int8], kind: TensorProto.DataType) -> str:
        if self._weights is None:
            return self.constant(name, content)
        if name in self._shared:
            self.initializers.append(self._shared[name])
            return name
        self._weights.write(bytes(-self._weights.tell() % _PAGE))
        offset = self._weights.tell()
        self._weights.write(content.data)
        tensor = TensorProto(name=name, data_type=kind, dims=content.shape, data_location=TensorProto.EXTERNAL)
        for key, value in (("location", WEIGHTS_FILE), ("offset", offset), ("length", content.nbytes)):
            tensor.external_data.append(StringStringEntryProto(key=key, value=str(value)))
        self.initializers.append(tensor)
        return name


def write_bert_graph(
    tensors: Tensors, shape: BertShape, folder: Path, largest: Largest | None, questions: tuple[Tensors, Largest] | None = None
) -> None:
    """Write `model.onnx` and its weights into `folder`, and `questions.onnx` where `questions` gives its tensors and bounds: a
    second graph with layers of its own over the same embeddings, whose weights stand in the same file.

    Input: `input_ids` and `attention_mask`, int64 (texts, tokens), padded at the right. Output: `sentence_embedding`, float32
    (texts, dimension), rows of unit length. `tensors` are named as in Hugging Face's `BertModel`; the linear layers are in 8 bits
    where `largest` says what they have to hold, else in float32.
    """
    dimension = tensors["embeddings.LayerNorm.weight"].shape[0]
    with (folder / WEIGHTS_FILE).open("wb") as weights:
        graph = GraphDraft(weights)
        _encoder(graph, tensors, shape, largest)
        save_model(_model(graph, dimension), folder / GRAPH_FILE)
        if questions is not None:
            embeddings = {each.name: each for each in graph.initializers if each.name in _EMBEDDINGS}
            asking = GraphDraft(weights, embeddings)
            _encoder(asking, questions[0], shape, questions[1])
            save_model(_model(asking, dimension), folder / QUESTIONS_FILE)


def _encoder(graph: GraphDraft, tensors: Tensors, shape: BertShape, largest: Largest | None) -> None:
    hidden = _embedding(graph, tensors, shape)
    for layer in range(shape.layers):
        hidden = encoder_layer(graph, tensors, shape, layer, hidden, largest)
    _pooling(graph, hidden)


def _embedding(graph: GraphDraft, tensors: Tensors, shape: BertShape) -> str:
    """Return word, position and type embeddings, summed and normalised; also the number of real tokens of each text.

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


def encoder_layer(graph: GraphDraft, tensors: Tensors, shape: BertShape, layer: int, hidden: str, largest: Largest | None) -> str:
    """Add self-attention and the feed-forward network, each added to its input and normalised; the name of what comes out.

    The graph has to hold `token_counts`, int32 (texts,): the number of real tokens of each text, which stand first.
    """

    def named(part: str) -> npt.NDArray[np.float32]:
        return tensors[f"encoder.layer.{layer}.{part}"]

    def product_of(values: str, site: Site, parts: list[str]) -> list[list[str]]:
        """Return `values` through the linear maps of these names; each result as terms that are still to be added up."""
        matrices = [named(f"{part}.weight") for part in parts]
        biases = [named(f"{part}.bias") for part in parts]
        if largest is None:
            return [[_exact(graph, values, *each)] for each in zip(parts_named(parts), matrices, biases, strict=True)]
        bounds = largest[layer, site]
        match site:
            case "hidden" | "attended":
                made = quantised(np.concatenate(matrices), bounds, smoothed=True)
            case "context":
                made = quantised(np.concatenate(matrices), bounds)
            case "active":
                made = quantised(np.concatenate(matrices), bounds, lowest=_GELU_LOWEST, exceptions=_EXCEPTIONAL_UNITS)
        return _in_8_bits(graph, values, parts_named(parts), made, biases)

    def parts_named(parts: list[str]) -> list[str]:
        return [f"layer{layer}.{part}" for part in parts]

    def normalised(terms: list[str], norm: str, output: str) -> str:
        total = graph.node("Sum", terms, f"layer{layer}_{output}_sum")
        scale, shift = (graph.weight(f"layer{layer}.{norm}.{part}", named(f"{norm}.{part}")) for part in ("weight", "bias"))
        return graph.node("LayerNormalization", [total, scale, shift], f"layer{layer}_{output}", epsilon=shape.epsilon)

    query_key_value = product_of(hidden, "hidden", [f"attention.self.{part}" for part in ("query", "key", "value")])
    inputs = [*(term for (term,) in query_key_value), "", "token_counts"]
    context = graph.node("MultiHeadAttention", inputs, f"layer{layer}_context", domain=_FUSED, num_heads=shape.heads)
    (mixed,) = product_of(context, "context", ["attention.output.dense"])
    attended = normalised([*mixed, hidden], "attention.output.LayerNorm", "attended")

    ((widened,),) = product_of(attended, "attended", ["intermediate.dense"])
    # This is the exact (erf) GELU that BERT was trained with; FastGelu would be the tanh approximation.
    active = graph.node("Gelu", [widened], f"layer{layer}_active", domain=_FUSED)
    (narrowed,) = product_of(active, "active", ["output.dense"])
    return normalised([*narrowed, attended], "output.LayerNorm", "output")


def _exact(graph: GraphDraft, values: str, name: str, matrix: npt.NDArray[np.float32], bias: npt.NDArray[np.float32]) -> str:
    """Return `values` (..., in) times the transpose of `matrix` (out, in), which is how Hugging Face keeps it, and the bias."""
    product = graph.node("MatMul", [values, graph.weight(f"{name}.weight", matrix.T)], f"{name}_product")
    return graph.node("Add", [product, graph.weight(f"{name}.bias", bias)], f"{name}_result")


def _in_8_bits(
    graph: GraphDraft, values: str, names: list[str], made: QuantisedProduct, biases: list[npt.NDArray[np.float32]]
) -> list[list[str]]:
    """Return `values` (..., in) through one matrix or several side by side, each under its name, with its bias. The terms of
    each."""
    scaled = values
    if made.divisors is not None:
        scaled = graph.node(
            "Mul", [values, graph.weight(f"{names[0]}.factors", np.reciprocal(made.divisors))], f"{names[0]}_scaled"
        )
    step = graph.constant(f"{names[0]}.step", np.array(made.step))
    zero = graph.constant(f"{names[0]}.zero", np.array(made.zero, dtype=np.uint8))
    numbers = graph.node("QuantizeLinear", [scaled, step, zero], f"{names[0]}_numbers")
    terms: list[list[str]] = []
    first = 0
    for name, bias in zip(names, biases, strict=True):
        part = slice(first, first + len(bias))
        weights, scales = (
            graph.numbers(f"{name}.weight", made.weights[:, part]),
            graph.weight(f"{name}.scales", made.scales[part]),
        )
        inputs = [numbers, weights, step, scales, zero, "", graph.weight(f"{name}.bias", bias)]
        terms.append([graph.node("MatMulIntegerToFloat", inputs, f"{name}_result", domain=_FUSED)])
        if made.exceptions.size:
            apart = graph.node("Gather", [values, graph.constant(f"{name}.apart", made.exceptions)], f"{name}_apart", axis=2)
            exact = graph.weight(f"{name}.apart_weight", made.exception_weights[:, part])
            terms[-1].append(graph.node("MatMul", [apart, exact], f"{name}_apart_result"))
        first = part.stop
    return terms


def _pooling(graph: GraphDraft, hidden: str) -> None:
    """Return the mean over real tokens, at unit length. Unit length makes the mean's divisor void, so it is a sum: one
    product."""
    graph.node("Cast", ["attention_mask"], "mask_float", to=TensorProto.FLOAT)
    graph.node("Unsqueeze", ["mask_float", graph.constant("axis_one", np.array([1]))], "mask_row")
    graph.node("MatMul", ["mask_row", hidden], "pooled")
    graph.node("Squeeze", ["pooled", "axis_one"], "summed")
    graph.node("LpNormalization", ["summed"], OUTPUT_NAME, axis=1, p=2)


def _model(graph: GraphDraft, dimension: int) -> ModelProto:
    def tensor(name: str, kind: int, *sizes: str | int) -> ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, list(sizes))

    inputs = [tensor(name, TensorProto.INT64, "texts", "tokens") for name in ("input_ids", "attention_mask")]
    outputs = [tensor(OUTPUT_NAME, TensorProto.FLOAT, "texts", dimension)]
    content = helper.make_graph(graph.nodes, "bert_sentence_encoder", inputs, outputs, graph.initializers)
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    return helper.make_model(content, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="lattice")

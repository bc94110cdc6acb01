"""Make the shipped files of a trained judge: `python -m train.export build/judge.pt`, in about ten minutes.

`judge.onnx`, `judge_pairs.onnx` and `judge_relations.onnx` hold the six layers in 8 bits and the heads, without the word
embeddings, which the packaged MiniLM has (the product looks words up there and hands the sums in). `judge.json` says what the
outputs mean (`train.calibrate`). With `--second` all is in one file, `judge_second.onnx`, the judge that is asked where the first
one is in doubt.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from lattice_common.adapters.models.bert_graph import GraphDraft, encoder_layer
from lattice_common.adapters.models.bert_shape import BertShape
from lattice_common.adapters.models.calibrated_features import Largest, Site
from lattice_common.adapters.models.onnx_judge import GRAPH, PAIRS, POSITIONS, RELATIONS, SECOND
from lattice_common.adapters.models.packaged_minilm import package_folder
from onnx import ModelProto, TensorProto, helper, save_model

from train.batches import LONGEST, Row, Tokens, batched, tensors
from train.calibrate import calibrate
from train.corpus import pairs, utterances
from train.encoder import HEADS, LAYERS, WIDTH, Judge, Layer
from train.fit import rows_of_pairs, rows_of_utterances

SHAPE = BertShape(layers=LAYERS, heads=HEADS, epsilon=1e-12)
FOLDER = Path(__file__).resolve().parents[1] / "shared/lattice_common/lattice_common/adapters/models"
_OPSET, _IR_VERSION, _FUSED = 17, 8, "com.microsoft"

COPIED, COPIED_FOR_TEXTS = 2, 4
"""Of the last layers, those that what answers a question has for itself (`train.answers`), and those that what a text says has
(`train.texts`)."""

Floats = npt.NDArray[np.float32]

_NAMES = (
    ("query", "attention.self.query"),
    ("key", "attention.self.key"),
    ("value", "attention.self.value"),
    ("output", "attention.output.dense"),
    ("norm_attended", "attention.output.LayerNorm"),
    ("wide", "intermediate.dense"),
    ("narrow", "output.dense"),
    ("norm_output", "output.LayerNorm"),
)


def named_tensors(judge: Judge) -> dict[str, Floats]:
    """The layers' weights under Hugging Face's names, as the product's graph builder knows them."""
    found: dict[str, Floats] = {}
    for number, layer in enumerate(judge.layers):
        for own, theirs in _NAMES:
            for part in ("weight", "bias"):
                found[f"encoder.layer.{number}.{theirs}.{part}"] = getattr(getattr(layer, own), part).detach().numpy()
    return found


@torch.no_grad()
def largest_features(judge: Judge, rows: Sequence[Row]) -> Largest:
    """The greatest magnitude of each feature that goes into a linear map, over training rows; what is larger is cut off later."""
    found: dict[tuple[int, Site], Floats] = {}

    def noting(place: tuple[int, Site]) -> Any:
        def note(_module: torch.nn.Module, given: tuple[torch.Tensor, ...]) -> None:
            values = given[0].detach().abs().float()[seen].numpy()
            # The 0.999th quantile would cut what a few tokens need; the very largest of thousands is wide enough for all.
            here = values.max(axis=0)
            found[place] = np.maximum(found[place], here) if place in found else here

        return note

    hooks = []
    for number, layer in enumerate(judge.layers):
        assert isinstance(layer, Layer)
        sites: tuple[tuple[Site, torch.nn.Module], ...] = (
            ("hidden", layer.query),
            ("context", layer.output),
            ("attended", layer.wide),
            ("active", layer.narrow),
        )
        hooks += [module.register_forward_pre_hook(noting((number, site))) for site, module in sites]
    for batch in batched(rows, 32, random.Random(0)):
        ids, types, mask, _ = tensors(batch)
        seen = mask.bool()
        judge.encode(ids, types, mask)
    for hook in hooks:
        hook.remove()
    return found


def write_graph(judge: Judge, largest: Largest | None, path: Path) -> None:
    """Write all of it into one file. Inputs: `summed`, float32 (texts, tokens, width), the sums of word and position embeddings;
    `token_types`, int64 (texts, tokens), 0 for the first text and 1 for the second; `token_counts`, int32 (texts,); `pooling`,
    float32 (texts, 3, tokens), the weights of the first token and of the means over both texts. Outputs: `relation`, `answers`
    and `utterance`, raw (texts, outputs of the head)."""
    graph = GraphDraft(None)
    hidden = _layers(graph, judge, largest, _embedded(graph, judge), range(SHAPE.layers))
    save_model(model_of(graph, [*_EMBEDDED, *POOLED_BY], _heads(graph, judge, hidden)), path)


def write_stages(judge: Judge, largest: Largest | None, folder: Path) -> None:
    """Write it as `write_graph` does, but in three files, each of which takes what the one before makes of the tokens, (texts,
    tokens, width), by the name of the layer: up to where `judge_texts.onnx` goes on with copies of its own, up to where
    `judge_answers.onnx` does, and the rest."""
    ends = (SHAPE.layers - COPIED_FOR_TEXTS, SHAPE.layers - COPIED, SHAPE.layers)
    hidden, begin = "", 0
    for name, end in zip((GRAPH, PAIRS, RELATIONS), ends, strict=True):
        graph = GraphDraft(None)
        given = [_made(hidden)] if hidden else _EMBEDDED
        hidden = _layers(graph, judge, largest, hidden or _embedded(graph, judge), range(begin, end))
        last = end == SHAPE.layers
        outputs = _heads(graph, judge, hidden) if last else [_made(hidden)]
        save_model(model_of(graph, [*given, *(POOLED_BY if last else (TOKEN_COUNTS,))], outputs), folder / name)
        begin = end


def _embedded(graph: GraphDraft, judge: Judge) -> str:
    scale, shift = (graph.weight(f"embedding_{name}", values.detach().numpy()) for name, values in judge.norm.named_parameters())
    types = graph.node(
        "Gather", [graph.weight("type_embeddings", judge.types.weight.detach().numpy()), "token_types"], "typed", axis=0
    )
    total = graph.node("Sum", ["summed", types], "total")
    return graph.node("LayerNormalization", [total, scale, shift], "embedded", epsilon=SHAPE.epsilon)


def _layers(graph: GraphDraft, judge: Judge, largest: Largest | None, hidden: str, layers: range) -> str:
    weights = named_tensors(judge)
    for layer in layers:
        hidden = encoder_layer(graph, weights, SHAPE, layer, hidden, largest)
    return hidden


def _heads(graph: GraphDraft, judge: Judge, hidden: str) -> list[Any]:
    """Add the heads, and return their outputs."""
    pair, alone = pooled(graph, hidden)
    heads = (("relation", judge.relation, pair), ("answers", judge.answers, pair), ("utterance", judge.utterance, alone))
    for name, head, features in heads:
        add_head(graph, name, head, features)
    return [info(name, TensorProto.FLOAT, "texts", head.out_features) for name, head, _ in heads]


def pooled(graph: GraphDraft, hidden: str) -> tuple[str, str]:
    """Add the features of a pair and of a text alone; their names."""
    vectors = graph.node("MatMul", ["pooling", hidden], "pooled")
    first, one, other = (
        graph.node("Gather", [vectors, graph.constant(f"place_{place}", np.array(place))], f"pooled_{place}", axis=1)
        for place in range(3)
    )
    difference = graph.node("Sub", [one, other], "difference")
    product = graph.node("Mul", [one, other], "product")
    pair = graph.node("Concat", [first, one, other, difference, product], "pair", axis=1)
    return pair, graph.node("Concat", [first, one], "alone", axis=1)


def add_head(graph: GraphDraft, name: str, head: torch.nn.Linear, features: str) -> None:
    matrix = graph.weight(f"{name}_weight", head.weight.detach().numpy().T)
    bias = graph.weight(f"{name}_bias", head.bias.detach().numpy())
    graph.node("Gemm", [features, matrix, bias], name)


def info(name: str, kind: int, *shape: str | int) -> Any:
    return helper.make_tensor_value_info(name, kind, list(shape))


def _made(layer: str) -> Any:
    """What a layer makes of the tokens."""
    return info(layer, TensorProto.FLOAT, "texts", "tokens", WIDTH)


TOKEN_COUNTS = info("token_counts", TensorProto.INT32, "texts")
POOLED_BY = (TOKEN_COUNTS, info("pooling", TensorProto.FLOAT, "texts", 3, "tokens"))
_EMBEDDED = (
    info("summed", TensorProto.FLOAT, "texts", "tokens", WIDTH),
    info("token_types", TensorProto.INT64, "texts", "tokens"),
)


def model_of(graph: GraphDraft, inputs: Sequence[Any], outputs: Sequence[Any]) -> ModelProto:
    content = helper.make_graph(graph.nodes, "judge", list(inputs), list(outputs), graph.initializers)
    opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
    return helper.make_model(content, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="lattice")


def calibration_rows(tokens: Tokens) -> list[Row]:
    return rows_of_pairs(tokens, pairs("train")[::3]) + rows_of_utterances(tokens, utterances("train")[::3])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--model", type=Path, default=package_folder(), help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--second", action="store_true", help="write the judge that is asked where the first one is in doubt")
    given = parser.parse_args()
    judge, tokens = Judge(given.model), Tokens(given.model)
    judge.load_state_dict(torch.load(given.weights))
    judge.eval()
    largest = largest_features(judge, calibration_rows(tokens))
    if given.second:
        write_graph(judge, largest, given.folder / SECOND)
    else:
        write_stages(judge, largest, given.folder)
    np.save(given.folder / POSITIONS, judge.positions.weight.detach().numpy()[:LONGEST])
    calibrate(given.folder)


if __name__ == "__main__":
    main()

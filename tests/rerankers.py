"""A cross-encoder of a few bytes in a folder of ONNX files, as an owner may have one: what it likes is long texts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import onnx
from lattice_common.adapters.models import packaged_minilm
from onnx import TensorProto, helper


def write_reranker(folder: Path) -> Path:
    """A text's score is the number of tokens that it and the question have together."""
    folder.mkdir()
    shape = ["batch", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in ("input_ids", "attention_mask")]
    one = helper.make_tensor("axis", TensorProto.INT64, [1], [1])
    nodes = [
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["mask", "axis"], ["logits"], keepdims=1),
    ]
    graph = helper.make_graph(
        nodes, "long", inputs, [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])], [one]
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), folder / "model.onnx")
    package = packaged_minilm.package_folder()
    for name in ("tokenizer.json", "special_tokens_map.json", "config.json"):
        shutil.copyfile(package / name, folder / name)
    tokenizer = json.loads((package / "tokenizer_config.json").read_text(encoding="utf-8"))
    (folder / "tokenizer_config.json").write_text(json.dumps({**tokenizer, "model_max_length": 128}), encoding="utf-8")
    return folder

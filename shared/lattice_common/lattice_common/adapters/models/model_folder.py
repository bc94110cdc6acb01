"""Reads what a folder with an ONNX sentence model says of itself: its graph, how to pool its output, which weights it has."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lattice_common.errors import Unavailable

Pooling = Literal["DISABLED", "MEAN", "CLS", "LAST_TOKEN"]

_GRAPH_FILES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx")
_QUESTIONS_FILE = "questions.onnx"
_TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
# Keys of sentence-transformers' 1_Pooling/config.json, in the order in which they are looked at.
_POOLINGS: tuple[tuple[str, Pooling], ...] = (
    ("pooling_mode_cls_token", "CLS"),
    ("pooling_mode_lasttoken", "LAST_TOKEN"),
    ("pooling_mode_mean_tokens", "MEAN"),
)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """`output` is the graph's output to take, None for its first; `pooling` is DISABLED when that is one vector per text.
    `questions_file` is a graph for questions alone, with the same inputs and output; None where one serves for all."""

    path: Path
    model_id: str
    graph_file: str
    output: str | None
    pooling: Pooling
    questions_file: str | None = None


def read_model_folder(folder: Path) -> ModelFolder:
    """Raise `Unavailable` when files are missing or say something that is not supported."""
    graph_file = next((name for name in _GRAPH_FILES if (folder / name).is_file()), None)
    missing = [name for name in _TOKENIZER_FILES if not (folder / name).is_file()]
    if graph_file is None or missing:
        lacking = ", ".join([*missing, *([_GRAPH_FILES[0]] if graph_file is None else [])])
        raise Unavailable(
            f"The folder {folder} (LATTICE_EMBED_MODEL) lacks {lacking}. Put the ONNX export of a sentence-transformers model "
            "there."
        )
    output = _pooled_output(folder / graph_file)
    return ModelFolder(
        path=folder,
        model_id=f"{folder.resolve().name}@{_weights_hash(folder)}",
        graph_file=graph_file,
        output=output,
        pooling="DISABLED" if output else _pooling(folder),
        questions_file=_QUESTIONS_FILE if (folder / _QUESTIONS_FILE).is_file() else None,
    )


def _pooled_output(graph_path: Path) -> str | None:
    """Return the output with one vector per text: of two dimensions, not three. Without one, the tokens' vectors are pooled."""
    # Only a folder of somebody else's needs onnx read here (0.1 s to import); the packaged model's output is known.
    import onnx

    try:
        graph = onnx.load(graph_path, load_external_data=False).graph
    except Exception as error:  # protobuf's DecodeError comes from whichever of its implementations is installed
        raise Unavailable(f"{graph_path} is not an ONNX model ({error}). Export the model again.") from error
    pooled = [output.name for output in graph.output if len(output.type.tensor_type.shape.dim) == 2]
    # "pooler_output" is BERT's head for another task, not a sentence vector.
    return next((name for name in pooled if "pooler" not in name), None)


def _pooling(folder: Path) -> Pooling:
    """Return the pooling that sentence-transformers' own file names; without that file, the mean over the tokens, which most
    models use."""
    config = folder / "1_Pooling" / "config.json"
    if not config.is_file():
        return "MEAN"
    try:
        modes = json.loads(config.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Unavailable(f"{config} is not JSON ({error}). Copy the model's folder again.") from error
    for key, pooling in _POOLINGS:
        if modes.get(key):
            return pooling
    raise Unavailable(f"{config} asks for a pooling that is not supported. Mean, cls and lasttoken are: take another model.")


def _weights_hash(folder: Path) -> str:
    """Return twelve hex digits over the graph, its weights and the tokenizer: a change in any of them changes the vectors."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if ".onnx" in path.name or path.suffix in {".json", ".data"}:
            digest.update(path.relative_to(folder).as_posix().encode())
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:12]

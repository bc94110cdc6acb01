"""Fetches a model of fastembed's, because its owner asked for it: the only place that downloads one."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, TypeAlias

from platformdirs import user_cache_path

from lattice_common.adapters.models.open_embedder import FETCHED
from lattice_common.causes import cause_of
from lattice_common.errors import InvalidInput, Unavailable

Kind: TypeAlias = Literal["embedding model", "reranker"]

MULTILINGUAL: Final = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
"""What owners are pointed to who write in several languages: 50 of them in 0.2 GB."""


def fetch_model(name: str, cache_dir: Path | None = None) -> Kind:
    """Download a model into the cache (that of the product, unless another is given), with fastembed's own progress on stderr;
    what kind of model it is. Raises `InvalidInput` for a name that fastembed does not know, `Unavailable` when it cannot be
    fetched."""
    # 0.7 s: this command only.
    from fastembed import TextEmbedding
    from fastembed.rerank.cross_encoder import TextCrossEncoder

    folder = (cache_dir or user_cache_path("lattice") / "models") / FETCHED
    kind: Kind
    load: type[TextEmbedding] | type[TextCrossEncoder]
    if _knows(TextEmbedding.list_supported_models(), name):
        kind, load = "embedding model", TextEmbedding
    elif _knows(TextCrossEncoder.list_supported_models(), name):
        kind, load = "reranker", TextCrossEncoder
    else:
        raise InvalidInput(
            f"fastembed knows no model {name}. Its names are on https://qdrant.github.io/fastembed/examples/Supported_Models; "
            f"for several languages for instance {MULTILINGUAL}.",
            field="name",
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(
            f"{folder} cannot be written ({error.strerror}), so nothing was fetched. In a container models are brought in from "
            "outside: docs/operations.md, `Another model`."
        ) from error
    try:
        load(name, cache_dir=str(folder), threads=1)
    except Exception as error:  # fastembed, huggingface_hub, requests and onnxruntime each raise their own
        raise Unavailable(
            f"The {kind} {name} could not be fetched into {folder} ({cause_of(error)}). Look whether this machine "
            "reaches huggingface.co, and ask again."
        ) from error
    return kind


def _knows(models: list[dict[str, object]], name: str) -> bool:
    return any(str(known["model"]).lower() == name.lower() for known in models)

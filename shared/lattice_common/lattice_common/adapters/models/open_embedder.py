"""Opens the embedding model that the settings name: the packaged one, another one of fastembed's, a folder, or none.

Never goes to the network: fastembed would try a hub that is away for 39 s, and a start must not wait for that. What is not
on this machine is `Unavailable` at once, with the command that puts it there.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.exact_sessions import exact_text_embedding
from lattice_common.adapters.models.fastembed_embedder import FastembedEmbedder
from lattice_common.adapters.models.glossing_embedder import GlossingEmbedder
from lattice_common.adapters.models.model_folder import ModelFolder, read_model_folder
from lattice_common.adapters.models.question_encoder import FILE as SHIPPED_QUESTIONS
from lattice_common.causes import cause_of
from lattice_common.errors import LatticeError, Unavailable
from lattice_common.ports.embedder import Embedder

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from fastembed.text.onnx_embedding import OnnxTextEmbedding

NO_MODEL: Final = "none"
FETCHED: Final = "fastembed"
"""The folder in the cache that models are fetched into."""

Glosses: TypeAlias = Literal["auto", "yes", "no"]
"""Whether a model is given English glosses of texts in other languages; `auto`: the packaged one, and those of which fastembed
says that they know English."""

_PACKAGED_NAMES = frozenset({packaged_minilm.NAME.lower(), f"sentence-transformers/{packaged_minilm.NAME}".lower()})
# Of BERT and most of its kin; only for batching, where a tokenizer doesn't say its own.
_USUAL_MAX_TOKENS = 512
# fastembed's registry of custom models belongs to the process, and registering a name twice is an error there.
_registering = threading.Lock()


def open_embedder(model: str, *, cache_dir: Path, threads: int, glosses: Glosses = "auto") -> Embedder | None:
    """Return the embedder for `model`, or None for `none`.

    `model` is `all-MiniLM-L6-v2`, the path of a folder with an ONNX model and its tokenizer, or a name of fastembed's whose
    files are in `cache_dir / "fastembed"`. Raises `Unavailable` when it cannot be had, `Corrupt` when the packaged weights are
    not the pinned ones. Takes about a second, most of it the import of fastembed.
    """
    name = model.strip()
    if name.lower() == NO_MODEL:
        return None
    embedder, knows_english_only = _opened(name, cache_dir, threads)
    glossed = knows_english_only if glosses == "auto" else glosses == "yes"
    return GlossingEmbedder(embedder) if glossed else embedder


def open_packaged(cache_dir: Path, threads: int, questions: Path = SHIPPED_QUESTIONS) -> Embedder:
    """Return the packaged model, with another encoder of questions than the shipped one where `questions` names its file."""
    return GlossingEmbedder(_load_folder(packaged_minilm.converted_model(cache_dir, questions=questions), cache_dir, threads))


def _opened(name: str, cache_dir: Path, threads: int) -> tuple[FastembedEmbedder, bool]:
    """Return the embedder, and whether it is known to know English only."""
    if name.lower() in _PACKAGED_NAMES:
        return _load_folder(packaged_minilm.converted_model(cache_dir), cache_dir, threads), True
    folder = Path(name).expanduser()
    if folder.is_dir():
        return _load_folder(read_model_folder(folder), cache_dir, threads), False
    embedder = _load_named(name, cache_dir / FETCHED, threads)
    known = _import_fastembed().list_supported_models()
    described = next(str(each["description"]) for each in known if each["model"].lower() == name.lower())
    return embedder, "english" in described.lower() and "multilingual" not in described.lower()


def _load_folder(folder: ModelFolder, cache_dir: Path, threads: int) -> FastembedEmbedder:
    try:
        model = _load_graph(folder, folder.graph_file, cache_dir)
        questions = None if folder.questions_file is None else _load_graph(folder, folder.questions_file, cache_dir)
        return _embedder(model, folder.model_id, threads, questions)
    except LatticeError:
        raise
    except Exception as error:  # onnxruntime, tokenizers and fastembed each raise their own
        raise Unavailable(
            f"The embedding model in {folder.path} could not be loaded ({cause_of(error)}). Put its files there "
            "again, or remove the folder if Lattice made it."
        ) from error


def _load_graph(folder: ModelFolder, graph_file: str, cache_dir: Path) -> OnnxTextEmbedding:
    text_embedding = _import_fastembed()
    from fastembed.common.model_description import ModelSource, PoolingType

    # All that fastembed keeps of a registration is in the name, as it keeps the first for the life of the process.
    name = "/".join(["lattice", folder.model_id, folder.pooling.lower(), folder.output or "first", graph_file])
    with _registering:
        if not _is_known(text_embedding, name):
            text_embedding.add_custom_model(
                name,
                pooling=PoolingType[folder.pooling],
                normalization=True,
                sources=ModelSource(hf=name),  # asked for, never used: the path is given below
                dim=0,  # the same: the embedder takes the dimension from a vector
                model_file=graph_file,
                output_name=folder.output,
            )
    return exact_text_embedding()(
        name, cache_dir=str(cache_dir), threads=1, local_files_only=True, specific_model_path=str(folder.path)
    )


def _load_named(name: str, cache_dir: Path, threads: int) -> FastembedEmbedder:
    text_embedding = _import_fastembed()
    if not _is_known(text_embedding, name):
        raise Unavailable(
            f"LATTICE_EMBED_MODEL={name} is neither a folder here nor a model that fastembed knows. Its names are on "
            f"https://qdrant.github.io/fastembed/examples/Supported_Models; {packaged_minilm.NAME} comes with Lattice."
        )
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        model = text_embedding(name, cache_dir=str(cache_dir), threads=1, local_files_only=True)
        return _embedder(cast("OnnxTextEmbedding", model.model), name, threads)
    except Exception as error:  # fastembed, huggingface_hub and onnxruntime each raise their own
        raise Unavailable(
            f"The embedding model {name} is not usable in {cache_dir} ({cause_of(error)}), and nothing is downloaded unasked. "
            f"Fetch it with `lattice fetch {name}`, or set LATTICE_EMBED_MODEL={packaged_minilm.NAME}, which comes with Lattice."
        ) from error


def _embedder(
    model: OnnxTextEmbedding, model_id: str, threads: int, questions: OnnxTextEmbedding | None = None
) -> FastembedEmbedder:
    tokenizer = getattr(model, "tokenizer", None)
    truncation = getattr(tokenizer, "truncation", None) or {}
    longest = truncation.get("max_length", _USUAL_MAX_TOKENS)
    return FastembedEmbedder(model, model_id=model_id, threads=threads, max_tokens=longest, questions=questions)


def _is_known(text_embedding: type[TextEmbedding], name: str) -> bool:
    return any(known["model"].lower() == name.lower() for known in text_embedding.list_supported_models())


def _import_fastembed() -> type[TextEmbedding]:
    # Importing fastembed takes 0.7 s and 60 MB: only who embeds should pay, not every command line.
    from fastembed import TextEmbedding
    from loguru import logger

    # Its log lines are free text on stderr; what matters in them is in our errors.
    logger.disable("fastembed")
    return TextEmbedding

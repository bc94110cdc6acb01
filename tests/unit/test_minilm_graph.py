"""The fused graph against the transformer's definition, written out in numpy and fed with the package's weights."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.adapters.models.safetensors import Tensors, read_float32
from tokenizers import Tokenizer

Array = npt.NDArray[np.float64]

SENTENCES = [
    "I moved from Berlin to Lisbon in May 2024.",
    "Does Mara's sister still play the cello?",
    "",
    "ok",
    "The meeting with Dr. Okafor about the harbour extension was put off until the second Tuesday of October, since the survey "
    "of the sea bed, which nobody had asked for, found two wrecks and a cable that stands on no chart.",
    "東京に住んでいます",
]

_erf = np.vectorize(math.erf, otypes=[np.float64])


def _norm(values: Array, tensors: Tensors, name: str) -> Array:
    centred = values - values.mean(axis=-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
    normed: Array = scaled * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]
    return normed


def _linear(values: Array, tensors: Tensors, name: str) -> Array:
    return values @ tensors[f"{name}.weight"].T.astype(np.float64) + tensors[f"{name}.bias"]


def _sentence_vector(ids: list[int], tensors: Tensors) -> Array:
    """BERT as in Devlin et al. 2018 with 6 layers and 12 heads, then the mean over the tokens at unit length."""
    hidden = tensors["embeddings.word_embeddings.weight"][ids].astype(np.float64)
    hidden = hidden + tensors["embeddings.position_embeddings.weight"][: len(ids)]
    hidden = _norm(hidden + tensors["embeddings.token_type_embeddings.weight"][0], tensors, "embeddings.LayerNorm")
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        query, key, value = (
            _linear(hidden, tensors, f"{name}.attention.self.{part}").reshape(len(ids), 12, 32).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        weights = np.exp(query @ key.transpose(0, 2, 1) / math.sqrt(32))
        mixed = ((weights / weights.sum(axis=-1, keepdims=True)) @ value).transpose(1, 0, 2).reshape(len(ids), 384)
        mixed = _linear(mixed, tensors, f"{name}.attention.output.dense")
        hidden = _norm(hidden + mixed, tensors, f"{name}.attention.output.LayerNorm")
        wide = _linear(hidden, tensors, f"{name}.intermediate.dense")
        wide = wide * 0.5 * (1 + _erf(wide / math.sqrt(2)))
        hidden = _norm(hidden + _linear(wide, tensors, f"{name}.output.dense"), tensors, f"{name}.output.LayerNorm")
    mean: Array = hidden.mean(axis=0)
    return mean / np.linalg.norm(mean)


@pytest.fixture(scope="module")
def tensors() -> Tensors:
    return read_float32(packaged_minilm.package_folder() / "model.safetensors")


def test_the_fused_graph_computes_what_the_transformer_is_defined_to(tensors: Tensors, tmp_path: Path) -> None:
    tokenizer = Tokenizer.from_file(str(packaged_minilm.package_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    expected = np.vstack([_sentence_vector(tokenizer.encode(text).ids, tensors) for text in SENTENCES])
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=tmp_path, threads=2)
    assert embedder is not None
    # Measured: 2e-7. The bound leaves room for another processor's order of sums.
    np.testing.assert_allclose(embedder.embed(SENTENCES), expected, atol=1e-5)
    shutil.rmtree(tmp_path)  # 90 MB, which pytest would keep for three runs

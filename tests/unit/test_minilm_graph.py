"""The graph against the transformer's definition, written out in numpy and fed with the package's weights; and the graph in 8
bits, which is the one in use, against the same graph in float32.
"""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.bert_graph import write_bert_graph
from lattice_common.adapters.models.bert_shape import BertShape
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.adapters.models.question_encoder import question_tensors
from lattice_common.adapters.models.safetensors import Tensors, read_float32
from lattice_common.ports.embedder import Embedder
from tokenizers import Tokenizer

pytestmark = pytest.mark.lengthy

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

HELD_OUT = Path(__file__).parents[2] / "train" / "data" / "memories-E.jsonl"
QUESTIONS = ["Who could let me in if I am locked out?", "When did Mara move?", "wifi cabin", "what do I owe the dentist"]

VARIED = [
    *SENTENCES,
    "   \n\t ",
    "a",
    "?!",
    "42",
    "+351 912 345 678",
    "https://example.org/a/b?c=d#e",
    "naïve café, Zürich, Łódź, Đà Nẵng",
    "🙂🙂🎻",
    "Я живу в Лиссабоне уже два года.",
    "أعيش في لشبونة",
    "def main() -> None: print('hello')",
    "WORDS IN CAPITALS AND NOTHING ELSE",
    "My sister is allergic to peanuts.",
    "Which city do I live in now?",
    "The rent is 1,250.50 EUR a month, due on the 3rd.",
    "word " * 400,
    "The garden needs water. " * 60,
    " ".join(f"Item {number} costs {number * 7 % 31} euros." for number in range(40)),
]

WHO = ("Mara", "Tom and his brother", "The woman from the bakery", "Dr. Okafor")
DOES = ("moved to", "has been learning to sail near", "cancelled the trip to", "sold 12 paintings in")
WHERE = ("Lisbon last May", "the harbour (pier 7)", "Nairobi on 3 October 2021", "a village nobody has heard of")

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


@pytest.fixture(scope="module")
def in_use(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Embedder, Path]]:
    """The packaged model as the product opens it, and the folder it was converted into."""
    cache = tmp_path_factory.mktemp("models")
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=cache, threads=2, glosses="no")
    assert embedder is not None
    yield embedder, packaged_minilm.converted_model(cache).path
    shutil.rmtree(cache)


@pytest.fixture(scope="module")
def in_float32(
    in_use: tuple[Embedder, Path], tensors: Tensors, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Embedder, Path]]:
    """The same folder with the graph and weights written in float32 instead."""
    folder = tmp_path_factory.mktemp("float32") / "model"
    shutil.copytree(in_use[1], folder, ignore=shutil.ignore_patterns("model.onnx*"))
    write_bert_graph(tensors, BertShape(layers=6, heads=12, epsilon=1e-12), folder, None)
    embedder = open_embedder(str(folder), cache_dir=folder, threads=2)
    assert embedder is not None
    yield embedder, folder
    shutil.rmtree(folder)  # 90 MB, which pytest would keep for three runs


def test_the_fused_graph_computes_what_the_transformer_is_defined_to(tensors: Tensors, in_float32: tuple[Embedder, Path]) -> None:
    tokenizer = Tokenizer.from_file(str(packaged_minilm.package_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    expected = np.vstack([_sentence_vector(tokenizer.encode(text).ids, tensors) for text in SENTENCES])
    # Measured: 2e-7. The bound leaves room for another processor's order of sums.
    np.testing.assert_allclose(in_float32[0].embed(SENTENCES), expected, atol=1e-5)


def test_questions_are_embedded_by_the_packaged_layers_with_their_change(tensors: Tensors, in_use: tuple[Embedder, Path]) -> None:
    tokenizer = Tokenizer.from_file(str(packaged_minilm.package_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    changed, _ = question_tensors(tensors)
    expected = np.vstack([_sentence_vector(tokenizer.encode(text).ids, changed) for text in QUESTIONS])
    found = np.vstack([in_use[0].embed_query(text) for text in QUESTIONS])
    cosines = (found * expected).sum(axis=1)
    assert cosines.min() >= 0.985, QUESTIONS[int(cosines.argmin())]  # in 8 bits
    assert ((found * in_use[0].embed(QUESTIONS)).sum(axis=1) < 0.98).all()  # statements keep the packaged layers


@pytest.mark.slow
def test_questions_find_more_of_what_answers_them_than_they_would_as_texts(in_use: tuple[Embedder, Path]) -> None:
    """On memories whose author nothing was fitted to, all in one."""
    memories = [json.loads(line) for line in HELD_OUT.read_text(encoding="utf-8").splitlines()]
    memories = [memory for memory in memories if memory["lang"] == "en"]
    kept = {(memory["id"], each["id"]): each["text"] for memory in memories for each in memory["statements"]}
    asked = [(each["q"], {(memory["id"], gold) for gold in each["gold"]}) for memory in memories for each in memory["questions"]]
    statements, names = in_use[0].embed(list(kept.values())), list(kept)
    questions = [text for text, _ in asked]
    as_questions, as_texts = np.vstack([in_use[0].embed_query(text) for text in questions]), in_use[0].embed(questions)

    def among_ten(vectors: npt.NDArray[np.float32]) -> float:
        nearest = (-(vectors @ statements.T)).argsort(axis=1)[:, :10]
        found = [{names[place] for place in places} for places in nearest]
        return float(np.mean([len(gold & best) / len(gold) for (_, gold), best in zip(asked, found, strict=True)]))

    assert among_ten(as_questions) >= among_ten(as_texts) + 0.01


def test_eight_bits_turn_no_vector_far(in_use: tuple[Embedder, Path], in_float32: tuple[Embedder, Path]) -> None:
    cosines = (in_use[0].embed(VARIED) * in_float32[0].embed(VARIED)).sum(axis=1)
    assert cosines.mean() >= 0.9975
    assert cosines.min() >= 0.99, VARIED[int(cosines.argmin())]
    assert cosines.max() < 1 - 1e-6  # they are not the same graph


def test_eight_bits_turn_no_sentence_far_that_nothing_was_calibrated_with(
    in_use: tuple[Embedder, Path], in_float32: tuple[Embedder, Path]
) -> None:
    said = [f"{who} {does} {where}." for who in WHO for does in DOES for where in WHERE]
    cosines = (in_use[0].embed(said) * in_float32[0].embed(said)).sum(axis=1)
    assert cosines.mean() >= 0.998
    assert cosines.min() >= 0.99, said[int(cosines.argmin())]


def test_an_eight_bit_vector_does_not_depend_on_what_stands_beside_it(in_use: tuple[Embedder, Path]) -> None:
    embedder, _ = in_use
    alone = np.vstack([embedder.embed([text])[0] for text in VARIED])
    for shown in (VARIED, VARIED[::-1], sorted(VARIED, key=len)):
        found = embedder.embed(shown)
        np.testing.assert_allclose(found, alone[[VARIED.index(text) for text in shown]], atol=1e-4)


def test_both_encoders_in_eight_bits_take_less_than_one_in_float32(
    in_use: tuple[Embedder, Path], in_float32: tuple[Embedder, Path]
) -> None:
    eight, full = ((folder / "model.onnx.weights").stat().st_size for _, folder in (in_use, in_float32))
    assert eight < full

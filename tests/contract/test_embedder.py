"""The contract of ports/embedder.py, on the packaged model and on hashed words."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.models.glossing_embedder import GlossingEmbedder
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.ports.embedder import Embedder

TEXTS = [
    "I live in Lisbon.",
    "",
    "Mara's sister plays the cello in the city orchestra, and has done so since she was nine years old.",
    "ok",
    "東京に住んでいます",
    "My phone number is +351 912 345 678, but please write instead.",
    "   \n\t ",
    "word " * 400,
    "🙂🙂 naïve café\x00\ud800",
    "I live in Lisbon.",
] + [f"Note {number}: " + "the garden needs water " * (number % 7) for number in range(20)]


@pytest.fixture(scope="session")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    folder = tmp_path_factory.mktemp("models")
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=folder, threads=2)
    assert embedder is not None
    yield embedder
    shutil.rmtree(folder)  # 70 MB, which pytest would keep for three runs


@pytest.fixture(params=["packaged", "hashed", "glossing"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "glossing":
        return GlossingEmbedder(HashedEmbedder())
    return HashedEmbedder() if request.param == "hashed" else request.getfixturevalue("packaged")


def test_vectors_are_float32_of_unit_length_one_for_each_text(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_a_texts_vector_does_not_depend_on_what_stands_beside_it(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS)
    alone = np.vstack([embedder.embed([text]) for text in TEXTS])
    backwards = embedder.embed(TEXTS[::-1])[::-1]
    np.testing.assert_allclose(together, alone, atol=1e-4)
    np.testing.assert_allclose(together, backwards, atol=1e-4)


def test_different_texts_have_different_vectors_in_the_order_given(embedder: Embedder) -> None:
    texts = [f"The {animal} is at home" for animal in ("cat", "dog", "horse", "whale", "bee", "owl")]
    likeness = embedder.embed(texts) @ embedder.embed([*texts[1:], texts[0]]).T
    assert [int(row.argmax()) for row in likeness] == [5, 0, 1, 2, 3, 4]


def test_a_query_has_a_unit_vector_near_that_of_the_same_text(embedder: Embedder) -> None:
    for text, vector in zip(TEXTS, embedder.embed(TEXTS), strict=True):
        query = embedder.embed_query(text)
        assert query.shape == (embedder.dimension,)
        assert query.dtype == np.float32
        assert np.linalg.norm(query) == pytest.approx(1.0, abs=1e-4)
        assert query @ vector > 0.5


def test_asking_twice_gives_the_same_vector(embedder: Embedder) -> None:
    np.testing.assert_array_equal(embedder.embed_query("Where do I live?"), embedder.embed_query("Where do I live?"))
    np.testing.assert_array_equal(embedder.embed(TEXTS), embedder.embed(TEXTS))


def test_many_threads_get_what_one_gets(embedder: Embedder) -> None:
    alone, asked = embedder.embed(TEXTS), [embedder.embed_query(text) for text in TEXTS]
    with ThreadPoolExecutor(8) as pool:
        bulk = [pool.submit(embedder.embed, TEXTS) for _ in range(3)]
        queries = [pool.submit(embedder.embed_query, text) for text in TEXTS]
        for future in bulk:
            np.testing.assert_allclose(future.result(timeout=60), alone, atol=1e-4)
        for row, future in enumerate(queries):
            np.testing.assert_allclose(future.result(timeout=60), asked[row], atol=1e-4)


def test_texts_that_share_words_are_nearer_than_texts_that_do_not(embedder: Embedder) -> None:
    here, near, far = embedder.embed(["my cat sleeps all day", "my cat sleeps on the sofa", "quarterly tax return deadline"])
    assert here @ near > here @ far + 0.2


def test_a_paraphrase_is_nearer_than_another_matter(packaged: Embedder) -> None:
    question, answer, other = packaged.embed(["Which city is my home?", "I live in Lisbon.", "I like strong coffee."])
    assert question @ answer > question @ other + 0.1


def test_the_vector_of_a_very_long_text_is_that_of_its_beginning(packaged: Embedder) -> None:
    beginning = "The garden needs water. " * 100
    np.testing.assert_allclose(packaged.embed_query(beginning + "z" * 2_000_000), packaged.embed_query(beginning), atol=1e-4)


def test_hashed_vectors_are_the_same_in_another_process() -> None:
    script = (
        "from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder as H; print(H(8).embed_query('a b').tolist())"
    )
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path.cwd()).stdout
    assert shown.strip() == str(HashedEmbedder(8).embed_query("b A").tolist())

"""Vectors from hashed words, for tests: no model, the same in every process, and texts that share words are near."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Sequence

import numpy as np

from lattice_common.ports.embedder import Vectors

_WORD = re.compile(r"\w+")


class HashedEmbedder:
    """An `Embedder` in which every word adds its own fixed random direction; word order does not count."""

    def __init__(self, dimension: int = 64) -> None:
        if dimension < 1:
            raise ValueError(f"A vector of {dimension} numbers is none: give a dimension of at least 1.")
        self._dimension = dimension

    @property
    def model_id(self) -> str:
        return f"hashed-words-{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.empty((len(texts), self._dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            vectors[row] = self.embed_query(text)
        return vectors

    def embed_query(self, text: str) -> Vectors:
        # Sorted, so that the sum does not depend on the order of the words even in its last bit. No word is the word "".
        words = sorted(_WORD.findall(text.lower())) or [""]
        total = np.sum([_direction(word, self._dimension) for word in words], axis=0)
        vector: Vectors = (total / np.linalg.norm(total)).astype(np.float32)
        return vector


@functools.lru_cache(maxsize=50_000)
def _direction(word: str, dimension: int) -> Vectors:
    # Not Python's hash(), which differs from process to process.
    seed = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "little")
    direction: Vectors = np.random.default_rng(seed).standard_normal(dimension, dtype=np.float32)
    direction.flags.writeable = False
    return direction

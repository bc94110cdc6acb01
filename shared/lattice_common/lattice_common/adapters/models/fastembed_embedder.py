"""Sentence vectors by fastembed and onnxruntime, on the processor, without the network.

One onnxruntime session of one thread serves everything: queries run on the caller's thread at once, and bulk work runs as
several batches side by side on a small pool. That is as fast as one session of several threads (measured: 190 and 185
LoCoMo turns/s on two cores, with a slower model), holds the weights once, and no idle thread spins between calls. onnxruntime and
the tokenizer let go of the interpreter lock while they work.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from lattice_common.adapters.models.runs_at_once import runs_at_once
from lattice_common.ports.embedder import Vectors

if TYPE_CHECKING:
    from fastembed.text.onnx_embedding import OnnxTextEmbedding

# Texts of about the same length stand together, so little is padded: of LoCoMo's facts, 256 at a time, 8 % more tokens with 8
# texts a batch, 14 % with 16, 26 % with 32. A batch of 4 to 32 takes the same time for a token.
BATCH_TEXTS = 8
# Longest text times number of texts in a batch. Speed was the same from 512 to 2048 tokens, but the memory after long texts
# 204, 248 and 316 MB (whole process, two threads).
BATCH_TOKENS = 512
# Its words and signs stand for a text's number of tokens (by its size in bytes alone, twice as much would be padded), or its size
# in UTF-8 where words are not set apart: Chinese takes 3 bytes a token, one character.
_WORD = re.compile(r"\w+|[^\w\s]")
_BYTES_PER_TOKEN = 5
# Only so much of a long text is handed to the tokenizer, which would read all of it before it cuts: 10 MB would take seconds.
_CHARACTERS_PER_TOKEN = 64
# A question is often asked again (follow-ups, page reloads); 256 vectors of 384 numbers are 0.4 MB.
_CACHED_QUERIES = 256


class FastembedEmbedder:
    """An `Embedder` over a model that fastembed has loaded with one thread, and another one for questions where there is one.
    `threads` is for `embed`; safe from many threads."""

    def __init__(
        self,
        model: OnnxTextEmbedding,
        *,
        model_id: str,
        threads: int,
        max_tokens: int,
        questions: OnnxTextEmbedding | None = None,
    ) -> None:
        self._model = model
        self._questions = questions or model
        self._max_tokens = max_tokens
        self._model_id = model_id
        self._threads = threads
        self._at_once = runs_at_once(threads)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="embed") if threads > 1 else None
        self._cached_query = lru_cache(maxsize=_CACHED_QUERIES)(self._embed_query)
        # The first run allocates: done here, it is not part of the first answer. It also tells the dimension.
        self._dimension = int(self._embed_batch(["dimension"]).shape[1])

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return unit vectors, shape (len(texts), dimension), in the order given."""
        vectors = np.empty((len(texts), self._dimension), dtype=np.float32)
        readable = [self._readable(text) for text in texts]
        batches = _batches(readable, self._threads, self._max_tokens)

        def fill(batch: list[int]) -> None:
            vectors[batch] = self._embed_batch([readable[position] for position in batch])

        if self._pool is None or len(batches) < 2:
            for batch in batches:
                fill(batch)
        else:
            for _ in self._pool.map(fill, batches):
                pass
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """Return a unit vector, shape (dimension,), read-only: the same question is answered from a small cache."""
        vector: Vectors = self._cached_query(self._readable(text))
        return vector

    def _readable(self, text: str) -> str:
        """Return what the tokenizer can take: the part that the model may come to read, without halves of surrogate pairs."""
        start = text[: self._max_tokens * _CHARACTERS_PER_TOKEN]
        return start.encode("utf-8", "replace").decode("utf-8")

    def _embed_query(self, text: str) -> Vectors:
        with self._at_once:
            vector: Vectors = _unit(np.asarray(list(self._questions.query_embed(text)), dtype=np.float32))[0]
        vector.setflags(write=False)
        return vector

    def _embed_batch(self, texts: list[str]) -> Vectors:
        with self._at_once:
            return _unit(np.asarray(list(self._model.embed(texts, batch_size=len(texts))), dtype=np.float32))


def _batches(texts: Sequence[str], threads: int, max_tokens: int) -> list[list[int]]:
    """Return the positions of the texts in batches, longest first, so that the last batches to finish side by side are short
    ones."""
    sizes = [min(max(len(_WORD.findall(text)), len(text.encode()) // _BYTES_PER_TOKEN) + 1, max_tokens) for text in texts]
    order = sorted(range(len(texts)), key=sizes.__getitem__, reverse=True)
    most = max(1, min(BATCH_TEXTS, -(-len(texts) // threads)))
    batches: list[list[int]] = []
    start = 0
    while start < len(order):
        end = start + max(1, min(most, BATCH_TOKENS // sizes[order[start]]))
        batches.append(order[start:end])
        start = end
    return batches


def _unit(vectors: Vectors) -> Vectors:
    """Return the rows at length 1. A row of zeros, which has no direction, becomes the first axis."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True).astype(np.float32)
    units: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    units[lengths[:, 0] == 0, 0] = 1.0
    return units

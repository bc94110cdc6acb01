"""The plain ways to search, each the whole system: BM25 alone, vectors alone, and reciprocal rank fusion of both."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import tantivy

from bench.peers.system import Told, embedder, made, versions

RRF_K = 60
"""Cormack et al., SIGIR 2009."""
LEG_HITS = 200
BATCH = 256


class Bm25:
    """Tantivy's BM25 with its English stemmer over the texts; a question is its words, any of which may match."""

    def __init__(self, folder: Path) -> None:
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("id", stored=True, tokenizer_name="raw")
        schema.add_text_field("text", stored=False, tokenizer_name="en_stem")
        self._index = tantivy.Index(schema.build(), path=str(made(folder)))

    def version(self) -> str:
        return versions("tantivy")

    def tell(self, texts: Sequence[Told]) -> None:
        writer = self._index.writer()
        for each in texts:
            writer.add_document(tantivy.Document(id=[each.id], text=[each.text]))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def settle(self) -> None:
        """Nothing is left."""

    def find(self, question: str, limit: int) -> list[str]:
        query = self._index.parse_query(" ".join(re.findall(r"\w+", question.lower())), ["text"])
        searcher = self._index.searcher()
        return [searcher.doc(address)["id"][0] for _, address in searcher.search(query, limit).hits]

    def close(self) -> None:
        """Everything was committed."""


class Dense:
    """The packaged model, and the cosine of every text."""

    def __init__(self, folder: Path) -> None:
        self._folder = made(folder)
        self._embedder = embedder()
        self._ids: list[str] = []
        self._vectors = np.empty((0, self._embedder.dimension), np.float32)

    def version(self) -> str:
        return f"{self._embedder.model_id}, {versions('onnxruntime', 'numpy')}"

    def tell(self, texts: Sequence[Told]) -> None:
        self._ids = [each.id for each in texts]
        said = [each.text for each in texts]
        self._vectors = np.concatenate([self._embedder.embed(said[at : at + BATCH]) for at in range(0, len(said), BATCH)])
        np.save(self._folder / "vectors.npy", self._vectors)
        (self._folder / "texts.json").write_text(json.dumps([[each.id, each.text] for each in texts]), encoding="utf-8")

    def settle(self) -> None:
        """Nothing is left."""

    def find(self, question: str, limit: int) -> list[str]:
        near = self._vectors @ self._embedder.embed_query(question)
        return [self._ids[at] for at in np.argsort(-near, kind="stable")[:limit]]

    def close(self) -> None:
        """Everything was written."""


class Fused:
    """Reciprocal rank fusion of the two."""

    def __init__(self, folder: Path) -> None:
        self._legs = (Bm25(folder / "words"), Dense(folder / "vectors"))

    def version(self) -> str:
        return "; ".join(leg.version() for leg in self._legs)

    def tell(self, texts: Sequence[Told]) -> None:
        for leg in self._legs:
            leg.tell(texts)

    def settle(self) -> None:
        """Nothing is left."""

    def find(self, question: str, limit: int) -> list[str]:
        return fused([leg.find(question, LEG_HITS) for leg in self._legs])[:limit]

    def close(self) -> None:
        for leg in self._legs:
            leg.close()


def fused(rankings: Sequence[Sequence[str]]) -> list[str]:
    """Each ranking gives `1 / (RRF_K + rank)`; ties stay in the order in which they were first seen."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, each in enumerate(ranking, start=1):
            scores[each] = scores.get(each, 0.0) + 1.0 / (RRF_K + rank)
    return sorted(scores, key=lambda each: -scores[each])

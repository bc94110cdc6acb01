"""How long the embedded search engines take, by size: `python bench/engines.py [--sizes 1000,10000,100000] [--graph]`.

Text: words drawn by Zipf's law from 30,000, 13 on average (about an atom), and a window three times as long; questions of 8
distinct words. Vectors: clusters of about 50 around random centres, 384 dimensions; questions lie near a stored one. `--graph`
also builds Qdrant Edge graphs (minutes at 100,000) and prints recall@20 against exact search. Medians and 95th percentiles of
200 questions and 50 commits.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np
from lattice_common.adapters.embedded.numpy_dense import NumpyDenseIndex
from lattice_common.adapters.embedded.qdrant_edge_dense import QdrantEdgeDenseIndex
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from lattice_common.domain.recall import Filter
from lattice_common.language.text import analyze
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.lexical_index import FilterFields, LexicalDocument, LexicalQuery

DIMENSION = 384
VOCABULARY = 30_000
QUESTIONS = 200
BATCH = 2000
START = datetime(2026, 1, 1, tzinfo=UTC)


def milliseconds(calls: Sequence[Callable[[], object]]) -> str:
    """Median and 95th percentile of the calls, each made once, after one that warms up."""
    calls[0]()
    taken = []
    for call in calls:
        start = time.perf_counter()
        call()
        taken.append(1000 * (time.perf_counter() - start))
    return f"p50 {np.percentile(taken, 50):6.2f}  p95 {np.percentile(taken, 95):6.2f} ms"


def fields(number: int) -> FilterFields:
    return FilterFields("fact", START + timedelta(minutes=number), f"session {number % 50}", None)


def lexical_documents(count: int, start: int = 0) -> Iterator[LexicalDocument]:
    chance = np.random.default_rng(start)
    weights = 1 / np.arange(1, VOCABULARY + 1) ** 1.05
    lengths = np.clip(chance.lognormal(2.5, 0.5, count), 3, 100).astype(int)
    drawn = chance.choice(VOCABULARY, size=int(lengths.sum()) * 4, p=weights / weights.sum()).tolist()
    at = 0
    for number, length in enumerate(lengths.tolist(), start):
        tokens = [f"w{word}" for word in drawn[at : at + 4 * length]]
        at += 4 * length
        by_field = {"text": tokens[:length], "window": tokens[length:]}
        yield LexicalDocument(f"{number:026}", f"{number:064}", number, by_field, fields(number))


def lexical_queries(boosts: dict[str, float]) -> list[LexicalQuery]:
    chance = np.random.default_rng(7)
    weights = 1 / np.arange(5, 8000) ** 1.05
    drawn = [chance.choice(np.arange(5, 8000), 8, replace=False, p=weights / weights.sum()).tolist() for _ in range(QUESTIONS)]
    questions = [[f"w{word}" for word in words] for words in drawn]
    return [LexicalQuery({"text": tokens, "window": tokens}, boosts) for tokens in questions]


def dense_documents(vectors: Vectors, start: int = 0) -> list[DenseDocument]:
    return [
        DenseDocument(f"{number:026}", f"{number:064}", number, vector, fields(number))
        for number, vector in enumerate(vectors, start)
    ]


def unit(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def clustered(count: int) -> tuple[Vectors, Vectors]:
    """Stored vectors and questions."""
    chance = np.random.default_rng(3)
    centres = chance.standard_normal((count // 50 + 1, DIMENSION), dtype=np.float32)
    stored = centres[chance.integers(0, len(centres), count)]
    stored = unit(stored + 0.8 * chance.standard_normal((count, DIMENSION), dtype=np.float32))
    asked = stored[chance.integers(0, count, QUESTIONS)]
    return stored, unit(asked + 0.03 * chance.standard_normal((QUESTIONS, DIMENSION), dtype=np.float32))


def bench_lexical(size: int, folder: Path) -> None:
    index = TantivyLexicalIndex(folder)
    batch: list[LexicalDocument] = []
    start = time.perf_counter()
    for document in lexical_documents(size):
        batch.append(document)
        if len(batch) == BATCH:
            index.upsert(batch)
            index.commit()
            batch = []
    index.upsert(batch)
    index.commit()
    print(f"lexical {size:>7}  indexed, {size / (time.perf_counter() - start):,.0f} documents/s")
    later = list(lexical_documents(1000, start=size))

    def commit(at: int) -> None:
        index.upsert(later[at : at + 20])
        index.commit()

    print(f"lexical {size:>7}  commit of 20         {milliseconds([partial(commit, at) for at in range(0, 1000, 20)])}")
    for label, boosts, within in (
        ("300 hits", {}, None),
        ("300 hits, boosts", {"window": 0.5}, None),
        ("300 hits, filter", {}, Filter(session_id=("session 1", "session 2"))),
    ):
        calls = [partial(index.search, query, 300, within) for query in lexical_queries(boosts)]
        print(f"lexical {size:>7}  {label:<20} {milliseconds(calls)}")
    index.close()
    start = time.perf_counter()
    TantivyLexicalIndex(folder).close()
    print(f"lexical {size:>7}  opening              {1000 * (time.perf_counter() - start):10.2f} ms")


def bench_dense(size: int, folder: Path, graph: bool) -> None:
    stored, asked = clustered(size)
    exact = np.argsort(-(asked @ stored.T), axis=1)[:, :20]
    bench_vectors("numpy", lambda: NumpyDenseIndex(folder / "numpy", "synthetic", DIMENSION), stored, asked, exact)
    if graph:
        bench_vectors("edge", lambda: QdrantEdgeDenseIndex(folder / "edge", "synthetic", DIMENSION), stored, asked, exact)


def bench_vectors(
    label: str, opened: Callable[[], NumpyDenseIndex | QdrantEdgeDenseIndex], stored: Vectors, asked: Vectors, exact: np.ndarray
) -> None:
    size = len(stored)
    index = opened()
    start = time.perf_counter()
    for at in range(0, size, BATCH):
        index.upsert(dense_documents(stored[at : at + BATCH], at))
        index.commit()
    print(f"{label:<7} {size:>7}  indexed, {size / (time.perf_counter() - start):,.0f} documents/s")
    if isinstance(index, QdrantEdgeDenseIndex):
        start = time.perf_counter()
        while not index.settled():
            index.wait_for_graph(3600)
            index.commit()
        print(f"{label:<7} {size:>7}  graph built in {time.perf_counter() - start:.0f} s")
    for limit, within in ((20, None), (300, None), (300, Filter(session_id=("session 1", "session 2")))):
        calls = [partial(index.search, vector, limit, within) for vector in asked]
        print(f"{label:<7} {size:>7}  {f'{limit} hits' + (', filter' if within else ''):<20} {milliseconds(calls)}")
    found = [{int(hit.atom_id) for hit in index.search(vector, 20)} for vector in asked]
    recall = np.mean([len(hits & set(best.tolist())) / 20 for hits, best in zip(found, exact, strict=True)])
    print(f"{label:<7} {size:>7}  recall@20            {recall:10.4f}")
    later = dense_documents(stored[:1000], size)

    def commit(at: int) -> None:
        index.upsert(later[at : at + 20])
        index.commit()

    print(f"{label:<7} {size:>7}  commit of 20         {milliseconds([partial(commit, at) for at in range(0, len(later), 20)])}")
    index.close()
    start = time.perf_counter()
    opened().close()
    print(f"{label:<7} {size:>7}  opening              {1000 * (time.perf_counter() - start):10.2f} ms")


def bench_analysis() -> None:
    text = "On 8 May 2023 Caroline said she went to the support group yesterday, and that it was very powerful for her friends. "
    print(f"analyze 1000 times 22 words   {milliseconds([lambda: analyze(text * 1000)] * 20)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--graph", action="store_true")
    chosen = parser.parse_args()
    bench_analysis()
    for size in map(int, chosen.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            bench_lexical(size, Path(folder) / "lexical")
            bench_dense(size, Path(folder), chosen.graph)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, synthetic data included")


if __name__ == "__main__":
    main()

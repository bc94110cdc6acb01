"""An embedded index that is written to until its process is killed: `python index_writer.py ENGINE FOLDER`.

Nothing of the tests' tools is imported here: a process starts for each kill.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import numpy as np
from lattice_common.adapters.embedded.numpy_dense import NumpyDenseIndex
from lattice_common.adapters.embedded.qdrant_edge_dense import QdrantEdgeDenseIndex
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.lexical_index import FilterFields, LexicalDocument

Index: TypeAlias = TantivyLexicalIndex | NumpyDenseIndex | QdrantEdgeDenseIndex

DIMENSION = 8
FIELDS = FilterFields("fact", datetime(2026, 3, 1, 12, tzinfo=UTC), None, None)


def vector(seed: int) -> Vectors:
    drawn = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    return drawn / np.float32(np.linalg.norm(drawn))


def opened(engine: str, folder: Path) -> Index:
    match engine:
        case "tantivy":
            return TantivyLexicalIndex(folder)
        case "numpy":
            return NumpyDenseIndex(folder, "model", DIMENSION)
        case _:
            return QdrantEdgeDenseIndex(folder, "model", DIMENSION)


def store(index: Index, numbers: range) -> None:
    """Documents that are found by their number."""
    if isinstance(index, TantivyLexicalIndex):
        words = [(f"atom {number}", {"text": ["coffee", f"number{number}"], "window": []}) for number in numbers]
        index.upsert([LexicalDocument(atom_id, f"hash of {atom_id}", 1, by_field, FIELDS) for atom_id, by_field in words])
    else:
        index.upsert([DenseDocument(f"atom {number}", f"hash {number}", 1, vector(number), FIELDS) for number in numbers])


def main() -> None:
    index = opened(sys.argv[1], Path(sys.argv[2]))
    for batch in range(1000):
        store(index, range(10 * batch, 10 * batch + 10))
        index.commit()
        sys.stdout.write(f"{batch}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

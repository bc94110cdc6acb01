"""The dense index in memory: every cosine computed. The twin that the engines are compared with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from heapq import nsmallest

import numpy as np

from lattice_common.adapters.memory.lexical_index import passes
from lattice_common.domain.recall import Filter, Hit
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Vectors


class MemoryDenseIndex:
    """A `DenseIndex` that lives as long as it is referenced."""

    def __init__(self) -> None:
        self._staged: list[DenseDocument | str] = []
        self._documents: dict[str, DenseDocument] = {}

    def upsert(self, documents: Sequence[DenseDocument]) -> None:
        self._staged += documents

    def delete(self, atom_ids: Sequence[str]) -> None:
        self._staged += atom_ids

    def commit(self) -> None:
        staged, self._staged = self._staged, []
        documents = dict(self._documents)
        for change in staged:
            if isinstance(change, str):
                documents.pop(change, None)
            elif change.atom_id not in documents or change.seq >= documents[change.atom_id].seq:
                documents[change.atom_id] = change
        self._documents = documents

    def search(self, vector: Vectors, limit: int, within: Filter | None = None) -> list[Hit]:
        found = [document for document in self._documents.values() if passes(document.filter_fields, within)]
        if not found:
            return []
        scores = np.stack([document.vector for document in found]) @ vector
        hits = (Hit(document.atom_id, float(score)) for document, score in zip(found, scores, strict=True))
        return nsmallest(limit, hits, key=lambda hit: (-hit.score, hit.atom_id))

    def vectors(self, atom_ids: Sequence[str]) -> dict[str, Vectors]:
        documents = self._documents
        return {atom_id: documents[atom_id].vector for atom_id in atom_ids if atom_id in documents}

    def entries(self) -> Iterator[tuple[str, str, int]]:
        return iter([(document.atom_id, document.content_hash, document.seq) for document in self._documents.values()])

    def purge(self) -> None:
        """Do nothing: there is no file, and what was removed is gone."""

    def clear(self) -> None:
        self._staged = []
        self._documents = {}

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        """Empty the index, to be filled again: there is one of it only."""
        self.clear()
        yield

    def close(self) -> None:
        self._staged = []

"""Dense search that is exact while that is fast, and a Qdrant Edge shard beyond.

When a commit takes the exact index over its limit, its documents are copied to a shard, a chunk with each commit, while searches
go on in the exact one and writes go to both. When all are there and the shard has its graph, it takes over and the exact index is
removed. A crash in between loses nothing: the exact index stays complete until then, and the copy goes on where it stood.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from lattice_common.adapters.embedded.numpy_dense import NumpyDenseIndex
from lattice_common.adapters.embedded.qdrant_edge_dense import QdrantEdgeDenseIndex
from lattice_common.domain.recall import Filter, Hit
from lattice_common.ports.dense_index import DenseDocument
from lattice_common.ports.embedder import Vectors

_CHUNK = 2000  # documents copied with one commit at most: about 0.3 s
_COPIES_PER_DOCUMENT = 8
_FEWEST = 64
"""So many old documents are copied with each new one, and at least so many: a single note must not wait for 2,000."""


class DenseIndexBySize:
    """A `DenseIndex` that serves from `folder/exact` or, where that is gone, from `folder/edge`: exact up to `exact_limit` atoms,
    approximate beyond."""

    def __init__(self, folder: Path, model_id: str, dimension: int, exact_limit: int, *, chunk: int = _CHUNK) -> None:
        self._folder = folder
        self._made_by = (model_id, dimension)
        self._exact_limit = exact_limit
        self._chunk = chunk
        self._exact: NumpyDenseIndex | None = None
        self._edge: QdrantEdgeDenseIndex | None = None
        if (folder / "edge").exists():
            self._edge = QdrantEdgeDenseIndex(folder / "edge", *self._made_by)
        if (folder / "exact").exists() or self._edge is None:
            self._exact = NumpyDenseIndex(folder / "exact", *self._made_by)
        self._serving: NumpyDenseIndex | QdrantEdgeDenseIndex
        self._serving = self._exact if self._exact is not None else self._opened_edge()
        self._left: list[str] | None = None
        """Atoms still to be copied; None where that is not known."""
        self._staged = 0

    @property
    def emptied(self) -> str | None:
        """Return why the index was emptied when it was opened, if it was."""
        return self._serving.emptied

    def damaged(self) -> list[str]:
        """Return the atoms whose row in the exact index is not what was written; the shard has no seals of ours."""
        return self._exact.damaged() if self._exact is not None else []

    def upsert(self, documents: Sequence[DenseDocument]) -> None:
        self._staged += len(documents)
        for index in self._written():
            index.upsert(documents)

    def delete(self, atom_ids: Sequence[str]) -> None:
        for index in self._written():
            index.delete(atom_ids)

    def commit(self) -> None:
        for index in self._written():
            index.commit()
        staged, self._staged = self._staged, 0
        if self._exact is not None and (self._edge is not None or len(self._exact) > self._exact_limit):
            self._move_on(self._exact, min(self._chunk, max(_FEWEST, _COPIES_PER_DOCUMENT * staged)))

    def search(self, vector: Vectors, limit: int, within: Filter | None = None) -> list[Hit]:
        return self._serving.search(vector, limit, within)

    def vectors(self, atom_ids: Sequence[str]) -> dict[str, Vectors]:
        return self._serving.vectors(atom_ids)

    def entries(self) -> Iterator[tuple[str, str, int]]:
        return self._serving.entries()

    def purge(self) -> None:
        for index in self._written():
            index.purge()

    def clear(self) -> None:
        """Empty the index; it is exact again."""
        if self._exact is None:
            self._exact = NumpyDenseIndex(self._folder / "exact", *self._made_by)
        self._exact.clear()
        self._serving = self._exact
        self._left = None
        if self._edge is not None:
            self._edge.close()
            self._edge = None
            shutil.rmtree(self._folder / "edge")

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        """Empty the index, to be filled again: there is one of it only."""
        self.clear()
        yield

    def close(self) -> None:
        for index in self._written():
            index.close()

    def _written(self) -> list[NumpyDenseIndex | QdrantEdgeDenseIndex]:
        return [index for index in (self._exact, self._edge) if index is not None]

    def _opened_edge(self) -> QdrantEdgeDenseIndex:
        if self._edge is None:
            self._edge = QdrantEdgeDenseIndex(self._folder / "edge", *self._made_by)
        return self._edge

    def _move_on(self, exact: NumpyDenseIndex, most: int) -> None:
        """Copy another chunk; when nothing is left, change over."""
        edge = self._opened_edge()
        if self._left is None:
            there = set(edge.entries())
            here = set(exact.entries())
            # What the shard has beside came from a crash between the two commits.
            edge.delete([atom_id for atom_id, _, _ in there - here])
            self._left = [atom_id for atom_id, _, _ in here - there]
        chunk, self._left = self._left[:most], self._left[most:]
        edge.upsert(exact.documents(chunk))
        edge.commit()
        if self._left or not edge.settled():
            return
        self._serving, self._exact, self._left = edge, None, None
        exact.close()
        shutil.rmtree(self._folder / "exact")

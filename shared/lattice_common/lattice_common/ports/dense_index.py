"""Nearest neighbours by cosine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from lattice_common.domain.recall import Filter, Hit
from lattice_common.ports.embedder import Embedder, Vectors
from lattice_common.ports.lexical_index import FilterFields


@dataclass(frozen=True, slots=True)
class DenseDocument:
    """One atom as it is indexed. `vector` has unit length and shape (dimension,)."""

    atom_id: str
    content_hash: str
    seq: int
    vector: Vectors
    filter_fields: FilterFields


class DenseIndex(Protocol):
    """An index derived from the atoms: it may be deleted at any time, and is rebuilt.

    The rules for writers and readers are those of `LexicalIndex`. Scores are cosines in −1…1, exact to 1e-3; recall@20 against
    exact search is at least 0.97 at any size. An index that another model or dimension made empties itself when it is opened.
    """

    def upsert(self, documents: Sequence[DenseDocument]) -> None: ...

    def delete(self, atom_ids: Sequence[str]) -> None: ...

    def commit(self) -> None: ...

    def search(self, vector: Vectors, limit: int, within: Filter | None = None) -> list[Hit]:
        """Return the `limit` nearest documents, best first."""
        ...

    def vectors(self, atom_ids: Sequence[str]) -> dict[str, Vectors]:
        """Return the vectors of those of the ids that are in the index."""
        ...

    def entries(self) -> Iterator[tuple[str, str, int]]:
        """Yield (atom id, content hash, seq) of every committed document, in no particular order."""
        ...

    def clear(self) -> None: ...

    def purge(self) -> None:
        """Remove all traces of deleted documents; see `LexicalIndex.purge`."""
        ...

    def anew(self) -> AbstractContextManager[None]:
        """Fill the index again from the start; see `LexicalIndex.anew`."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """An embedder, and the index of the vectors that it made: vectors of different embedders cannot be compared."""

    embedder: Embedder
    dense: DenseIndex

"""A change of the embedding model: the new vectors are made in the background, while the former ones are searched.

Called by the writer in idle time. The index of the new vectors is compared with the memories until nothing is missing in it; then
it is searched, and the former is removed. What is told meanwhile goes into the former and is added here, so that a kill at any
moment loses nothing: the next start continues.
"""

from __future__ import annotations

from collections.abc import Callable

from lattice_common.errors import Unavailable
from lattice_common.ingest.index_documents import dense_document, embed_atoms
from lattice_common.ingest.stores import Stores
from lattice_common.logs import logger
from lattice_common.ports.dense_index import VectorSpace

log = logger(__name__)

AT_ONCE = 64
"""Vectors made in one idle moment: a third of a second with the packaged model, after which the writer looks for work again."""


class RemakeVectors:
    """One thread, the writer's, calls `look`; any may read `lacking`. `changed_over` receives what was searched before, to be
    recorded and removed."""

    def __init__(
        self, stores: Stores, next_index_seq: Callable[[], int], changed_over: Callable[[VectorSpace | None], None]
    ) -> None:
        self._stores = stores
        self._next_index_seq = next_index_seq
        self._changed_over = changed_over
        self._left: list[str] | None = None
        self._whole = 0

    def look(self) -> bool:
        """Make the next few; return whether more are left, so that it is worth looking again at once."""
        coming = self._stores.spaces.coming
        if coming is None:
            return False
        try:
            if self._left is None:
                self._left = self._missing(coming)
                self._whole = max(self._whole, len(self._left))
                if not self._left:
                    self.change_over()
                    return False
                log.info("vectors_making", model=coming.embedder.model_id, atoms=len(self._left))
            self._make(coming, self._left[:AT_ONCE])
        except Unavailable:
            # Its server is away: the comparison begins anew when it is back.
            if not self._stores.behind.tolerates:
                raise
            self._left = None
            return False
        self._left = self._left[AT_ONCE:] or None
        return True

    def change_over(self) -> None:
        """Search the new vectors from now on, complete or about to be made by a rebuild."""
        coming = self._stores.spaces.coming
        if coming is not None:
            self._changed_over(self._stores.spaces.change_over())
            log.info("vectors_made", model=coming.embedder.model_id)

    def lacking(self) -> tuple[str, ...]:
        """Return what the owner is told meanwhile."""
        coming = self._stores.spaces.coming
        if coming is None:
            return ()
        left, whole = len(self._left or ()), self._whole
        done = f", {whole - left} of {whole} so far" if whole else ""
        return (f"search: the vectors of {coming.embedder.model_id} are being made{done}; the former model answers until then",)

    def _missing(self, coming: VectorSpace) -> list[str]:
        """Return the ids of memories that the new index lacks; what it has too many is removed."""
        expected = {atom_id: content for atom_id, (_, content) in self._stores.catalogue.marks().items()}
        held = {atom_id: content for atom_id, content, _ in coming.dense.entries()}
        if gone := sorted(held.keys() - expected.keys()):
            coming.dense.delete(gone)
            coming.dense.commit()
        return [atom_id for atom_id, content in expected.items() if held.get(atom_id) != content]

    def _make(self, coming: VectorSpace, atom_ids: list[str]) -> None:
        atoms = self._stores.catalogue.get(atom_ids)
        vectors = embed_atoms(atoms, coming.embedder)
        index_seq = self._next_index_seq()
        coming.dense.upsert([dense_document(atom, vectors[atom.atom_id], index_seq) for atom in atoms])
        coming.dense.commit()

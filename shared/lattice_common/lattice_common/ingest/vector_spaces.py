"""The vectors that are searched, while those of the model that follows are made."""

from __future__ import annotations

from lattice_common.ports.dense_index import VectorSpace


class VectorSpaces:
    """`serving` is None where there is no dense search. One thread changes over: the writer's. Any thread may read `serving`,
    once for a whole search: vectors of different spaces cannot be compared."""

    def __init__(self, serving: VectorSpace | None, coming: VectorSpace | None = None) -> None:
        self._serving = serving
        self._coming = coming

    @property
    def serving(self) -> VectorSpace | None:
        return self._serving

    @property
    def coming(self) -> VectorSpace | None:
        """Return the space that is being filled; it is searched once it is complete."""
        return self._coming

    def change_over(self) -> VectorSpace | None:
        """Search the coming space from now on; return the one that was searched before."""
        former = self._serving
        if self._coming is not None:
            self._serving, self._coming = self._coming, None
        return former

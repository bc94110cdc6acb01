"""Which vectors are searched: those of the model in use, while those of the model that follows it are made."""

from __future__ import annotations

from lattice_common.ports.dense_index import VectorSpace


class VectorSpaces:
    """`serving` is None where there is no dense search. One thread changes over, the writer's; any may ask what serves, once for
    a whole search: a vector of one space means nothing in another."""

    def __init__(self, serving: VectorSpace | None, coming: VectorSpace | None = None) -> None:
        self._serving = serving
        self._coming = coming

    @property
    def serving(self) -> VectorSpace | None:
        return self._serving

    @property
    def coming(self) -> VectorSpace | None:
        """What is being filled, to serve when it is whole."""
        return self._coming

    def change_over(self) -> VectorSpace | None:
        """Let what was coming serve; what served before."""
        former = self._serving
        if self._coming is not None:
            self._serving, self._coming = self._coming, None
        return former

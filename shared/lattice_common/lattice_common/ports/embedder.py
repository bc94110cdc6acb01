"""Turns text into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Vectors: TypeAlias = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Makes float32 vectors of unit length: the dot product of two is their cosine.

    The same text gives the same vector whatever else is in its batch, up to 1e-4 in each component. `model_id` names the weights;
    a store made with other weights is rebuilt. Safe to call from several threads. Raises `Unavailable` when the model cannot be
    loaded.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors of shape (len(texts), dimension), in the order given; an empty text gives some unit vector, not an
        error."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return a vector of shape (dimension,) for a question, or words that are sought, near to the vectors of what answers it.

        It may be another one than `embed` gives. For one short text: low latency, one thread."""
        ...

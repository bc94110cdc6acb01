"""Turns text into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Vectors: TypeAlias = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Gives unit-length float32 vectors: the dot product of two is their cosine.

    The same text gives the same vector whatever stands beside it in a batch, up to 1e-4 in each component. `model_id` names the
    weights (a store made with other weights is rebuilt). Safe to call from several threads. Raises `Unavailable` when the
    model cannot be had.
    """

    @property
    def model_id(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension), in the order given; an empty text gives some unit vector, not an error."""
        ...

    def embed_query(self, text: str) -> Vectors:
        """Shape (dimension,): a question, or words that are sought, as a vector near to what answers it, which may be another one
        than `embed` gives. Made for one short text at once: low latency, one thread."""
        ...

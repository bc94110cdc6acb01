"""Says how well a text answers a question, having read both together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Slower by far than an embedder, and asked about the best few only. Safe to call from several threads. Raises
    `Unavailable` when the model cannot be had."""

    @property
    def model_id(self) -> str: ...

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one for each text, in the order given: higher answers better. Their size means nothing beyond one call."""
        ...

"""Scores how well a text answers a question, reading both together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Far slower than an embedder, and called for the best few texts only. Safe to call from several threads. Raises
    `Unavailable` when the model cannot be loaded."""

    @property
    def model_id(self) -> str: ...

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return a score for each text, in the order given: a higher one answers better. Scores are comparable within one call
        only."""
        ...

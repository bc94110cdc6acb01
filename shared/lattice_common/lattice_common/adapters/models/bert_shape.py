"""What a BERT's weights alone do not say of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BertShape:
    """`epsilon` is the layer norms'."""

    layers: int
    heads: int
    epsilon: float

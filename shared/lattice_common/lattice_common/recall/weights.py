"""The measured weights, read from the package's own `weights.json` (written by `bench/fit_weights.py`)."""

from __future__ import annotations

from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from lattice_common.domain.score import Weights
from lattice_common.recall.question import Search


class _Mode(BaseModel):
    model_config = ConfigDict(extra="forbid")

    signals: dict[str, float]
    confidence: dict[str, float]
    floor: float


class _WeightsFile(_Mode):
    comment: str
    without_meaning: _Mode
    half_life_days: dict[str, float]


def load_weights() -> Weights:
    """Read once, by the composition root."""
    content = files("lattice_common.recall").joinpath("weights.json").read_text(encoding="utf-8")
    read = _WeightsFile.model_validate_json(content)
    words = read.without_meaning
    return Weights(
        read.signals,
        read.confidence,
        read.floor,
        read.half_life_days,
        without_meaning=Weights(words.signals, words.confidence, words.floor, read.half_life_days),
    )


def weights_for(search: Search, weights: Weights) -> Weights:
    """Those of what this question was searched by: a dense leg that is away, or that failed once, leaves only words."""
    return weights.without_meaning if search.vector is None and weights.without_meaning is not None else weights

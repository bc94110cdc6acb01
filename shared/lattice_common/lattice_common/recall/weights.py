"""The measured weights, read from the package's own `weights.json` (written by `bench/fit_weights.py`)."""

from __future__ import annotations

from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from lattice_common.domain.score import Weights


class _WeightsFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    comment: str
    signals: dict[str, float]
    confidence: dict[str, float]
    floor: float
    half_life_days: dict[str, float]


def load_weights() -> Weights:
    """Read once, by the composition root."""
    content = files("lattice_common.recall").joinpath("weights.json").read_text(encoding="utf-8")
    read = _WeightsFile.model_validate_json(content)
    return Weights(read.signals, read.confidence, read.floor, read.half_life_days)

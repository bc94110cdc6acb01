"""How large the features between BERT's linear layers get, as `bench.calibrate` found them for the packaged weights.

They are kept beside the code, not found when the model is converted: so the same weights give the same vectors on every machine,
and a first start does not take seconds longer. Larger values are cut off at these bounds, as in any static quantisation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Site: TypeAlias = Literal["hidden", "context", "attended", "active"]
"""What goes into a layer's linear maps: its input, the mixed values, what the attention made, the active feed-forward units."""
SITES: tuple[Site, ...] = ("hidden", "context", "attended", "active")
Largest: TypeAlias = Mapping[tuple[int, Site], npt.NDArray[np.float32]]
"""The greatest magnitude of each feature by layer and site, (features,)."""

FILE = Path(__file__).with_name("minilm_features.json")


def calibrated_features() -> Largest:
    """Return the features that are calibrated for all-MiniLM-L6-v2."""
    layers = json.loads(FILE.read_text(encoding="utf-8"))
    return {(layer, site): np.array(sites[site], dtype=np.float32) for layer, sites in enumerate(layers) for site in SITES}

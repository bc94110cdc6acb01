"""What turns the packaged sentence encoder into the one that questions are embedded with.

A question and the statement that answers it are seldom alike ("Who could let me in?", "The spare key is with Ines"). So questions
have an encoder of their own: the packaged layers, each linear map changed by a product of two thin matrices (low-rank adaptation;
Hu et al. 2021), fitted so that a question's vector lies by the statements that answer it (`train/questions.py`). Statements keep
the packaged encoder: no stored vector changes.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from lattice_common.adapters.models.calibrated_features import SITES, Largest
from lattice_common.adapters.models.safetensors import Tensors

FILE: Final = Path(__file__).with_name("questions.npz")
LAYERS: Final = 6
PARTS: Final = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
"""The linear maps of a layer, by Hugging Face's names."""


def question_version(path: Path = FILE) -> str:
    """Return twelve hexadecimal digits that change with the file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]


def question_tensors(packaged: Tensors, path: Path = FILE) -> tuple[Tensors, Largest]:
    """Return the packaged tensors with the layers changed, and the bounds of what is between these.

    The file holds, for each layer `n` and part, `n.part.down` (rank, in) and `n.part.up` (out, rank) in float16, and for each
    site the greatest magnitude of each feature, `n.site` (features,), as `calibrated_features` has it for the packaged layers.
    """
    changed: dict[str, npt.NDArray[np.float32]] = dict(packaged)
    with np.load(path) as file:
        for layer in range(LAYERS):
            for part in PARTS:
                down, up = (file[f"{layer}.{part}.{side}"].astype(np.float32) for side in ("down", "up"))
                name = f"encoder.layer.{layer}.{part}.weight"
                changed[name] = packaged[name] + up @ down
        largest = {(layer, site): file[f"{layer}.{site}"].astype(np.float32) for layer in range(LAYERS) for site in SITES}
    return changed, largest

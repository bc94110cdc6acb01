"""Reads tensors out of a safetensors file: an 8-byte little-endian header length, a JSON header, then the raw numbers.

The format is small enough to read by hand, which saves a dependency (https://github.com/huggingface/safetensors#format).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lattice_common.errors import Corrupt

Tensors = Mapping[str, npt.NDArray[np.float32]]

_LENGTH_BYTES = 8
# The reference reader's own limit for a header; anything longer is not a safetensors file.
_MAX_HEADER_BYTES = 100_000_000


def read_float32(path: Path) -> Tensors:
    """Map the 32-bit float tensors of `path` by name into memory, read-only; other types are left out.

    Raises `Corrupt` when the header does not describe the bytes that follow it.
    """
    with path.open("rb") as file:
        header_bytes = int.from_bytes(file.read(_LENGTH_BYTES), "little")
        if not 2 <= header_bytes <= _MAX_HEADER_BYTES:
            raise Corrupt(
                f"{path} is not a safetensors file: its header would be {header_bytes} bytes. Install the package again."
            )
        header_text = file.read(header_bytes)
    try:
        header = json.loads(header_text)
        body = np.memmap(path, dtype=np.uint8, mode="r", offset=_LENGTH_BYTES + header_bytes)
        tensors = {}
        for name, entry in header.items():
            if name == "__metadata__" or entry["dtype"] != "F32":
                continue
            begin, end = entry["data_offsets"]
            tensors[name] = body[begin:end].view("<f4").reshape(entry["shape"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Corrupt(f"{path} is not a whole safetensors file ({error}). Install the package again.") from error
    return tensors

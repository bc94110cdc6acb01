"""The model of the vectors in use, and their place: `index/embedding.json`, written by the writer.

A store without the file has its vectors in the unnamed place.
"""

from __future__ import annotations

import dataclasses
import hashlib
from dataclasses import dataclass
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.domain.seal import CRC, is_damaged, sealed

UNNAMED = ""
"""The place of a store's first vectors."""


@dataclass(frozen=True, slots=True)
class EmbeddingRecord:
    """`model` is the setting that opens it, `place` tells this index from others beside it."""

    model: str
    model_id: str
    dimension: int
    place: str = UNNAMED


class EmbeddingRecordFile:
    """Read by all, written by the one writer."""

    def __init__(self, root: Path) -> None:
        self._path = root / "index" / "embedding.json"

    def latest(self) -> EmbeddingRecord | None:
        """Return the record; None where there is none, or it cannot be read: it is derived."""
        try:
            content = durable.read_derived(self._path)
            fields = {key: value for key, value in orjson.loads(content).items() if key != CRC}
            return None if is_damaged(content) else EmbeddingRecord(**fields)
        except (OSError, orjson.JSONDecodeError, TypeError, AttributeError):
            return None

    def write(self, record: EmbeddingRecord) -> None:
        """Write the record. Raise `Unavailable`."""
        if self.latest() != record:
            durable.write(self._path, sealed(orjson.dumps(dataclasses.asdict(record))))


def place_of(model_id: str) -> str:
    """Return the place of the vectors of a model that follows another."""
    return hashlib.sha256(model_id.encode()).hexdigest()[:8]

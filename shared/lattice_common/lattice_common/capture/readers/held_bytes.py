"""A file within a file, held in memory, for readers that ask for a path: where they run nothing can be written."""

from __future__ import annotations

import io
from pathlib import Path
from typing import cast


class _HeldBytes:
    """As much of `Path` as readers use."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def open(self, _mode: str = "rb") -> io.BytesIO:
        return io.BytesIO(self._content)

    def read_bytes(self) -> bytes:
        return self._content


def held(content: bytes) -> Path:
    """Return what a reader may open and read."""
    return cast("Path", _HeldBytes(content))

"""Reads files of any type and origin."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from lattice_common.domain.reading import ReadResult


class DocumentReader(Protocol):
    """Reads a file within limits of memory, CPU and wall time. Whatever a file holds, however broken or hostile, the result is a
    value: what cannot be read is an `Unreadable`.

    Raises `Unavailable` when no file can be read now (no process can be started, the disk is full).
    """

    def read(self, path: Path, name: str, on_progress: Callable[[int, int], None] = lambda _done, _total: None) -> ReadResult:
        """Read the file at `path`. `name` is its owner's name for it: a hint for types that bytes alone do not show (code,
        markdown, CSV), never trusted. `on_progress` receives the number of pages (or slides, sheets) done, and of all."""
        ...

"""Reads files of any type, whoever made them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from lattice_common.domain.reading import ReadResult


class DocumentReader(Protocol):
    """Never raises for what a file holds, however broken or hostile: that is an `Unreadable`. Bounded in memory, CPU, wall time.

    Raises `Unavailable` when reading itself is not possible now (no process can be started, the disk is full).
    """

    def read(self, path: Path, name: str, on_progress: Callable[[int, int], None] = lambda _done, _total: None) -> ReadResult:
        """Read the file at `path`. `name` is what its owner calls it: a hint for what bytes alone cannot tell (code, markdown,
        CSV), never trusted. `on_progress` gets pages (or slides, sheets) done, and of how many."""
        ...

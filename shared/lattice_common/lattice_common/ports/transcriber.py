"""Writes down what is said in a recording."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from lattice_common.domain.reading import Unreadable


class Transcriber(Protocol):
    """A speech recogniser, most often a program beside this one."""

    def transcribe(self, path: Path, name: str, on_wait: Callable[[], None] = lambda: None) -> bytes | Unreadable:
        """Return what is said in the recording at `path` as WebVTT, or as text where no moments are known; `Unreadable` for a
        recording that is not taken. `on_wait` is called every few seconds meanwhile. Raise `Unavailable` where it does not answer
        now."""
        ...

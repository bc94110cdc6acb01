"""Transcribes the speech of a recording."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from lattice_common.domain.reading import Unreadable


class Transcriber(Protocol):
    """A speech recogniser, usually a separate program."""

    def transcribe(self, path: Path, name: str, on_wait: Callable[[], None] = lambda: None) -> bytes | Unreadable:
        """Return the words of the recording at `path` as WebVTT, or as plain text where there are no timestamps; `Unreadable` for
        a recording that is refused. `on_wait` is called every few seconds meanwhile. Raise `Unavailable` where the recogniser
        does not answer now."""
        ...

"""A speech recogniser that says what it was told to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lattice_common.domain.reading import Unreadable
from lattice_common.errors import Unavailable


class ScriptedTranscriber:
    """`spoken` is what it hears in every recording, None while it does not answer. `asked` are the names of the recordings."""

    def __init__(self, spoken: bytes | Unreadable | None) -> None:
        self.asked: list[str] = []
        self._spoken = spoken

    def transcribe(self, path: Path, name: str, on_wait: Callable[[], None] = lambda: None) -> bytes | Unreadable:
        """Transcribe as `ports.transcriber` says."""
        path.stat()  # what is not there cannot be heard
        self.asked.append(name)
        on_wait()
        if self._spoken is None:
            raise Unavailable("The speech recogniser does not answer.")
        return self._spoken

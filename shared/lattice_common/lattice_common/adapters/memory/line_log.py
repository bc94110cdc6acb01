"""A log of lines in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

from lattice_common.domain.capture import JsonValue


class MemoryLineLog:
    """As long as its process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: list[dict[str, JsonValue]] = []

    def append(self, lines: Sequence[Mapping[str, JsonValue]]) -> None:
        with self._lock:
            self._lines += [dict(line) for line in lines]

    def newest(self) -> Iterator[dict[str, JsonValue]]:
        with self._lock:
            return iter(self._lines[::-1])

    def since(self, position: int) -> tuple[list[dict[str, JsonValue]], int]:
        with self._lock:
            return self._lines[position if position <= len(self._lines) else 0 :], len(self._lines)

    def end(self) -> int:
        with self._lock:
            return len(self._lines)

    def drop(self, unwanted: Callable[[Mapping[str, JsonValue]], bool]) -> int:
        with self._lock:
            kept = [line for line in self._lines if not unwanted(line)]
            dropped, self._lines = len(self._lines) - len(kept), kept
            return dropped

"""A thread that repeats a step, from `start` to `stop`."""

from __future__ import annotations

import threading
from collections.abc import Callable

from lattice_common.logs import carried

PATIENCE_SECONDS = 10.0
"""Seconds for the step in progress at a stop."""


class Periodic:
    """Calls `step` in a thread called `name`, first `after` seconds from the start, then as many seconds after its end as it
    returned. An exception of `step` ends the thread: it handles what may be over the next time. A process may end without
    `stop`."""

    def __init__(self, name: str, step: Callable[[], float], *, after: float = 0.0) -> None:
        self._step = step
        self._after = after
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=carried(self._run), name=name, daemon=True)

    def start(self) -> None:
        """Start, once. Raise `RuntimeError` the second time."""
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait `PATIENCE_SECONDS` at most for the step in progress. May be repeated."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(PATIENCE_SECONDS)

    def _run(self) -> None:
        pause = self._after
        while not self._stopping.wait(pause):
            pause = self._step()

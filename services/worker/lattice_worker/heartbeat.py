"""Says every few seconds that the writer goes on, and says so when it does not.

The file is read by the container's health check and by the API, which has no other way to know how the writer is.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import orjson
from lattice_common.adapters.embedded.writer_thread import WriterState

BEAT_SECONDS = 5.0
STUCK_SECONDS = 900.0
"""With work to do and nothing got through for this long it hangs: the longest single step is a part that a language model reads
(`LATTICE_LLM_CAPTURE_SECONDS`, five minutes)."""


class Heartbeat:
    """Writes `path` while it runs. `state` is the writer's; None: this worker stands by."""

    def __init__(
        self, path: Path, state: Callable[[], WriterState] | None, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._state = state
        self._monotonic = monotonic
        self._progressed_at = monotonic()
        self._last: object = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lattice-heartbeat", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(10)

    def progressed(self) -> None:
        """Called by whoever got something done."""
        self._progressed_at = self._monotonic()

    def beat(self) -> None:
        """Write it once."""
        state = self._state() if self._state else None
        if state is None:
            told: dict[str, object] = {"state": "standby", "waiting": 0, "paused": None, "starting": False, "stuck": None}
        else:
            if not state.waiting or state.paused:
                self._progressed_at = self._monotonic()
            idle = self._monotonic() - self._progressed_at
            stuck = f"the writer got nothing done for {idle:.0f} s" if idle > STUCK_SECONDS else None
            stuck = stuck if state.alive else f"the writer ended: {state.paused or 'see the log'}"
            told = {
                "state": "paused" if state.paused else "working" if state.waiting else "idle",
                "waiting": state.waiting,
                "paused": state.paused,
                "starting": state.starting,
                "stuck": stuck,
            }
        # Replaced, not written over: whoever reads it sees a whole one. Not durable: after a power cut nobody's heart beats.
        draft = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        draft.write_bytes(orjson.dumps({"at": time.time(), **told}))
        draft.replace(self._path)

    def _run(self) -> None:
        while True:
            self.beat()
            if self._stopping.wait(BEAT_SECONDS):
                return

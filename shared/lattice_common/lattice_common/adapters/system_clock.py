"""The machine's clock, and ids made from it."""

from __future__ import annotations

import threading
from datetime import datetime

from ulid import ULID


class SystemClock:
    """Local time with its offset; ids grow even when the clock stands still or goes back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def now(self) -> datetime:
        return datetime.now().astimezone()

    def new_id(self) -> str:
        with self._lock:
            self._last = max(self._last + 1, int.from_bytes(ULID().bytes, "big"))
            return str(ULID.from_bytes(self._last.to_bytes(16, "big"))).lower()

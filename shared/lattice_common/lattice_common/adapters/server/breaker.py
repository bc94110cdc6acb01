"""A circuit breaker: a server that is away is not asked again and again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

OPENS_AFTER = 3
"""Failures in a row that open the breaker: one may be a restart, three are an absence."""
TRY_AGAIN_SECONDS = 2.0
"""How long the breaker stays open; then one call is let through, and its outcome decides."""


class Breaker:
    """Counts failures in a row of one server. Any thread may call it; `monotonic` is a clock in seconds that never goes back."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._failures = 0
        self._next = 0.0

    def lets_through(self) -> bool:
        """Return whether to try. While the server is away one caller in `TRY_AGAIN_SECONDS` is told to."""
        with self._lock:
            if self._failures < OPENS_AFTER:
                return True
            now = self._monotonic()
            if now < self._next:
                return False
            self._next = now + TRY_AGAIN_SECONDS
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._failures = 0

    def failed(self) -> None:
        with self._lock:
            self._failures += 1
            self._next = self._monotonic() + TRY_AGAIN_SECONDS

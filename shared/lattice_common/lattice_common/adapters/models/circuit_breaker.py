"""A circuit breaker: after failures in a row, nothing is sent for a while; then one call is let through to try (M. Nygard,
"Release It!", 2007)."""

from __future__ import annotations

import threading
from collections.abc import Callable

FAILURES_TO_OPEN = 5
OPEN_SECONDS = 30.0


class CircuitBreaker:
    """Safe to use from several threads. `monotonic` gives seconds that never go back."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._failures = 0
        self._closed_at = 0.0
        self._trying = False

    def seconds_left(self) -> float:
        """Return the seconds until a call is let through; 0 when one would be now."""
        with self._lock:
            return self._left()

    def admit(self) -> bool:
        """Return whether this call may go. One that was admitted ends with `succeeded`, `failed` or `gave_up`."""
        with self._lock:
            if self._left() > 0 or self._trying:
                return False
            self._trying = self._failures >= FAILURES_TO_OPEN
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._failures, self._trying = 0, False

    def failed(self) -> None:
        with self._lock:
            self._failures, self._trying = self._failures + 1, False
            if self._failures >= FAILURES_TO_OPEN:
                self._closed_at = self._monotonic() + OPEN_SECONDS

    def gave_up(self) -> None:
        """Note that the call ended without saying anything about the endpoint."""
        with self._lock:
            self._trying = False

    def rest(self, seconds: float) -> None:
        """Let nothing through for so long: the endpoint asked for it."""
        with self._lock:
            self._closed_at = max(self._closed_at, self._monotonic() + seconds)

    def _left(self) -> float:
        return max(0.0, self._closed_at - self._monotonic())

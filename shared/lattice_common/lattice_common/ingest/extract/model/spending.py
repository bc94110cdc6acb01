"""What reading may cost: tokens for a capture, seconds for a part of it."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Spending:
    """The tokens of one capture; `most` 0 means no limit. Safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._spent = 0
        self._lock = threading.Lock()

    def reserve(self, tokens: int) -> bool:
        """Take what a call may cost at most; false when that is more than is left."""
        with self._lock:
            if self._most and self._spent + tokens > self._most:
                return False
            self._spent += tokens
            return True

    def settle(self, reserved: int, actual: int) -> None:
        """Give back what a call did not cost."""
        with self._lock:
            self._spent += actual - reserved


class Deadline:
    """So many seconds from the moment that it is first asked."""

    def __init__(self, seconds: float, monotonic: Callable[[], float]) -> None:
        self._seconds = seconds
        self._monotonic = monotonic
        self._end: float | None = None
        self._lock = threading.Lock()

    def left(self) -> float:
        """Return the seconds that are left; none or fewer when it is over."""
        with self._lock:
            if self._end is None:
                self._end = self._monotonic() + self._seconds
            return self._end - self._monotonic()

"""When the writer turns to work of its own: not at once after many have waited for it together.

Its own work (what an import brought is judged, passages get their vectors) comes in pieces of a third of a second. Of many
clients each sends its next request as soon as the one before is answered; all would wait for such a piece between any two.
"""

from __future__ import annotations

from collections.abc import Callable

QUIET_SECONDS = 1.0
"""Fifty clients on a busy machine of two cores have all sent their next request within it."""

PUT_OFF_SECONDS = 30.0
"""However many go on asking, the writer's own work has a turn after so long."""


class QuietTime:
    """For one thread. `clock` gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until = clock()
        self._worked_at = clock()

    def served(self, entries: int) -> None:
        """Take note that so many entries that somebody waited for are done. One alone puts nothing off."""
        if entries > 1:
            self._until = self._clock() + QUIET_SECONDS

    def worked(self) -> None:
        """Take note of a piece of the writer's own work."""
        self._worked_at = self._clock()

    def left(self) -> float:
        """Return seconds until the writer may turn to its own work; 0 when it may."""
        now = self._clock()
        if now - self._worked_at >= PUT_OFF_SECONDS:
            return 0.0
        return max(0.0, self._until - now)

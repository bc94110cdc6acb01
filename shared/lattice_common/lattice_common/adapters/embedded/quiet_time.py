"""When the writer turns to its own work: not immediately after it served many waiting clients.

Its own work (judging an import, embedding passages) comes in pieces of a third of a second. Each of many clients sends its next
request as soon as the one before is answered, so all would wait for such a piece between any two.
"""

from __future__ import annotations

from collections.abc import Callable

PUT_OFF_SECONDS = 30.0
"""After this time the writer's own work has a turn, whoever else is waiting."""


class QuietTime:
    """For one thread. `clock` returns seconds that never go back; own work waits for `seconds` after many clients were served."""

    def __init__(self, clock: Callable[[], float], seconds: float) -> None:
        self._clock = clock
        self._seconds = seconds
        self._until = clock()
        self._worked_at = clock()

    def served(self, entries: int) -> None:
        """Record how many awaited entries are done. One alone puts nothing off."""
        if entries > 1:
            self._until = self._clock() + self._seconds

    def worked(self) -> None:
        """Record a piece of the writer's own work."""
        self._worked_at = self._clock()

    def left(self) -> float:
        """Return the seconds until the writer may turn to its own work; 0 when it may."""
        now = self._clock()
        if now - self._worked_at >= PUT_OFF_SECONDS:
            return 0.0
        return max(0.0, self._until - now)

"""A clock that stands still until it is moved."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

from ulid import ULID

from lattice_common.adapters.steady_time import SteadyTime

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


class FixedClock:
    """Ids count up within the clock's millisecond, and go on counting when it is moved back: the same steps give the same ids in
    every run. `after` is a time that is past already."""

    def __init__(self, now: datetime = START, *, after: datetime | None = None) -> None:
        self._now = now
        self._time = SteadyTime(after)
        self._count = 0
        self._last = 0
        self._counting = threading.Lock()

    def now(self) -> datetime:
        return self._time.at(self._now)

    def machine(self) -> datetime:
        return self._now

    def ahead(self) -> datetime | None:
        return self._time.ahead

    def advance(self, by: timedelta) -> None:
        self._now += by

    def new_id(self) -> str:
        with self._counting:
            self._count += 1
            fresh = (int(self.now().timestamp() * 1000) << 80) + self._count
            last = self._last = max(self._last + 1, fresh)
        return str(ULID.from_bytes(last.to_bytes(16, "big"))).lower()

"""A clock that stands still until it is moved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ulid import ULID

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


class FixedClock:
    """Ids count up within the clock's millisecond: the same steps give the same ids in every run."""

    def __init__(self, now: datetime = START) -> None:
        self._now = now
        self._count = 0

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta) -> None:
        self._now += by

    def new_id(self) -> str:
        self._count += 1
        timestamp = int(self._now.timestamp() * 1000).to_bytes(6, "big")
        return str(ULID.from_bytes(timestamp + self._count.to_bytes(10, "big"))).lower()

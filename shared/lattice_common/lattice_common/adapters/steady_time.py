"""Time that does not go back when a clock does.

What was said last is what counts, and the time of saying tells which that is. A small computer without a battery starts with
yesterday's time, and a clock that ran fast is put back: until it has caught up, time goes on by a millisecond at each look.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

CAUGHT_UP_WITHIN = timedelta(days=2)
"""A clock that is put back further was wrong before, and not now: following it would date everything wrongly for as long."""

RELEASED = datetime(2026, 11, 1, tzinfo=UTC)
"""No right clock shows less to this version: it is the machine's, fresh from a cold start."""

TICK = timedelta(milliseconds=1)


class SteadyTime:
    """`after` is a time that is past already. Not thread-safe: its clock is."""

    def __init__(self, after: datetime | None = None) -> None:
        self._latest = after
        self.ahead: datetime | None = None
        """The latest time that was noted before a clock that was wrong was put back, until it is reached again."""

    def at(self, found: datetime) -> datetime:
        """Return the time, where the machine's clock shows `found`."""
        latest = self._latest
        if latest is not None and found < latest:
            if latest - found <= CAUGHT_UP_WITHIN or found < RELEASED:
                found = latest.astimezone(found.tzinfo) + TICK
            else:
                self.ahead = max(latest, self.ahead or latest)
        if self.ahead is not None and found >= self.ahead:
            self.ahead = None
        self._latest = found
        return found

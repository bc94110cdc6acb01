"""Times as the engines keep them: exact, in whole microseconds since 1970."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    """Return the number of microseconds from 1970 to a time."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def moment_at(after: int) -> datetime:
    """Return the time so many microseconds after 1970."""
    return _EPOCH + timedelta(microseconds=after)

"""What is old enough to be removed (from the trash, from the audit log), confirmed by two checks a day apart.

Its age depends on the machine's clock, and a clock that is ahead for an hour would make all of it old enough at once. So a check
only records what was too old then, and a later one, a day on, removes that; and where the clock leaps from one check to the next,
it is believed step by step (`domain.trusted_time`). The record is a file of its own: without it all is kept a day longer.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.domain.seal import is_damaged, sealed
from lattice_common.domain.trusted_time import believed
from lattice_common.errors import Corrupt

CONFIRMED_AFTER = timedelta(days=1)
LONGEST_NOTE = 1_000


def confirmed(note: Path, now: datetime, keep: timedelta) -> float | None:
    """Return the time, in seconds since 1970, such that what is older may be removed; None while nothing may. `note` is the
    record."""
    known = _known(note)
    if known is None:
        _write(note, now, now)
        return None
    looked, before = known
    if looked <= now < looked + CONFIRMED_AFTER:
        return None
    if now < looked:  # the clock was ahead at the look before, or is behind now
        _write(note, now, before)
        return None
    trusted = believed(before, looked, keep)
    _write(note, now, trusted)
    return min(looked, trusted).timestamp() - keep.total_seconds()


def _write(note: Path, looked: datetime, trusted: datetime) -> None:
    durable.write(note, sealed(orjson.dumps({"looked_at": looked.timestamp(), "trusted": trusted.timestamp()})))


def _known(note: Path) -> tuple[datetime, datetime] | None:
    """Return when it was looked last, and the time that was believed then."""
    try:
        content = durable.read(note, limit=LONGEST_NOTE)
        if is_damaged(content):
            return None
        said = orjson.loads(content)
        looked = float(said["looked_at"])
        return datetime.fromtimestamp(looked, UTC), datetime.fromtimestamp(float(said.get("trusted", looked)), UTC)
    except (FileNotFoundError, Corrupt, ValueError, KeyError, TypeError, OverflowError):
        return None

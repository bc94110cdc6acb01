"""What is old enough to leave the trash, confirmed by two checks a day apart.

The age of a file in the trash depends on the machine's clock, and a clock that is ahead for an hour would make all of it old
enough at once. So a check only records what was too old then, and a later one, a day on, removes that. The record is in `index/`:
without it the trash is kept a day longer.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable

NOTE = "index/trash-look.json"
CONFIRMED_AFTER = timedelta(days=1)
LONGEST_NOTE = 1_000


def confirmed(root: Path, now: datetime, keep: timedelta) -> float | None:
    """Return the time, in seconds since 1970, such that files moved to the trash before it may be removed; None while none
    may."""
    note = root / NOTE
    looked = _looked(note)
    if looked is not None and looked <= now.timestamp() < looked + CONFIRMED_AFTER.total_seconds():
        return None
    durable.write(note, orjson.dumps({"looked_at": now.timestamp()}))
    if looked is None or now.timestamp() < looked:  # the first look, or the clock was ahead at the one before
        return None
    return looked - keep.total_seconds()


def _looked(note: Path) -> float | None:
    try:
        return float(orjson.loads(durable.read(note, limit=LONGEST_NOTE))["looked_at"])
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None

"""Counts of how memory is used, in a file of their own, for an owner who wants to show them to somebody: `logs/telemetry.json`.

Written only where LATTICE_TELEMETRY asks for it, and never sent. Counts and names of doors, no words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.ports.clock import Clock

EVERY = timedelta(hours=1)


class SummaryFile:
    """`counted` returns counts, durations and distributions."""

    def __init__(self, root: Path, clock: Clock, counted: Callable[[], Mapping[str, object]]) -> None:
        self._path = root / "logs" / "telemetry.json"
        self._clock = clock
        self._counted = counted
        self._written: datetime | None = None

    def write_if_due(self) -> None:
        """Write, at most once an hour. Raise `Unavailable` (507)."""
        now = self._clock.now()
        if self._written is None or now - self._written >= EVERY:
            counts = {"ts": now.isoformat(), **self._counted()}
            durable.write(self._path, orjson.dumps(counts, option=orjson.OPT_INDENT_2))
            self._written = now

"""Counts of how memory is used, in a file of their own, for an owner who wants to show them to somebody: `logs/telemetry.json`.

Written only where LATTICE_TELEMETRY asks for it; nothing of it is ever sent. Counts and names of doors, no words.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import orjson

from lattice_common.adapters.files import durable
from lattice_common.ports.clock import Clock

EVERY = timedelta(hours=1)


class SummaryFile:
    """`counted` gives a dataclass of counts."""

    def __init__(self, root: Path, clock: Clock, counted: Callable[[], object]) -> None:
        self._path = root / "logs" / "telemetry.json"
        self._clock = clock
        self._counted = counted
        self._written: datetime | None = None

    def write_if_due(self) -> None:
        """Once an hour. Raises `Unavailable` (507)."""
        now = self._clock.now()
        if self._written is None or now - self._written >= EVERY:
            counts = dataclasses.asdict(self._counted())  # type: ignore[call-overload] # a dataclass, as is said above
            durable.write(self._path, orjson.dumps({"ts": now.isoformat(), **counts}, option=orjson.OPT_INDENT_2))
            self._written = now

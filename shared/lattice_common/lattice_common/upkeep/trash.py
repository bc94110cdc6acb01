"""What was deleted leaves the trash for good after the days that the owner set, also where Lattice is never restarted."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from lattice_common.logs import logger
from lattice_common.ports.atoms import AtomWriter
from lattice_common.ports.clock import Clock

log = logger(__name__)

LOOK_SECONDS = 3600.0
"""Between two looks into the trash, in quiet moments."""


class TrashEmptying:
    """For the writer's thread. `keep` is how long what was deleted can be brought back."""

    def __init__(self, atoms: AtomWriter, clock: Clock, keep: timedelta, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._atoms = atoms
        self._clock = clock
        self._keep = keep
        self._monotonic = monotonic
        self._looked_at: float | None = None

    def now_and_then(self) -> None:
        """Empty it, unless that was less than `LOOK_SECONDS` ago."""
        if self._looked_at is None or self._monotonic() - self._looked_at >= LOOK_SECONDS:
            self.empty()

    def empty(self) -> None:
        """Remove what has lain there for too long. See `ports.atoms.AtomWriter.empty_trash`."""
        self._looked_at = self._monotonic()
        emptied = self._atoms.empty_trash(self._clock.now(), self._keep)
        if emptied:
            log.info("trash_emptied", atoms=emptied)

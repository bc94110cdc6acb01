"""Brings the engines up to date once they are back, and checks now and then whether they are.

A server may lose what it confirmed (a volume that was restored or removed, an index deleted by hand), and no write shows it.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from lattice_common.ingest.stores import Stores
from lattice_common.logs import logger
from lattice_common.upkeep.rebuild import repair_engines

log = logger(__name__)

AGAIN_SECONDS = 5.0
"""Seconds between two tries. Each asks an engine that is away once; while it is known to be away, that fails at once."""

COMPARE_SECONDS = 600.0
"""Seconds between two comparisons without cause: two seconds of work at 100,000 atoms, in idle time."""


class CatchUp:
    """Called by the writer between two entries; `next_index_seq` numbers its writes to the engines, as in ingest."""

    def __init__(
        self, stores: Stores, next_index_seq: Callable[[], int], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._stores = stores
        self._next_index_seq = next_index_seq
        self._monotonic = monotonic
        self._tried_at = -AGAIN_SECONDS
        self._compared_at = monotonic()

    def if_behind(self) -> None:
        """Compare and mend, where an engine missed something and the last try was long enough ago."""
        if self._stores.behind.legs and self._monotonic() - self._tried_at >= AGAIN_SECONDS:
            self._compare()

    def now_and_then(self) -> None:
        """Do the same, and where engines are on servers also every `COMPARE_SECONDS`."""
        if self._stores.behind.tolerates and self._monotonic() - self._compared_at >= COMPARE_SECONDS:
            self._compare()
        else:
            self.if_behind()

    def _compare(self) -> None:
        self._tried_at = self._compared_at = self._monotonic()
        behind = self._stores.behind
        legs = behind.forget()
        indexed, unindexed = repair_engines(self._stores, self._next_index_seq, lambda *_: None)
        if not behind.legs and (legs or indexed or unindexed):
            log.info("index_caught_up", indexes=", ".join(sorted(legs)), indexed=indexed, unindexed=unindexed)

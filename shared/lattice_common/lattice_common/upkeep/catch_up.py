"""Brings the engines up to date once they are back."""

from __future__ import annotations

import time
from collections.abc import Callable

from lattice_common.ingest.commit import Stores
from lattice_common.logs import logger
from lattice_common.upkeep.rebuild import repair_engines

log = logger(__name__)

AGAIN_SECONDS = 5.0
"""Between two tries. Each asks an engine that is away once, and is refused at once while it is known to be."""


class CatchUp:
    """Called by the writer between two entries; `next_index_seq` is what ingest numbers its writes to the engines with."""

    def __init__(
        self, stores: Stores, next_index_seq: Callable[[], int], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._stores = stores
        self._next_index_seq = next_index_seq
        self._monotonic = monotonic
        self._tried_at = -AGAIN_SECONDS

    def if_behind(self) -> None:
        """Compare and mend, where an engine missed something and the last try is a while ago."""
        behind = self._stores.behind
        if not behind.legs or self._monotonic() - self._tried_at < AGAIN_SECONDS:
            return
        self._tried_at = self._monotonic()
        legs = behind.forget()
        indexed, unindexed = repair_engines(self._stores, self._next_index_seq(), lambda *_: None)
        if not behind.legs:
            log.info("index_caught_up", indexes=", ".join(sorted(legs)), indexed=indexed, unindexed=unindexed)

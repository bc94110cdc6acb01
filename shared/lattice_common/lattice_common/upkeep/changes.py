"""Whether anything changed since a client last looked: for pages that are open in several places at once.

A mark is compared, never interpreted: equal marks mean that nothing was written in between, neither into the memories nor into
the conversation, by any process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from lattice_common.ports.catalogue import CatalogueReader, Columns


@dataclass(frozen=True, slots=True)
class Mark:
    """The positions of the memories and the conversation. Another process begins with numbers of its own."""

    memories: int
    conversation: int

    def __str__(self) -> str:
        return f"{self.memories}.{self.conversation}"


class Changes:
    """Costs a look at what is in memory and at the end of one file. Safe to use from several threads."""

    def __init__(self, catalogue: CatalogueReader, conversation: Callable[[], int]) -> None:
        self._catalogue = catalogue
        self._conversation = conversation
        self._lock = threading.Lock()
        self._seen: Columns | None = None
        self._number = time.time_ns() // 1_000_000

    def mark(self) -> Mark:
        """Return the current mark."""
        columns = self._catalogue.columns()
        with self._lock:
            if columns is not self._seen:
                self._seen = columns
                self._number += 1
            return Mark(self._number, self._conversation())

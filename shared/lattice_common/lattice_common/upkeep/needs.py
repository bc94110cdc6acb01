"""How much only the owner can settle: for the count in the page's bar."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from lattice_common.ports.catalogue import CatalogueReader, Columns

LOOK_SECONDS = 60.0
"""Seconds between two searches for contradictions, which read every memory: about a second for 100,000."""


@dataclass(frozen=True, slots=True)
class Needs:
    """`in_review`: pairs of which the newer may have made the older untrue; `disagreeing`: pairs of which one can be true;
    `dead`: captures that could not be read; `files`: of the inbox that could not be taken; `to_correct`: memories called
    wrong."""

    in_review: int
    disagreeing: int
    dead: int
    files: int
    to_correct: int

    @property
    def count(self) -> int:
        """The sum of all."""
        return self.in_review + self.disagreeing + self.dead + self.files + self.to_correct


class Disagreements:
    """Counts contradictions, anew only after a write, and at most every `LOOK_SECONDS`. Safe to use from several threads."""

    def __init__(
        self, catalogue: CatalogueReader, count: Callable[[], int], monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._catalogue = catalogue
        self._count = count
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._seen: Columns | None = None
        self._looked_at = 0.0
        self._found = 0

    def count(self) -> int:
        """Return how many there are."""
        with self._lock:
            columns = self._catalogue.columns()
            changed = columns is not self._seen
            if changed and (self._seen is None or self._monotonic() - self._looked_at >= LOOK_SECONDS):
                self._seen, self._looked_at = columns, self._monotonic()
                self._found = self._count()
            return self._found

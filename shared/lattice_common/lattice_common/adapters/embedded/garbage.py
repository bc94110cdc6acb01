"""Limits Python's garbage collector in the process that holds the whole store in memory.

Columns, indexes and the graph are millions of small objects that live as long as the process. A full collection walks over all of
them, with the interpreter locked: a fifth of the time of an import at 50,000 atoms, and pauses of half a second for concurrent
requests. So long-lived objects are excluded (`gc.freeze`), and little is left to collect.
"""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Iterator

YOUNG = 20_000
"""Objects allocated before a collection of the youngest generation (Python's default is 700): a batch of an import makes a
million."""

COMMITS = 20
"""Commits between two collections of everything that is not frozen: some 100,000 objects of an import, about 20 ms."""

SURVIVORS = 100_000
"""Blocks of memory, of some 50,000 objects, that are left after such a collection and were not there at the last freezing, from
which they are frozen: until then it takes some 10 ms. After a start they count from the first such collection on, for counting
takes as long, too. Whatever is in use in that moment is frozen with them, requests of the doors among it; what of that becomes
garbage in cycles later is never collected."""


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Disable collection while a store is read into memory: nothing of it is garbage, and collecting would double the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class LongLived:
    """Excludes long-lived objects from collection."""

    def __init__(self) -> None:
        self._commits = 0
        self._frozen_at: int | None = None

    def loaded(self) -> None:
        """Freeze the store, once, when it is in memory."""
        _, middle, old = gc.get_threshold()
        gc.set_threshold(YOUNG, middle, old)
        gc.freeze()

    def closed(self) -> None:
        """Unfreeze, once, when the store is closed: its cycles, and the files they keep open, are garbage from now on."""
        gc.unfreeze()

    def committed(self) -> None:
        """Collect now and then, and freeze what is left where that is much. Called after every commit."""
        self._commits += 1
        if self._commits % COMMITS == 0:
            gc.collect()
            # Not `gc.get_objects`: that holds every object for a moment, a tuple as well that another thread is just making of an
            # iterator, which fails then (`SystemError`), and its request with it.
            blocks = sys.getallocatedblocks()
            if self._frozen_at is None:
                self._frozen_at = blocks
            elif blocks - self._frozen_at >= SURVIVORS:
                gc.freeze()
                self._frozen_at = blocks

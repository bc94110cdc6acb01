"""Limits Python's garbage collector in the process that holds the whole store in memory.

Columns, indexes and the graph are millions of small objects that live as long as the process. A full collection walks over all of
them, with the interpreter locked: a fifth of the time of an import at 50,000 atoms, and pauses of half a second for concurrent
requests. So long-lived objects are excluded (`gc.freeze`), and little is left to collect.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

YOUNG = 20_000
"""Objects allocated before a collection of the youngest generation (Python's default is 700): a batch of an import makes a
million."""

COMMITS = 20
"""Commits between two collections of everything that is not frozen: some 100,000 objects of an import, about 20 ms."""

SURVIVORS = 50_000
"""Objects left after such a collection from which they are frozen: until then it takes some 10 ms. Whatever is in use in that
moment is frozen with them, requests of the doors among it; what of that becomes garbage in cycles later is never collected."""


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
            if len(gc.get_objects()) >= SURVIVORS:
                gc.freeze()

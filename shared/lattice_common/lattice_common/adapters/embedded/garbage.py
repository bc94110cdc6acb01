"""What Python's garbage collector may look at in the process that holds the whole store in memory.

Columns, indexes and the graph are millions of small objects that live as long as the process. A full collection walks over all
of them, with the interpreter locked: a fifth of the time of an import at 50,000 atoms, and pauses of half a second for whoever
asks meanwhile. So what has been kept for a while is taken out of its sight (`gc.freeze`), and what is left is small.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

YOUNG = 20_000
"""Objects made before the youngest are looked through (Python's default is 700): a batch of an import makes a million."""

COMMITS = 20
"""Commits between two looks at everything that is not frozen: some 100,000 objects of an import, about 20 ms."""


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """While a store is read into memory nothing of it is garbage, and looking for some would double the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class LongLived:
    """Keeps the collector away from what stays."""

    def __init__(self) -> None:
        self._commits = 0

    def loaded(self) -> None:
        """Once, when the store is in memory."""
        _, middle, old = gc.get_threshold()
        gc.set_threshold(YOUNG, middle, old)
        gc.freeze()

    def closed(self) -> None:
        """Once, when the store is let go of: its cycles, and the files they keep open, are garbage from now on."""
        gc.unfreeze()

    def committed(self) -> None:
        """After every commit: now and then collect, and freeze what is left."""
        self._commits += 1
        if self._commits % COMMITS == 0:
            gc.collect()
            gc.freeze()

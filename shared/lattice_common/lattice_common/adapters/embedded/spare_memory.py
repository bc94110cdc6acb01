"""What the C library keeps of memory that is free again: it is given back to the system, and less of it is kept.

A file of some megabytes is read, cut, decided and embedded in millions of pieces, by several threads. glibc has an arena for
each of them, up to eight for each core, and gives back what is free at the end of one only: after 28,000 memories from files and
a few large ones, 410 MB lay in such arenas. So there are few arenas, and what is free in their middle is given back when the
writer is idle. What is free at an arena's end is not given back at once: the lexical engine takes some 14 MB for each commit. To
ask the system for them every time was 3,500 page faults, a third of the time of a short capture. Other C libraries have neither
fault nor function: nothing is done there.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import lru_cache

EVERY_SECONDS = 20.0
"""Between two times that memory is given back: it takes some milliseconds, and what is used again has to be asked for again."""

MOST_ARENAS = 2
"""Threads of Python allocate one at a time; the largest pieces, those of the models, lie in no arena."""
KEPT_BYTES = 32 * 2**20
"""Free memory at the end of an arena that is kept until memory is given back: twice what a commit of the lexical engine takes."""
LARGE_BYTES = 4 * 2**20
"""Pieces of this size and more lie in no arena: the system gets them back as soon as they are free. The lexical engine's table of
terms has 2 MB."""
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
"""As `malloc.h` numbers them."""


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL | None:
    """Return the C library of this process, where it is glibc."""
    if sys.platform != "linux":
        return None
    found = ctypes.CDLL(None)
    return found if hasattr(found, "malloc_trim") and hasattr(found, "mallopt") else None


def limit_malloc() -> None:
    """Limit malloc's arenas, and how much of them it keeps; called once, before the store is opened, for arenas that threads have
    already stay."""
    if (library := _library()) is not None:
        library.mallopt(_M_ARENA_MAX, MOST_ARENAS)
        library.mallopt(_M_TRIM_THRESHOLD, KEPT_BYTES)
        library.mallopt(_M_MMAP_THRESHOLD, LARGE_BYTES)


def give_back() -> None:
    """Give all free pages back to the system."""
    if (library := _library()) is not None:
        library.malloc_trim(0)


class SpareMemory:
    """Gives memory back now and then, after `trims` have let go of what they keep. For one thread; `clock` gives seconds that
    never go back."""

    def __init__(self, clock: Callable[[], float], *trims: Callable[[], None]) -> None:
        self._clock = clock
        self._trims = trims
        self._at = clock()

    def now_and_then(self) -> None:
        """Give back what is free, where that is some time ago."""
        now = self._clock()
        if now - self._at >= EVERY_SECONDS:
            self._at = now
            for trim in self._trims:
                trim()
            give_back()

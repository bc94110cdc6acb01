"""What the C library keeps of memory that is free again: it is given back to the system, and less of it is kept.

A file of some megabytes is read, cut, decided and embedded in millions of pieces, by several threads. glibc has an arena for
each of them, up to eight for each core, and gives back what is free at the end of one only: after 28,000 memories from files and
a few large ones, 410 MB lay in such arenas. So there are few arenas, and what is free in their middle is given back when the
writer is idle. Other C libraries have neither fault nor function: nothing is done there.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from functools import lru_cache

EVERY_SECONDS = 20.0
"""Between two times that memory is given back: it takes some milliseconds, and what is used again has to be asked for again."""

MOST_ARENAS = 2
"""Threads of Python allocate one at a time; those of the engines and the models make large pieces, which lie in no arena."""
_M_ARENA_MAX = -8
"""As `malloc.h` numbers it."""


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL | None:
    """Return the C library of this process, where it is glibc."""
    if sys.platform != "linux":
        return None
    found = ctypes.CDLL(None)
    return found if hasattr(found, "malloc_trim") and hasattr(found, "mallopt") else None


def few_arenas() -> None:
    """Limit malloc's arenas; called once, before the store is opened, for arenas that threads have already stay."""
    if (library := _library()) is not None:
        library.mallopt(_M_ARENA_MAX, MOST_ARENAS)


def give_back() -> None:
    """Give all free pages back to the system."""
    if (library := _library()) is not None:
        library.malloc_trim(0)


class SpareMemory:
    """Gives memory back now and then. For one thread; `clock` gives seconds that never go back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._at = clock()

    def now_and_then(self) -> None:
        """Give back what is free, where that is some time ago."""
        now = self._clock()
        if now - self._at >= EVERY_SECONDS:
            self._at = now
            give_back()

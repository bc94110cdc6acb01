"""Numbers for writes to the engines, so that an older write never replaces a newer one."""

from __future__ import annotations

from lattice_common.ports.writer_lock import WriterLock


class IndexSequence:
    """Numbers ordered by writer, then by commit: a later writer's are always higher. For the writer's thread."""

    def __init__(self, lock: WriterLock) -> None:
        self._lock = lock
        self._last = 0

    def following(self) -> int:
        """Return a number above that of every write to the engines so far."""
        self._last = max(self._last, self._lock.epoch << 32) + 1
        return self._last

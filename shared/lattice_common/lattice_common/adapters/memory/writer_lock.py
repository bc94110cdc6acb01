"""A writer lock within one process: who shares a `MemoryLockFile` competes for the same lock."""

from __future__ import annotations

import threading

from lattice_common.errors import Conflict, NotTheWriter


class MemoryLockFile:
    """What the lock file and the epoch file are on disk."""

    def __init__(self) -> None:
        self.guard = threading.Lock()
        self.epoch = 0
        self.holder: MemoryWriterLock | None = None

    def replace(self) -> None:
        """Act as if the lock file was deleted and made anew: nobody holds the new one."""
        with self.guard:
            self.holder = None


class MemoryWriterLock:
    def __init__(self, file: MemoryLockFile, epoch: int) -> None:
        self._file = file
        self._epoch = epoch

    @classmethod
    def acquire(cls, file: MemoryLockFile) -> MemoryWriterLock:
        """Raise `Conflict` when another one holds it."""
        with file.guard:
            if file.holder is not None:
                raise Conflict(f"another writer holds the lock (epoch {file.holder.epoch}): release it first")
            file.epoch += 1
            file.holder = cls(file, file.epoch)
            return file.holder

    @property
    def epoch(self) -> int:
        return self._epoch

    def check(self) -> None:
        if self._file.holder is not self:
            raise NotTheWriter("the writer lock is no longer this writer's: nothing may be written any more")

    def raise_above(self, epoch: int) -> None:
        self.check()
        self._epoch = self._file.epoch = max(self._file.epoch, epoch + 1)

    def release(self) -> None:
        with self._file.guard:
            if self._file.holder is self:
                self._file.holder = None

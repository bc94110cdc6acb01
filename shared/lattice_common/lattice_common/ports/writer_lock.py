"""One writer."""

from __future__ import annotations

from typing import Protocol


class WriterLock(Protocol):
    """Held by the one process that writes. `epoch` grows with each holder; `check` raises `NotTheWriter` when the lock file or
    the epoch is no longer this holder's: it is called before every commit."""

    @property
    def epoch(self) -> int: ...

    def check(self) -> None: ...

    def release(self) -> None: ...

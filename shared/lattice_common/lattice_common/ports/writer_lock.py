"""The lock that makes one process the only writer."""

from __future__ import annotations

from typing import Protocol


class WriterLock(Protocol):
    """Held by the one process that writes. `epoch` grows with each holder; `check`, called before every commit, raises
    `NotTheWriter` when the lock file or the epoch is no longer this holder's."""

    @property
    def epoch(self) -> int: ...

    def check(self) -> None: ...

    def raise_above(self, epoch: int) -> None:
        """Continue with an epoch above `epoch`, which somebody is known to have had."""
        ...

    def release(self) -> None: ...

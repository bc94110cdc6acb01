"""The doorbell: it says that there is work. Never the record: a lost ring loses nothing, because the sweeper finds the work."""

from __future__ import annotations

from typing import Protocol

from lattice_common.domain.capture import Priority


class Queue(Protocol):
    """`ring` returns false when nobody could be told (the capture is safe all the same); it never raises and never waits."""

    def ring(self, entry_id: str, priority: Priority) -> bool: ...

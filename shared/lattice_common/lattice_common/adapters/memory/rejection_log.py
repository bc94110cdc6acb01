"""The quarantine in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lattice_common.ports.rejection_log import RejectedCandidate


class MemoryRejectionLog:
    """A dict in the order of arrival."""

    def __init__(self) -> None:
        self._entries: dict[str, RejectedCandidate] = {}

    def append(self, rejected: Sequence[RejectedCandidate]) -> None:
        for each in rejected:
            self._entries.setdefault(each.rejected_id, each)

    def mark_kept(self, rejected_id: str, *, kept: bool) -> None:
        if rejected_id in self._entries:
            self._entries[rejected_id] = replace(self._entries[rejected_id], kept=kept)

    def get(self, rejected_id: str) -> RejectedCandidate | None:
        return self._entries.get(rejected_id)

    def recent(self, limit: int) -> list[RejectedCandidate]:
        return list(self._entries.values())[: -limit - 1 : -1]

    def drop(self, unwanted: Callable[[RejectedCandidate], bool]) -> int:
        gone = [rejected_id for rejected_id, each in self._entries.items() if unwanted(each)]
        for rejected_id in gone:
            del self._entries[rejected_id]
        return len(gone)

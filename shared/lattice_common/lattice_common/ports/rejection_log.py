"""The quarantine: candidates that were set aside instead of stored, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from lattice_common.domain.segment import Candidate


@dataclass(frozen=True, slots=True)
class RejectedCandidate:
    """A candidate in quarantine. The same candidate of the same capture has the same `rejected_id`, also after a redo."""

    rejected_id: str
    capture_id: str
    at: datetime
    candidate: Candidate
    reason: str
    detail: str
    kept: bool = False


class RejectionLog(Protocol):
    """Appending an id that is there changes nothing that a reader sees."""

    def append(self, rejected: Sequence[RejectedCandidate]) -> None: ...

    def mark_kept(self, rejected_id: str, *, kept: bool) -> None: ...

    def get(self, rejected_id: str) -> RejectedCandidate | None: ...

    def recent(self, limit: int) -> list[RejectedCandidate]:
        """Return candidates, newest first."""
        ...

    def drop(self, unwanted: Callable[[RejectedCandidate], bool]) -> int:
        """Erase candidates; return how many there were. Durable when it returns."""
        ...

"""Port for what a process remembers of the trash: ids, by the capture that a memory was made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol


class TrashIndex(Protocol):
    """Which memories of which capture a deletion moved. Filled anew by each process; one thread at a time."""

    def known(self) -> set[str]:
        """Return the ids of the deletions that were taken in as a whole."""
        ...

    def add(self, command_id: str, memories: Iterable[tuple[str, str]], *, whole: bool) -> None:
        """Take in what a deletion moved, each by the ids of its capture and its own; `whole` where that is all of it. May be
        repeated."""
        ...

    def of_capture(self, capture_id: str) -> list[str]:
        """Return the ids of the memories of a capture that were moved, what was deleted first before what was deleted later."""
        ...

    def went_back(self, capture_id: str, atom_ids: Sequence[str]) -> None:
        """Let go of memories of a capture that do not lie in the trash any more."""
        ...

    def let_go(self, command_ids: Iterable[str]) -> None:
        """Let go of deletions, and of what only they moved. May be repeated."""
        ...

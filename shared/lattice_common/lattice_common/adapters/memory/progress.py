"""A progress board for one thread: it never waits, and it keeps all that was published."""

from __future__ import annotations

from lattice_common.domain.receipt import Progress


class MemoryProgress:
    """`history` is everything that was published, in order: the stages a capture went through."""

    def __init__(self) -> None:
        self.history: list[Progress] = []
        self.finished_ids: list[str] = []

    def publish(self, progress: Progress) -> None:
        self.history.append(progress)

    def finished(self, entry_id: str) -> None:
        self.finished_ids.append(entry_id)

    def latest(self, entry_id: str) -> Progress | None:
        return next((each for each in reversed(self.history) if each.capture_id == entry_id), None)

    def wait(self, entry_id: str, seen: Progress | None, timeout: float) -> Progress | None:  # noqa: ARG002 - the port has them
        """Return what is latest, at once: in one thread nothing comes by waiting."""
        return self.latest(entry_id)

    def wait_until_finished(self, entry_id: str, timeout: float) -> None:
        """Return at once, for the same reason."""

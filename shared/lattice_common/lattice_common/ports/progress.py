"""Where captures are right now, for those who watch. Never the record."""

from __future__ import annotations

from typing import Protocol

from lattice_common.domain.receipt import Progress


class ProgressBoard(Protocol):
    """The writer publishes; doors look. Entries of finished captures may be forgotten."""

    def publish(self, progress: Progress) -> None: ...

    def finished(self, entry_id: str) -> None:
        """Wake those who wait for this entry: its receipt is there."""
        ...

    def latest(self, entry_id: str) -> Progress | None: ...

    def wait(self, entry_id: str, seen: Progress | None, timeout: float) -> Progress | None:
        """Block up to `timeout` seconds until there is something other than `seen`, or the entry finished; what is latest."""
        ...

    def wait_until_finished(self, entry_id: str, timeout: float) -> None:
        """Block up to `timeout` seconds, or less where news may be lost, until the entry finished. Whoever wants the receipt
        alone is not woken by the stages before it: fifty that wait would stop the writer some three hundred times."""
        ...

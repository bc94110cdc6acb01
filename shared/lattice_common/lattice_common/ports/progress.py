"""The current stage of captures, for those who watch. Never the record."""

from __future__ import annotations

from typing import Protocol

from lattice_common.domain.receipt import Progress


class ProgressBoard(Protocol):
    """The writer publishes, doors read. Entries of finished captures may be dropped."""

    def publish(self, progress: Progress) -> None: ...

    def finished(self, entry_id: str) -> None:
        """Wake those who wait for this entry: it has its receipt."""
        ...

    def latest(self, entry_id: str) -> Progress | None: ...

    def wait(self, entry_id: str, seen: Progress | None, timeout: float) -> Progress | None:
        """Block up to `timeout` seconds until the progress differs from `seen`, or the entry is finished; return the latest."""
        ...

    def wait_until_finished(self, entry_id: str, timeout: float) -> None:
        """Block up to `timeout` seconds, or less where messages may be lost, until the entry is finished. Stages before that do
        not wake the caller: fifty waiting callers would otherwise interrupt the writer some three hundred times."""
        ...

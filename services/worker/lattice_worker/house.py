"""The writer in the worker's one child process: moves in when the child starts, and out when it ends.

The lock was taken by the parent before it forked, so that no restart of the child leaves a gap in which another worker could
write. Each child is a writer of its own all the same, with an epoch of its own: what it writes into the engines counts as newer
than what the one before it wrote.
"""

from __future__ import annotations

from lattice_common.domain.capture import Priority
from lattice_common.errors import NotFound
from lattice_common.logs import configure
from lattice_common.settings import Settings
from lattice_common.wiring import Embedded, HeldLock, open_writer

from lattice_worker.heartbeat import Heartbeat


class House:
    """One for the worker; it is empty in the parent."""

    def __init__(self, settings: Settings, lock: HeldLock) -> None:
        self._settings = settings
        self._lock = lock
        self._writer: Embedded | None = None
        self._heartbeat: Heartbeat | None = None

    def move_in(self) -> None:
        """In the child: open the folder, and begin with what is unfinished."""
        configure(self._settings.log_level, json=self._settings.log_json)
        self._lock.renew()
        self._writer = open_writer(self._settings, self._lock)
        self._writer.start()
        self._heartbeat = Heartbeat(self._settings.data_dir / "index" / "writer.json", self._writer)
        self._heartbeat.start()

    def move_out(self) -> None:
        """In the child: finish the part in hand. What is left is in the journal."""
        if self._heartbeat is not None:
            self._heartbeat.stop()
        if self._writer is not None:
            self._writer.close()

    def ring(self, entry_id: str, priority: Priority) -> None:
        """Somebody rang for an entry. Its work is the writer thread's, which takes what is urgent first and small things
        together; the message has done its duty."""
        if self._writer is None:
            raise NotFound("Nobody is at home: tasks belong into the worker's child process.")
        self._writer.writer.ring(entry_id, priority)

"""The writer in the worker's one child process: moves in when the child starts, and out when it ends.

The lock was taken by the parent before it forked, so that no restart of the child leaves a gap in which another worker could
write. Each child is a writer of its own all the same, with an epoch of its own: what it writes into the engines counts as newer
than what the one before it wrote.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable

from lattice_common.composition import Embedded, HeldLock, open_writer
from lattice_common.domain.capture import Priority
from lattice_common.errors import NotFound
from lattice_common.logs import configure, logger
from lattice_common.settings import Settings

from lattice_worker.heartbeat import Heartbeat

log = logger(__name__)


def stop_the_worker() -> None:
    """From the child: as `docker compose stop` does it. Its container is started again, and stands by where another writes."""
    os.kill(os.getppid(), signal.SIGTERM)


class House:
    """One for the worker; it is empty in the parent. `abandon` is called in the child when the writer ended of itself: it lost
    the folder to another one, and a worker without a writer does nothing."""

    def __init__(self, settings: Settings, lock: HeldLock, abandon: Callable[[], None] = stop_the_worker) -> None:
        self._settings = settings
        self._lock = lock
        self._abandon = abandon
        self._leaving = threading.Event()
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
        threading.Thread(target=self._watch, args=(self._writer,), name="lattice-writer-watch", daemon=True).start()

    def move_out(self) -> None:
        """In the child: finish the part in hand. What is left is in the journal."""
        self._leaving.set()
        if self._heartbeat is not None:
            self._heartbeat.stop()
        if self._writer is not None:
            self._writer.close()

    def ring(self, entry_id: str, priority: Priority) -> None:
        """Somebody rang for an entry. Its work is the writer thread's, which takes what is urgent first and small things
        together; the message has done its duty."""
        if self._writer is None:
            raise NotFound("Nobody is at home: tasks belong into the worker's child process.")
        self._writer.writer.queue.ring(entry_id, priority)

    def _watch(self, lived_in: Embedded) -> None:
        lived_in.writer.join(threading.TIMEOUT_MAX)
        if not self._leaving.is_set():
            log.warning("writer_gone")
            self._abandon()

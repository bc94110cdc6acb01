"""The writers in the worker's one child process, one for each memory: opened when the child starts, closed when it ends.

The parent took the locks before it forked, so that a restart of the child leaves no gap in which another worker could write. Each
child is nevertheless a writer with an epoch of its own: what it writes into the engines counts as newer than what the one before
it wrote.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Mapping

from lattice_common.composition import Embedded, HeldLock, Model, load_model, model_for, open_writer
from lattice_common.domain.capture import Priority
from lattice_common.errors import NotFound
from lattice_common.logs import configure, logger, of_space
from lattice_common.settings import Settings
from lattice_common.spaces import spaces_of

from lattice_worker.heartbeat import Heartbeat

log = logger(__name__)


def stop_the_worker() -> None:
    """Stop the parent from the child, as `docker compose stop` does. Its container is restarted, and stands by where another
    worker writes."""
    os.kill(os.getppid(), signal.SIGTERM)


class WriterProcess:
    """One for the worker; it opens nothing in the parent. `memories` are settings and lock of each, by the name of its indexes.
    `abandon` is called in the child when a writer ended by itself: it lost the folder to another process, and a worker without a
    writer does nothing."""

    def __init__(self, memories: Mapping[str, tuple[Settings, HeldLock]], abandon: Callable[[], None] = stop_the_worker) -> None:
        self._memories = memories
        self._abandon = abandon
        self._leaving = threading.Event()
        self._writers: dict[str, Embedded] = {}
        self._heartbeats: list[Heartbeat] = []

    def start(self) -> None:
        """Open each folder in the child process, and begin with what is unfinished. The models are loaded once for all."""
        model: Model | None = None
        spaces = {each.settings.index_name: each.name for settings, _ in self._first() for each in spaces_of(settings)}
        for name, (settings, lock) in self._memories.items():
            if model is None:
                configure(settings.log_level, json=settings.log_json)
                model = load_model(settings)
            lock.renew()
            space = spaces.get(name, "")
            with of_space(space):
                writer = self._writers[name] = open_writer(settings, lock, model=model_for(settings, model))
                writer.start()
            self._heartbeats.append(Heartbeat(settings.data_dir / "index" / "writer.json", writer, space=space))
            self._heartbeats[-1].start()
            threading.Thread(target=self._watch, args=(writer,), name="lattice-writer-watch", daemon=True).start()

    def _first(self) -> list[tuple[Settings, HeldLock]]:
        return list(self._memories.values())[:1]

    def stop(self) -> None:
        """Finish the part in hand in the child process. What is left is in the journal."""
        self._leaving.set()
        for heartbeat in self._heartbeats:
            heartbeat.stop()
        for writer in self._writers.values():
            writer.close()

    def ring(self, entry_id: str, priority: Priority, memory: str = "") -> None:
        """Ring for an entry of a memory; for an unknown one, as an earlier version rings, in each. The writer's thread does the
        work, urgent entries first and small ones together; the message has served its purpose."""
        if not self._writers:
            raise NotFound("No memory is open here: tasks belong into the worker's child process.")
        named = self._writers.get(memory)
        for writer in (named,) if named is not None else self._writers.values():
            writer.writer.queue.ring(entry_id, priority)

    def _watch(self, lived_in: Embedded) -> None:
        lived_in.writer.join(threading.TIMEOUT_MAX)
        if not self._leaving.is_set():
            log.warning("writer_gone")
            self._abandon()

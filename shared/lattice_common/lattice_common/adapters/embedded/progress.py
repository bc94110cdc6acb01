"""Progress within one process: the writer thread publishes, and the doors' threads wait."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from lattice_common.domain.receipt import Progress

REMEMBERED_FINISHED = 1000
"""Finished entries that are remembered, for those who begin to wait just after the end; later ones read the receipt."""


class InProcessProgress:
    """A `ProgressBoard`; may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, list[threading.Condition]] = {}
        """Those who wait for an entry, by its id: to wake everybody at every step of every entry costs more than the step."""
        self._ending: dict[str, list[threading.Event]] = {}
        """Those who wait for its end alone."""
        self._latest: dict[str, Progress] = {}
        self._finished: OrderedDict[str, Progress | None] = OrderedDict()

    def publish(self, progress: Progress) -> None:
        with self._lock:
            self._finished.pop(progress.capture_id, None)  # a dead entry that is tried again
            self._latest[progress.capture_id] = progress
            self._wake(progress.capture_id)

    def finished(self, entry_id: str) -> None:
        with self._lock:
            self._finished[entry_id] = self._latest.pop(entry_id, None) or self._finished.get(entry_id)
            self._finished.move_to_end(entry_id)
            while len(self._finished) > REMEMBERED_FINISHED:
                self._finished.popitem(last=False)
            self._wake(entry_id)
            for ended in self._ending.pop(entry_id, ()):
                ended.set()

    def latest(self, entry_id: str) -> Progress | None:
        with self._lock:
            return self._at(entry_id)

    def wait(self, entry_id: str, seen: Progress | None, timeout: float) -> Progress | None:
        deadline = time.monotonic() + timeout
        with self._lock:
            if entry_id in self._finished or self._at(entry_id) != seen:
                return self._at(entry_id)
            changed = threading.Condition(self._lock)
            self._waiting.setdefault(entry_id, []).append(changed)
            try:
                while entry_id not in self._finished and self._at(entry_id) == seen:
                    left = deadline - time.monotonic()
                    if left <= 0 or not changed.wait(left):
                        break
            finally:
                self._waiting[entry_id].remove(changed)
                if not self._waiting[entry_id]:
                    del self._waiting[entry_id]
            return self._at(entry_id)

    def wait_until_finished(self, entry_id: str, timeout: float) -> None:
        ended = threading.Event()
        with self._lock:
            if entry_id in self._finished:
                return
            self._ending.setdefault(entry_id, []).append(ended)
        if ended.wait(timeout):
            return
        with self._lock:
            waiting = self._ending.get(entry_id, [])
            if ended in waiting:
                waiting.remove(ended)
            if not waiting:
                self._ending.pop(entry_id, None)

    def _wake(self, entry_id: str) -> None:
        for changed in self._waiting.get(entry_id, ()):
            changed.notify()

    def _at(self, entry_id: str) -> Progress | None:
        return self._latest.get(entry_id) or self._finished.get(entry_id)

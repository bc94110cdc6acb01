"""Progress within one process: the writer thread publishes, and the doors' threads wait."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict

from lattice_common.domain.receipt import Progress

REMEMBERED_FINISHED = 1000
"""Finished entries that are remembered, for those who come to wait just after the end; whoever comes later reads the receipt."""


class InProcessProgress:
    """A `ProgressBoard` around one condition; may be called from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._latest: dict[str, Progress] = {}
        self._finished: OrderedDict[str, Progress | None] = OrderedDict()

    def publish(self, progress: Progress) -> None:
        with self._changed:
            self._finished.pop(progress.capture_id, None)  # a dead entry that is tried again
            self._latest[progress.capture_id] = progress
            self._changed.notify_all()

    def finished(self, entry_id: str) -> None:
        with self._changed:
            self._finished[entry_id] = self._latest.pop(entry_id, None) or self._finished.get(entry_id)
            self._finished.move_to_end(entry_id)
            while len(self._finished) > REMEMBERED_FINISHED:
                self._finished.popitem(last=False)
            self._changed.notify_all()

    def latest(self, entry_id: str) -> Progress | None:
        with self._changed:
            return self._at(entry_id)

    def wait(self, entry_id: str, seen: Progress | None, timeout: float) -> Progress | None:
        deadline = time.monotonic() + timeout
        with self._changed:
            while entry_id not in self._finished and self._at(entry_id) == seen:
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    break
            return self._at(entry_id)

    def _at(self, entry_id: str) -> Progress | None:
        return self._latest.get(entry_id) or self._finished.get(entry_id)

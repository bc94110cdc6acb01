"""The machine's clock, and ids made from it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime

from ulid import ULID

from lattice_common.adapters.steady_time import SteadyTime


def _local_time() -> datetime:
    return datetime.now().astimezone()


class SystemClock:
    """Local time with its offset. `after` is a time that is past already, whatever the machine says; `look` asks the machine."""

    def __init__(self, *, after: datetime | None = None, look: Callable[[], datetime] = _local_time) -> None:
        self._lock = threading.Lock()
        self._last = 0
        self._look = look
        self._time = SteadyTime(after)

    def now(self) -> datetime:
        with self._lock:
            return self._time.at(self._look())

    def machine(self) -> datetime:
        return self._look()

    def ahead(self) -> datetime | None:
        with self._lock:
            return self._time.ahead

    def new_id(self) -> str:
        now = self.now()
        with self._lock:
            fresh = int.from_bytes(ULID.from_datetime(now.astimezone(UTC)).bytes, "big")
            self._last = max(self._last + 1, fresh)
            return str(ULID.from_bytes(self._last.to_bytes(16, "big"))).lower()

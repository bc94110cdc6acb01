"""Wrong tokens by the address that they came from, so that nobody goes on guessing."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable

from lattice_common.errors import NotAllowed

ADDRESSES_COUNTED = 1000
"""Addresses whose tries are kept; the others are forgotten, those first that were quiet for longest."""


class WrongTries:
    """Tries of the last minute by address, no more than `most` of each. Thread-safe."""

    def __init__(self, most: int, now: Callable[[], float]) -> None:
        self._most = most
        self._now = now
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = threading.Lock()

    def are_many(self, address: str) -> bool:
        """Return whether the next wrong one is one too many."""
        with self._lock:
            tries = self._tries.get(address)
            return tries is not None and len(tries) == self._most and tries[0] >= self._now() - 60

    def count(self, address: str) -> None:
        """Count one more wrong try. Raise `NotAllowed` (429) when it is one too many, which is not counted: a minute ends."""
        if self.are_many(address):
            raise NotAllowed("Too many wrong tokens came from this address. Wait a minute, then try again.", status=429)
        with self._lock:
            tries = self._tries.setdefault(address, deque(maxlen=self._most))
            tries.append(self._now())
            self._tries.move_to_end(address)
            if len(self._tries) > ADDRESSES_COUNTED:
                self._tries.popitem(last=False)

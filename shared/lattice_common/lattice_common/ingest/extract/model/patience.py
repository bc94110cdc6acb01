"""How long somebody waits for a language model: according to its latest answers, and not at all while it hangs.

Nobody knows beforehand whether a silent model hangs, or thinks for half a minute as on a small machine. So a capture that
somebody waits for is read by rules when patience runs out; the call goes on, and its result is used when the text is read again.
Until the model has answered something, the next captures do not wait for it.
"""

from __future__ import annotations

import threading

LONGEST = 4.0
"""Factor of the patience with a model that is always done by then, compared with an unknown one."""

TIMES_LATELY = 2.0
"""Factor of the duration of the last answer, since no two texts are alike."""


class Patience:
    """Safe to use from several threads. `shortest` is the patience, in seconds, with an unknown model."""

    def __init__(self, shortest: float) -> None:
        self._shortest = shortest
        self._longest = LONGEST * shortest
        self._lock = threading.Lock()
        self._lately: float | None = None
        self._silent = False
        self._hangs = False
        self._answers = False
        self._read_well = 0

    def seconds(self) -> float:
        """Return how long to wait for what is asked now; 0 where it would be in vain."""
        with self._lock:
            if self._silent:
                return 0.0
            if self._lately is None:
                return self._shortest
            wanted = max(self._shortest, TIMES_LATELY * self._lately)
            return min(wanted, self._longest) if self._lately < self._longest else 0.0

    @property
    def hangs(self) -> bool:
        """Return whether a call used all its time and nothing was answered since: not even an import waits for that."""
        with self._lock:
            return self._hangs

    @property
    def answers(self) -> bool:
        """Return whether the latest outcome is an answer."""
        with self._lock:
            return self._answers

    @property
    def read_well(self) -> int:
        """Return the number of segments with a usable answer so far."""
        with self._lock:
            return self._read_well

    def used(self) -> None:
        """Record that the answer about a segment was usable."""
        with self._lock:
            self._read_well += 1

    def answered(self, seconds: float | None = None) -> None:
        """Record an answer; for a text that somebody waits or waited for, with its duration in seconds."""
        with self._lock:
            self._silent = self._hangs = False
            self._answers = True
            if seconds is not None:
                self._lately = seconds

    def ran_out(self) -> None:
        """Record that a call was not waited for any longer."""
        with self._lock:
            self._silent, self._answers = True, False

    def failed(self, *, all_its_time: bool) -> None:
        """Record a failed call."""
        with self._lock:
            self._answers = False
            self._silent, self._hangs = self._silent or all_its_time, self._hangs or all_its_time

"""How long somebody is made to wait for a language model: as it answered lately, and not at all while it does not.

Nobody knows beforehand whether a model that is silent hangs, or thinks for half a minute as they do on a small machine. So what
somebody waits for is read by rules when patience runs out, the call goes on, and what it brings is there when the text is read
again. Until something has been answered the next ones are not held up for it.
"""

from __future__ import annotations

import threading

LONGEST = 4.0
"""Times as long as for a model of which nothing is known yet one waits for a model that is always done by then."""

TIMES_LATELY = 2.0
"""Times as long as the last answer took, since no two texts are alike."""


class Patience:
    """Safe to use from several threads. `shortest` is how many seconds one waits for a model of which nothing is known yet."""

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
        """Whether a call had all its time, and nothing was answered since: not even an import is held up for that."""
        with self._lock:
            return self._hangs

    @property
    def answers(self) -> bool:
        """Whether the last that is known of it is an answer."""
        with self._lock:
            return self._answers

    @property
    def read_well(self) -> int:
        """Segments of which the answer could be used, so far."""
        with self._lock:
            return self._read_well

    def used(self) -> None:
        """The answer about a segment could be used."""
        with self._lock:
            self._read_well += 1

    def answered(self, seconds: float | None = None) -> None:
        """It answered; to a text that somebody waits for, or waited for, after so many seconds."""
        with self._lock:
            self._silent = self._hangs = False
            self._answers = True
            if seconds is not None:
                self._lately = seconds

    def ran_out(self) -> None:
        """It was asked, and was not waited for any longer."""
        with self._lock:
            self._silent, self._answers = True, False

    def failed(self, *, all_its_time: bool) -> None:
        """A call came to nothing."""
        with self._lock:
            self._answers = False
            self._silent, self._hangs = self._silent or all_its_time, self._hangs or all_its_time

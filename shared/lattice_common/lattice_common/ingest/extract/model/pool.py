"""Threads that wait for a language model: urgent jobs go first, and wait for one running call at most.

As many calls run at once as there are places. A job returns its place when its call is over: while it processes the answer, the
next call runs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager, suppress
from heapq import heappop, heappush
from typing import TypeVar

from lattice_common.errors import Unavailable
from lattice_common.logs import carried

T = TypeVar("T")

STOPPED = "Reading stops because Lattice does: what is not read stays in the work list."


class CallPool:
    """`size` places, and threads that are made on demand. Jobs run in the order they came, urgent ones before others; each begins
    with a place."""

    def __init__(self, size: int) -> None:
        self._most_threads = 2 * size
        self._places = size
        self._mine = threading.local()
        self._wake = threading.Condition()
        self._jobs: list[tuple[bool, int, Callable[[], None]]] = []
        self._promised: set[Callable[[Exception], None]] = set()
        self._count = 0
        self._idle = 0
        self._closed = False
        self._threads: list[threading.Thread] = []

    @property
    def unfinished(self) -> int:
        """Return the number of jobs that wait or run."""
        return len(self._promised)

    def submit(self, job: Callable[[], T], *, urgent: bool) -> Future[T]:
        """Return the future of a job: `Unavailable` when the pool is closed before; skipped when it is cancelled before its
        turn."""
        future: Future[T] = Future()

        def give_up(error: Exception) -> None:
            with suppress(InvalidStateError):  # it was done, or cancelled, a moment before
                future.set_exception(error)

        def run() -> None:
            try:
                if future.set_running_or_notify_cancel():
                    _keep(future, job)
            finally:
                with self._wake:
                    self._promised.discard(give_up)

        with self._wake:
            if self._closed:
                give_up(Unavailable(STOPPED))
                return future
            self._count += 1
            self._promised.add(give_up)
            heappush(self._jobs, (not urgent, self._count, run))
            if self._idle < len(self._jobs) and len(self._threads) < self._most_threads:
                thread = threading.Thread(target=carried(self._work), name=f"extract-{len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._wake.notify()
        return future

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Hold a place around the call that a job makes. A further call of the same job waits for a place, before new jobs."""
        if not self._holds:
            with self._wake:
                self._wake.wait_for(lambda: self._places or self._closed)
                self._take()
        try:
            yield
        finally:
            self._give_back()

    @property
    def _holds(self) -> bool:
        return bool(getattr(self._mine, "holds", False))

    def _take(self) -> None:
        self._places -= 1
        self._mine.holds = True

    def _give_back(self) -> None:
        with self._wake:
            if self._holds:
                self._places += 1
                self._mine.holds = False
                self._wake.notify_all()

    def close(self, timeout: float) -> None:
        """Abort what is not done, and wait a little for what runs: a thread that still waits then ends with the process."""
        with self._wake:
            self._closed = True
            self._jobs.clear()
            promised = list(self._promised)
            self._wake.notify_all()
        for give_up in promised:
            give_up(Unavailable(STOPPED))
        for thread in self._threads:
            thread.join(timeout / len(self._threads))

    def _work(self) -> None:
        while True:
            with self._wake:
                self._idle += 1
                self._wake.wait_for(lambda: (self._jobs and self._places) or self._closed)
                self._idle -= 1
                if self._closed:
                    return
                _, _, run = heappop(self._jobs)
                self._take()
            try:
                run()
            finally:
                self._give_back()


def _keep(future: Future[T], job: Callable[[], T]) -> None:
    with suppress(InvalidStateError):  # it was given up meanwhile
        try:
            found = job()
        except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits for the result
            future.set_exception(error)
        else:
            future.set_result(found)

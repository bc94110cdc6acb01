"""Threads that wait for a language model: what is urgent goes first, and waits for a running call at most."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from heapq import heappop, heappush
from typing import TypeVar

T = TypeVar("T")


class CallPool:
    """`size` threads, made when they are needed. Jobs run in the order they came, urgent ones before others."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._wake = threading.Condition()
        self._jobs: list[tuple[bool, int, Callable[[], None]]] = []
        self._count = 0
        self._idle = 0
        self._unfinished = 0
        self._closed = False
        self._threads: list[threading.Thread] = []

    @property
    def unfinished(self) -> int:
        """Jobs that wait or run."""
        return self._unfinished

    def submit(self, job: Callable[[], T], *, urgent: bool) -> Future[T]:
        """What comes of it; a future that is cancelled before its turn is passed over."""
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                found = job()
            except BaseException as error:  # noqa: BLE001 - it belongs to whoever waits for the result
                future.set_exception(error)
            else:
                future.set_result(found)

        with self._wake:
            self._count += 1
            self._unfinished += 1
            heappush(self._jobs, (not urgent, self._count, run))
            if self._idle < len(self._jobs) and len(self._threads) < self._size:
                thread = threading.Thread(target=self._work, name=f"extract-{len(self._threads)}", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._wake.notify()
        return future

    def close(self, timeout: float) -> None:
        """Drop what was not begun, and wait a little for what runs: a thread that is still waiting then ends with the process."""
        with self._wake:
            self._closed = True
            self._jobs.clear()
            self._wake.notify_all()
        for thread in self._threads:
            thread.join(timeout / max(len(self._threads), 1))

    def _work(self) -> None:
        while True:
            with self._wake:
                self._idle += 1
                self._wake.wait_for(lambda: self._jobs or self._closed)
                self._idle -= 1
                if self._closed:
                    return
                _, _, run = heappop(self._jobs)
            run()
            with self._wake:
                self._unfinished -= 1

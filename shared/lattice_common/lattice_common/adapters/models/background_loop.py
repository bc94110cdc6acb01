"""One event loop on a thread of its own, for callers that are not asynchronous."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from lattice_common.errors import ModelUnavailable

T = TypeVar("T")

SWITCH_SECONDS = 0.001
"""How long a thread that computes may keep the interpreter from one that has an answer to hand on, and from the next call: with
Python's 5 ms, at three hand-overs for each call, an import took 6 % longer on a busy machine, and as long on an idle one."""


class BackgroundLoop:
    """Begins with the first call, so that who never asks a model has no thread for it. After `close` every call is refused."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._endings: list[Callable[[], Awaitable[None]]] = []

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin it. Raises `ModelUnavailable` when the loop is closed."""
        with self._lock:
            if self._closed:
                work.close()
                raise ModelUnavailable("Lattice is stopping, and asks no language model any more.")
            if self._loop is None:
                sys.setswitchinterval(min(sys.getswitchinterval(), SWITCH_SECONDS))
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="language-models", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def at_end(self, ending: Callable[[], Awaitable[None]]) -> None:
        """Call it on the loop when that is closed; what is opened on a loop is closed on it."""
        self._endings.append(ending)

    def close(self) -> None:
        """Give up what is under way. May be called twice."""
        with self._lock:
            self._closed = True
            loop, thread, self._loop = self._loop, self._thread, None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._end_all(), loop).result(timeout=10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=10)
        loop.close()

    async def _end_all(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for each in others:
            each.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        for ending in self._endings:
            await ending()
        await asyncio.get_running_loop().shutdown_asyncgens()

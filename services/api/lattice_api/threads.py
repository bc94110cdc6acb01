"""Threads for calls of the product: short ones apart from those that mostly wait.

FastAPI's own pool has 40 threads for everything. A client that waits for a receipt or for a language model, or follows a
capture's stages, holds one for seconds; forty of them would leave none to answer questions.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import ParamSpec, TypeVar

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

P = ParamSpec("P")
T = TypeVar("T")

WAITING_THREADS = 128
"""A thread that waits costs some 50 KB; more callers than this take turns."""

_waiting: RunVar[CapacityLimiter] = RunVar("lattice_waiting")


async def in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return a call that works for milliseconds."""
    return await to_thread.run_sync(lambda: call(*args, **kwargs))


async def waiting(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return a call that waits for the writer, or for a language model, in a thread of those kept for waiting."""
    return await to_thread.run_sync(lambda: call(*args, **kwargs), limiter=_limiter())


async def each_of(items: Iterator[T]) -> AsyncIterator[T]:
    """Yield the items, each waited for in such a thread. A client that stops waiting leaves at once; the thread finishes
    alone."""
    while (item := await to_thread.run_sync(next, items, None, abandon_on_cancel=True, limiter=_limiter())) is not None:
        yield item


def _limiter() -> CapacityLimiter:
    try:
        return _waiting.get()
    except LookupError:
        limiter = CapacityLimiter(WAITING_THREADS)
        _waiting.set(limiter)
        return limiter

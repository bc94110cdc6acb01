"""Limits for one caller: rates for telling and asking, and the number of answers written at once.

They keep one client out of control from blocking the memory for all others, and are far above what a person or an import does.
Searching (`select`) has none: it costs milliseconds, and the page does it while somebody types.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from lattice_common.errors import Unavailable
from starlette.types import Scope

from lattice_api.access import PAGE_KEY_HEADER

CALLERS_REMEMBERED = 1000


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` at once, and `per_second` continuously."""

    per_second: float
    burst: int


CAPTURE = Rate(per_second=200, burst=2000)
"""docs/guarantees.md, G19, promises 200 a second; one thread that waits for each 202 reaches about as many."""

ANSWER = Rate(per_second=20, burst=100)
"""Each reads a store for about 10 ms; a person asks a few a minute."""

ANSWERS_AT_ONCE = 16
"""For all callers together. Without a language model two cores write some hundred a second."""

FILES_AT_ONCE = 16
"""Files being received: each needs space on the disk, and none in memory."""

STREAMS_AT_ONCE = 400
"""Streams of a capture's stages, for all callers together; each holds a connection and a task for as long as the capture
takes."""

STREAMS_OF_ONE = 100
"""For one caller. The page follows three files at once, and a browser opens six connections."""

WATCHERS_AT_ONCE = 100
"""Open pages that are visible, for all callers together: each is told about changes, and costs a check twice a second."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client is waited for, and how long it waits, in seconds."""

    upload: float = 900.0
    """For a whole file: 50 MB over a connection of half a megabit a second."""
    rest: float = 5.0
    """For the rest of a refused body, which is read and discarded: a client that is cut off while sending often misses the
    answer."""
    receipts: float = 30.0
    """For the receipts of an import, before its account is sent without them."""


_LIMITED = {
    ("POST", "/api/ingest"): CAPTURE,
    ("POST", "/api/ingest-file"): CAPTURE,
    ("POST", "/api/imports"): CAPTURE,
    ("POST", "/api/answer"): ANSWER,
    ("POST", "/api/query"): ANSWER,
}


class _Places:
    """Places of which `most` may be held at once; beyond them one is refused in these words."""

    def __init__(self, most: int, refusal: str, retry_after: int) -> None:
        self.taken = 0
        self._most, self._refusal, self._retry_after = most, refusal, retry_after

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        if self.taken >= self._most:
            raise Unavailable(self._refusal, status=429, retry_after=self._retry_after)
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1


class RequestLimits:
    """Token buckets by caller, a count of what is in progress, and `patience`. Belongs to one event loop."""

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        *,
        answers_at_once: int = ANSWERS_AT_ONCE,
        files_at_once: int = FILES_AT_ONCE,
        streams_at_once: int = STREAMS_AT_ONCE,
        streams_of_one: int = STREAMS_OF_ONE,
        watchers_at_once: int = WATCHERS_AT_ONCE,
        patience: Patience = Patience(),
    ) -> None:
        self.patience = patience
        self._now = now
        self._buckets: OrderedDict[tuple[str, Rate], tuple[float, float]] = OrderedDict()
        self._answers = _Places(
            answers_at_once, "Too many questions are being answered at once. Ask again in a moment.", retry_after=1
        )
        self._files = _Places(files_at_once, "Too many files are coming in at once. Send it again in a moment.", retry_after=1)
        self._watchers = _Places(
            watchers_at_once, "Too many pages are being told of changes. Ask again in a while.", retry_after=30
        )
        self._streams_at_once = streams_at_once
        self._streams_of_one = streams_of_one
        self._streams: Counter[str] = Counter()

    @property
    def open_streams(self) -> int:
        """Return how many streams, of stages and of changes, have a place at the moment."""
        return self._streams.total() + self._watchers.taken

    def seconds_to_wait(self, method: str, path: str, caller: str) -> int | None:
        """Return None when the request may proceed (it is then counted), else whole seconds to wait."""
        rate = _LIMITED.get((method, path))
        if rate is None:
            return None
        now = self._now()
        left, at = self._buckets.pop((caller, rate), (float(rate.burst), now))
        left = min(rate.burst, left + (now - at) * rate.per_second)
        allowed = left >= 1
        self._buckets[caller, rate] = (left - 1 if allowed else left, now)
        if len(self._buckets) > CALLERS_REMEMBERED:
            self._buckets.popitem(last=False)
        return None if allowed else math.ceil((1 - left) / rate.per_second)

    def answering(self) -> AbstractAsyncContextManager[None]:
        """Hold a place while one answer is written. Raise `Unavailable` (429) when too many are being written."""
        return self._answers.held()

    def receiving(self) -> AbstractAsyncContextManager[None]:
        """Hold a place while one file is received. Raise `Unavailable` (429) when too many are being received."""
        return self._files.held()

    def watching(self) -> AbstractAsyncContextManager[None]:
        """Hold a place for one stream of changes. Raise `Unavailable` (429) when too many are open."""
        return self._watchers.held()

    @asynccontextmanager
    async def streaming(self, caller: str) -> AsyncIterator[None]:
        """Hold a place for one stream of stages. Raise `Unavailable` (429) when the caller, or all of them, have too many
        open."""
        if self._streams[caller] >= self._streams_of_one or self._streams.total() >= self._streams_at_once:
            raise Unavailable("Too many captures are being followed at once. Ask for their states.", status=429, retry_after=5)
        self._streams[caller] += 1
        try:
            yield
        finally:
            self._streams[caller] -= 1
            if not self._streams[caller]:
                del self._streams[caller]


def address_of(scope: Scope) -> str:
    """Return the address of the connection's peer, whatever the headers say."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def caller_of(headers: Mapping[str, str], scope: Scope) -> str:
    """Return what identifies a caller: a token or session (hashed), or an address where there is neither. For a session it is the
    page's key, because other cookies may be added at will."""
    known = headers.get("authorization", "").partition(" ")[2] or headers.get(PAGE_KEY_HEADER)
    if known:
        return hashlib.blake2b(known.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return address_of(scope)

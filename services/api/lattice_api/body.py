"""Reading request bodies: counted as they come, in bounded time and memory, and refused before they are parsed.

A Content-Length is only a claim: too large a one is refused at once, and the body is counted all the same. Bodies that are
shorter than their claim, or come too slowly, end in 408.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from starlette.types import Message, Receive

LOGIN_BODY = 16 * 1024
"""Bytes; signing in is open to everybody, and a token has about fifty characters."""

IDLE_SECONDS = 15.0
"""Between two pieces of a body; a phone that changes its network is back before."""

BODY_SECONDS = 120.0
"""For a whole body: 30 MB over a slow home connection. A slower client only occupies a place."""

BODIES_HELD = 4
"""Largest bodies that are held in memory at once; the next one is told to come again."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a body is not accepted, in HTTP's terms."""

    status: int
    detail: str
    headers: Mapping[str, str] = field(default_factory=dict)


class BodyReader:
    """`max_body` is in bytes. Belongs to one event loop."""

    def __init__(self, max_body: int, *, idle_seconds: float = IDLE_SECONDS) -> None:
        self._max_body = max_body
        self._idle_seconds = idle_seconds
        self._held = 0

    @asynccontextmanager
    async def read(self, path: str, receive: Receive, headers: Mapping[str, str]) -> AsyncIterator[bytes | Unfit | None]:
        """Read the whole body, or yield why not; None when the client went away. It counts as held until the context is left."""
        limit = LOGIN_BODY if path == "/api/login" else self._max_body
        taken = 0
        try:
            claimed = headers.get("content-length", "")
            if claimed.isdigit() and int(claimed[:20]) > limit:
                yield _too_large(limit)
                return
            chunks: list[bytes] = []
            deadline = time.monotonic() + BODY_SECONDS
            more = True
            while more:
                left = min(self._idle_seconds, deadline - time.monotonic())
                try:
                    message = await asyncio.wait_for(receive(), max(left, 0))
                except TimeoutError:
                    detail = "The body did not come to its end in time. Check its Content-Length, then send it again."
                    yield Unfit(408, detail, {"Connection": "close"})
                    return
                if message["type"] == "http.disconnect":
                    yield None
                    return
                chunk = message.get("body", b"")
                chunks.append(chunk)
                taken += len(chunk)
                self._held += len(chunk)
                more = message.get("more_body", False)
                if taken > limit:
                    yield _too_large(limit)
                    return
                if self._held > BODIES_HELD * self._max_body:
                    yield Unfit(503, "Too much is being sent at once. Send this again in a moment.", {"Retry-After": "5"})
                    return
            body = chunks[0] if len(chunks) == 1 else b"".join(chunks)
            chunks.clear()
            if body and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                yield Unfit(415, "Send JSON: `Content-Type: application/json`.")
            else:
                yield body
        finally:
            self._held -= taken


def _too_large(limit: int) -> Unfit:
    return Unfit(413, f"The body has more than {limit:,} bytes. Send it in parts.", {"Connection": "close"})


def given(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the body on whole, and then what the connection has to say."""
    told = False

    async def receive_again() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again

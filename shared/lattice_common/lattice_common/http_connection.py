"""Connections of the doors over HTTP, each held to a time, a size and a number of pieces; parsed in C.

uvicorn waits for ever for the rest of a request's header and for a body that nobody reads any more, and of its two parsers the
one in Python takes 5 µs for each piece of a body, the one in C 0.08 µs: one stranger who sent a body byte by byte, each a chunk
of its own, made others wait for seconds. Here a header has to come in time and may not be large, a body may not come in crumbs,
and what is still sent after the answer is listened to for a moment only. How long a body may take that somebody reads is the
reader's to say.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS = 10.0
"""Seconds from the connection, or from the first byte of a further request, to the end of its header. A slow-loris opens many
connections and sends each header byte by byte."""

LARGEST_HEADER = 64 * 1024
"""Bytes of a request's header; far more than needed, even with cookies of other programs on localhost."""

REST_SECONDS = 5.0
"""Seconds for which the rest of a body is discarded after its answer: a client that is cut off while sending often misses the
answer."""

FREE_PIECES = 4096
"""Pieces of a body that are accepted however small they are; parsing them in C costs some milliseconds together."""

SMALLEST_PIECE = 64
"""Average bytes of a piece, once there are more. A client that streams what it reads sends some thousand at a time."""

MOST_PIPELINED = 32
"""Requests on one connection that wait for the answers before theirs."""


class RequestRefused(Exception):
    """A request that breaks a limit. Never seen outside: the parser makes it a 400."""


class PunctualProtocol(HttpToolsProtocol):
    """HTTP/1.1 within the limits above; a client that is too slow is disconnected without an answer."""

    header_seconds = HEADER_SECONDS
    rest_seconds = REST_SECONDS
    _due: asyncio.TimerHandle | None = None
    _message_open = False
    _in_header = False
    _header_bytes = 0
    _unfinished_bytes = 0
    _pieces = 0
    _body_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn narrows it
        super().connection_made(transport)
        self._hang_up_in(self.header_seconds)

    def data_received(self, data: bytes) -> None:
        if not self._message_open and self._due is None:
            self._hang_up_in(self.header_seconds)  # also for line ends, which are no request
        fresh = self._in_header or not self._message_open
        super().data_received(data)
        if fresh and self._in_header:
            # The parser tells of a header line when it is whole, and keeps the beginning of one for as long as it comes.
            self._unfinished_bytes += len(data)
            if self._unfinished_bytes > LARGEST_HEADER and not self.transport.is_closing():
                self.send_400_response("The header is too large.")

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    # What the parser says

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= MOST_PIPELINED:
            raise RequestRefused
        self._message_open = self._in_header = True
        self._header_bytes = self._pieces = self._body_bytes = 0
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count_header(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count_header(len(name) + len(value) + 4)  # the colon, the space and the end of the line
        if self._in_header:  # and no trailer after the body, which would be added to what was looked at already
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_header = False
        self._unfinished_bytes = 0
        self._cancel()
        if sum(1 for name, _ in self.headers if name == b"host") > 1:
            raise RequestRefused  # two hosts are two opinions on who is asked
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._pieces += 1
        self._body_bytes += len(body)
        if self._pieces > FREE_PIECES and self._body_bytes < self._pieces * SMALLEST_PIECE:
            raise RequestRefused
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._message_open = False
        self._cancel()
        super().on_message_complete()

    # What becomes of it

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._message_open and self.cycle.response_complete and self._due is None:
            self._hang_up_in(self.rest_seconds)

    def send_400_response(self, msg: str) -> None:
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.close()  # in the middle of an answer there is no place for another
        else:
            super().send_400_response(msg)

    def _unsupported_upgrade_warning(self) -> None:
        """Do nothing: a client that offers another protocol gets this one, and afterwards a new connection."""
        if self.cycle is not None:
            self.cycle.keep_alive = False

    def _count_header(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > LARGEST_HEADER:
            raise RequestRefused

    def _hang_up_in(self, seconds: float) -> None:
        self._due = self.loop.call_later(seconds, self._hang_up)

    def _cancel(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _hang_up(self) -> None:
        self._due = None
        if not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete):
            self.transport.close()


def server_config(app: Callable[..., object], protocol: type[PunctualProtocol] = PunctualProtocol) -> uvicorn.Config:
    """Return the configuration of a door's server. There is no `limit_concurrency`: uvicorn counts idle connections too, and a
    thousand clients that send the same capture at once must get one answer each. `X-Forwarded-For` is not trusted, because
    anybody can write it: the client is the peer of the connection."""
    return uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=5,
    )

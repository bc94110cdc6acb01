"""Connections that say nothing: uvicorn waits for the rest of a request's header for ever, so this gives it a time.

A slow-loris opens many connections and sends each header byte by byte. Bodies have their own time (`body.py`).
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0
"""From the connection, or from the first byte of a further request, to the end of its header."""


class PunctualProtocol(H11Protocol):
    """HTTP/1.1 whose headers have to come in time; who dawdles is hung up on without a word."""

    _header_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn narrows it
        super().connection_made(transport)
        self._header_due = self.loop.call_later(HEADER_SECONDS, self._hang_up)

    def data_received(self, data: bytes) -> None:
        if self._header_due is None and self._is_between_requests():
            self._header_due = self.loop.call_later(HEADER_SECONDS, self._hang_up)
        super().data_received(data)
        if not self._is_between_requests():
            self._cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    def _is_between_requests(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _cancel(self) -> None:
        if self._header_due is not None:
            self._header_due.cancel()
            self._header_due = None

    def _hang_up(self) -> None:
        self._header_due = None
        if self._is_between_requests() and not self.transport.is_closing():
            self.transport.close()

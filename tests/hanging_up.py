"""An HTTP server for tests that can end the connections its clients keep open."""

from __future__ import annotations

import socket
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class HangingUpServer(ThreadingHTTPServer):
    """On a free port of 127.0.0.1, or of another address of this machine. Its threads end with it: `hang_up` before
    `server_close`."""

    daemon_threads = False
    request_queue_size = 128

    def __init__(self, handler: type[BaseHTTPRequestHandler], host: str = "127.0.0.1") -> None:
        self.open: set[socket.socket] = set()
        super().__init__((host, 0), handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self.open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End the connections that clients keep open, so that their threads end."""
        for each in list(self.open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

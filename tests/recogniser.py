"""A small speech recogniser behind an address, for tests."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SPOKEN = b"""WEBVTT

00:00:01.000 --> 00:00:04.000
The boat is in berth 12.

00:01:30.000 --> 00:01:34.000
It sails in May.
"""


class Recogniser:
    """A small server that answers every recording with the same words, and notes what it was asked."""

    def __init__(self) -> None:
        self.status, self.answer = 200, SPOKEN
        self.asked: list[tuple[str, str, bytes]] = []
        self.release = threading.Event()
        self.release.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.asked.append((self.path, self.headers.get("Authorization", ""), body))
                outer.release.wait(30)
                self.send_response(outer.status)
                self.send_header("Content-Length", str(len(outer.answer)))
                self.end_headers()
                self.wfile.write(outer.answer)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def close(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._server.server_close()

"""How a fake of the Bot API is reached over HTTP: its methods by POST, its files by GET, and nothing at all while it is away."""

from __future__ import annotations

import json
import socket
from http.server import BaseHTTPRequestHandler
from typing import Any, Protocol
from urllib.parse import parse_qs, unquote

from tests.hanging_up import HangingUpServer


class Telegram(Protocol):
    """What is behind it."""

    @property
    def is_away(self) -> bool: ...

    def answer(self, method: str, given: dict[str, Any]) -> tuple[int, dict[str, Any]]: ...

    def download(self, path: str) -> bytes | None: ...


class TelegramHttp(HangingUpServer):
    def __init__(self, telegram: Telegram, token: str, host: str) -> None:
        self.telegram = telegram
        self.token = token
        self.closing = False
        super().__init__(_Handler, host)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A bot that was killed is what is being tested."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: TelegramHttp

    def do_GET(self) -> None:
        content = (
            self.server.telegram.download(self.path) if unquote(self.path).startswith(f"/file/bot{self.server.token}/") else None
        )
        self._send(200 if content is not None else 404, content or b"")

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        telegram = self.server.telegram
        if telegram.is_away:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        head, _, method = self.path.rpartition("/")
        if head != f"/bot{self.server.token}":
            self._send(401, b'{"ok": false, "error_code": 401, "description": "Unauthorized"}')
            return
        given = {name: values[-1] for name, values in parse_qs(raw, keep_blank_values=True).items()}
        status, body = telegram.answer(method, given)
        if telegram.is_away:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self._send(status, json.dumps(body).encode())

    def _send(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Silent: pytest shows what matters."""

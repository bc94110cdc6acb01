"""An OpenAI-compatible endpoint that does what it is told to, over real HTTP on 127.0.0.1.

    with model_server(answer("ok")) as server:
        server.then(rate_limited(retry_after=1), answer("Lisbon [1]."))
        ...
        assert server.completions[0]["messages"][-1]["content"] == "Where do I live?"

Behaviours are in `model_behaviours`; each serves plain and streamed calls. Those given to `then` are used once each, in order;
after them the usual one, which `always` changes.
"""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any, TypeAlias

from tests.hanging_up import HangingUpServer

Behaviour: TypeAlias = "Callable[[Call], None]"


@dataclass(frozen=True)
class Received:
    """One request as it came; `at` is in seconds of the monotonic clock."""

    method: str
    path: str
    headers: dict[str, str]
    raw: bytes
    at: float

    @property
    def body(self) -> dict[str, Any]:
        parsed: dict[str, Any] = json.loads(self.raw)
        return parsed


class Call:
    """One call that is being served: what was asked, and the ways to answer."""

    def __init__(self, handler: _Handler, received: Received, number: int, server: ModelServer) -> None:
        self.received = received
        self.number = number
        self.server = server
        self._handler = handler

    @property
    def body(self) -> dict[str, Any]:
        return self.received.body

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    def send(self, status: int, content: bytes, *, kind: str = "application/json", **headers: str) -> None:
        """A whole response; underscores in the names of headers are hyphens."""
        self.begin(status, kind=kind, content_length=str(len(content)), **headers)
        self.write(content)

    def begin(self, status: int = 200, *, kind: str, **headers: str) -> None:
        """The head of a response. One without a length ends with the connection."""
        self._handler.send_response(status)
        self._handler.send_header("Content-Type", kind)
        for name, value in headers.items():
            self._handler.send_header(name.replace("_", "-"), value)
        if "content_length" not in headers:
            self._handler.send_header("Connection", "close")
            self._handler.close_connection = True
        self._handler.end_headers()

    def write(self, content: bytes) -> bool:
        """False when the client has left."""
        try:
            self._handler.wfile.write(content)
            self._handler.wfile.flush()
        except OSError:
            self.server.left.set()
            self._handler.close_connection = True
            return False
        return True

    def wait(self, seconds: float) -> bool:
        """Do nothing for a while; false when the client has left, or the server is closing."""
        deadline = time.monotonic() + seconds
        waiting = select.poll()  # `select.select` refuses descriptors from 1,024 on, which a long run of tests may reach
        waiting.register(self._handler.connection, select.POLLIN)
        while (left := deadline - time.monotonic()) > 0 and not self.server.closing.is_set():
            if waiting.poll(min(left, 0.05) * 1000) and not self._peek():
                self.server.left.set()
                self._handler.close_connection = True
                return False
        return not self.server.closing.is_set()

    def drop(self) -> None:
        """Reset the connection."""
        self._handler.close_connection = True
        self._handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self._handler.connection.close()

    def _peek(self) -> bytes:
        try:
            peeked: bytes = self._handler.connection.recv(1, socket.MSG_PEEK)
            return peeked
        except OSError:
            return b""


class ModelServer:
    """`models` is what /v1/models and Ollama's /api/tags list; `left` is set once a client went away before its answer's end."""

    def __init__(self, usual: Behaviour, models: list[str]) -> None:
        self.models = models
        self.received: list[Received] = []
        self.left = threading.Event()
        self.closing = threading.Event()
        self._usual = usual
        self._next: list[Behaviour] = []
        self._lock = threading.Lock()
        self._http = _Http(self)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def host_elsewhere(self) -> str:
        """Name and port under which the product takes it for another machine: an address of this one that is no loopback one."""
        return f"0.0.0.0:{self.port}"

    @property
    def url_elsewhere(self) -> str:
        return f"http://{self.host_elsewhere}/v1"

    @property
    def completions(self) -> list[dict[str, Any]]:
        """The bodies of all calls for a completion, in order of arrival."""
        with self._lock:
            return [each.body for each in self.received if each.path.endswith("/chat/completions")]

    def then(self, *behaviours: Behaviour) -> None:
        """Use each of them for one call, in order."""
        with self._lock:
            self._next.extend(behaviours)

    def always(self, behaviour: Behaviour) -> None:
        """Use it for every call that nothing else is said of."""
        with self._lock:
            self._usual = behaviour

    def note(self, received: Received) -> tuple[Behaviour, int]:
        """For the handler: keep a request, and say how to answer it if it is for a completion."""
        with self._lock:
            self.received.append(received)
            asked = received.path.endswith("/chat/completions")
            number = sum(each.path.endswith("/chat/completions") for each in self.received)
            return (self._next.pop(0) if asked and self._next else self._usual), number

    def start(self) -> None:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, name="model-server").start()

    def hang_up(self) -> None:
        """Break every connection, as a restart does."""
        self._http.hang_up()

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self.hang_up()
        self._http.server_close()


@contextmanager
def model_server(usual: Behaviour, *, models: tuple[str, ...] = ("scripted:latest",)) -> Iterator[ModelServer]:
    """A server that answers until the block ends."""
    server = ModelServer(usual, list(models))
    server.start()
    try:
        yield server
    finally:
        server.close()


class _Http(HangingUpServer):
    def __init__(self, model: ModelServer) -> None:
        self.model = model
        super().__init__(_Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves is what is being tested, not an error of the server."""
        self.model.left.set()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        received = Received(self.command, self.path, headers, raw, time.monotonic())
        model = self.server.model
        behaviour, number = model.note(received)
        call = Call(self, received, number, model)
        if self.path.endswith("/chat/completions"):
            behaviour(call)
        elif self.path == "/v1/models":
            call.send(
                200, json.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in model.models]}).encode()
            )
        elif self.path == "/api/tags":
            call.send(200, json.dumps({"models": [{"name": name, "model": name} for name in model.models]}).encode())
        else:
            call.send(404, b'{"error": {"message": "no such path"}}')

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Silent: pytest shows what matters."""

"""The client's own connection, before a server that closes, breaks off, refuses early, and says nothing."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

import pytest
from lattice_common.client import LatticeClient, NotRunning
from lattice_common.errors import Corrupt, InvalidInput, NotConfigured, NotFound, Unavailable

from tests.hanging_up import HangingUpServer

OK = b'{"capture_id": "c1", "state": "waiting"}'


class Handler(BaseHTTPRequestHandler):
    """Writes down what it was asked, from which connection, and answers as `answer` says."""

    protocol_version = "HTTP/1.1"
    seen: ClassVar[list[tuple[str, str, dict[str, str], bytes]]]
    connections: ClassVar[set[Any]]
    answer: ClassVar[Callable[[Handler], None]]

    def _handle(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.seen.append((self.command, self.path, dict(self.headers), content))
        self.connections.add(self.client_address)
        type(self).answer(self)

    do_GET = do_POST = do_PATCH = do_DELETE = _handle  # noqa: N815 - the names that the library looks for

    def say(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Nothing on stderr."""


@contextmanager
def serving(
    answer: Callable[[Handler], None], timeout: float = 10.0
) -> Iterator[tuple[LatticeClient, type[Handler], HangingUpServer]]:
    """A client, what its server was asked, and the server."""
    handler = type("Asked", (Handler,), {"seen": [], "connections": set(), "answer": staticmethod(answer)})
    server = HangingUpServer(handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        with LatticeClient(f"http://127.0.0.1:{server.server_address[1]}", "secret", timeout) as client:
            yield client, handler, server
    finally:
        server.shutdown()
        server.hang_up()
        server.server_close()
        thread.join()


def test_questions_go_over_one_connection_with_their_token() -> None:
    with serving(lambda asked: asked.say(200, OK)) as (client, handler, _):
        client.capture("c1")
        client.ingest({"text": "Zoë \udcff"}, idempotency_key="k")
        assert len(handler.connections) == 1
    (_, path, headers, _), (method, _, posted, content) = handler.seen
    assert (path, headers["Authorization"]) == ("/api/captures/c1", "Bearer secret")
    assert (method, posted["Idempotency-Key"], posted["Content-Type"]) == ("POST", "k", "application/json")
    assert json.loads(content) == {"text": "Zoë \udcff"}


def test_a_connection_that_the_server_closed_meanwhile_is_opened_again_unnoticed() -> None:
    with serving(lambda asked: asked.say(200, b'{"change_id": "c2"}')) as (client, handler, server):
        assert client.undo("c1") == "c2"
        server.hang_up()
        assert client.undo("c1") == "c2"  # which is never tried twice
        assert len(handler.connections) == len(handler.seen) == 2


def test_a_server_that_wants_the_connection_closed_is_obeyed() -> None:
    with serving(lambda asked: asked.say(200, OK, Connection="close")) as (client, handler, _):
        client.capture("c1")
        client.capture("c1")
        assert len(handler.connections) == 2


@pytest.mark.parametrize("name", ["a b", "ü", "x?y=1#z", "50%", "..", "a\nb"])
def test_a_name_stays_one_name_whatever_stands_in_it(name: str) -> None:
    with serving(lambda asked: asked.say(404, b'{"detail": "There is none."}')) as (client, handler, _):
        with pytest.raises(NotFound, match=r"There is none\."):
            client.atom(name)
        ((_, path, _, _),) = handler.seen
    assert "?" not in path
    assert "#" not in path
    assert path.isascii()


def test_an_answer_that_comes_before_all_was_sent_is_heard() -> None:
    """A text that is too long is refused by its length: the server neither reads it nor waits for it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def refuse() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(100)
                content = b'{"detail": "It is too long."}'
                connection.sendall(
                    b"HTTP/1.1 413 No\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(content), content)
                )
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass

        thread = threading.Thread(target=refuse)
        thread.start()
        with (
            LatticeClient(f"http://127.0.0.1:{listening.getsockname()[1]}", None) as client,
            pytest.raises(InvalidInput, match="too long"),
        ):
            client.ingest({"text": "x" * 5_000_000})
        thread.join()


def test_what_breaks_off_is_unavailable_and_the_next_question_gets_its_own_answer() -> None:
    answers = iter([b"no", OK])

    def broken_off_once(asked: Handler) -> None:
        content = next(answers)
        if content == b"no":
            asked.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
            asked.close_connection = True
        else:
            asked.say(200, content)

    with serving(broken_off_once) as (client, _, _):
        with pytest.raises(Unavailable, match="broke"):
            client.retry("c1")
        assert client.retry("c1")["capture_id"] == "c1"


def test_a_server_that_says_nothing_took_too_long() -> None:
    done = threading.Event()

    def say_nothing(_: Handler) -> None:
        done.wait(20)

    with serving(say_nothing, timeout=0.1) as (client, _, _):
        with pytest.raises(Unavailable, match="took too long"):
            client.retry("c1")
        done.set()


def test_a_server_that_is_busy_says_how_long() -> None:
    with serving(lambda asked: asked.say(503, b'{"detail": "Later."}', Retry_After="7")) as (client, _, _):
        with pytest.raises(Unavailable, match="Later") as busy:
            client.undo("c1")
        assert busy.value.retry_after == 7


def test_nobody_there_is_not_running() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with (
            LatticeClient(f"http://127.0.0.1:{taken.getsockname()[1]}", None) as client,
            pytest.raises(NotRunning, match="lattice up"),
        ):
            client.status()


def test_another_program_on_the_port_is_noticed() -> None:
    with serving(lambda asked: asked.say(200, b"<html>")) as (client, _, _), pytest.raises(Corrupt, match="is it Lattice"):
        client.status()


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:seven", "http://127.0.0.1:99999", "http://[::1", "127.0.0.1:7337", "ftp://x", "http://"]
)
def test_an_address_that_is_none_says_how_to_write_one(url: str) -> None:
    with pytest.raises(NotConfigured, match="LATTICE_API_URL="):
        LatticeClient(url, None)


@pytest.mark.parametrize("token", ["a\nb", "tokén"])
def test_a_token_that_is_none_is_not_sent(token: str) -> None:
    with pytest.raises(NotConfigured, match="LATTICE_API_TOKEN"):
        LatticeClient("http://127.0.0.1:7337", token)

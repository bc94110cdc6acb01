"""An OpenSearch cluster elsewhere: a password, an authority of its own, an address."""

from __future__ import annotations

import base64
import ssl
import subprocess
import threading
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI, Request
from lattice_common.adapters.server.opensearch_connection import Connection, OpenSearchAddress
from lattice_common.adapters.server.opensearch_lexical import OpenSearchLexicalIndex
from lattice_common.errors import InvalidInput, Unavailable
from test_lexical_index import asked, document, ids

from tests.serving import serving


def test_a_cluster_that_asks_for_a_password_gets_it() -> None:
    seen: list[str] = []
    app = FastAPI()

    @app.get("/_cluster/health/lattice-atoms-0*")
    def health(request: Request) -> dict[str, str]:
        seen.append(request.headers.get("authorization", ""))
        return {"status": "green"}

    with serving(app) as url:
        index = OpenSearchLexicalIndex(Connection(OpenSearchAddress([url], "ada", "p:w")), writes=False)
        index.ping()
        index.close()
    assert [base64.b64decode(each.removeprefix("Basic ")) for each in seen] == [b"ada:p:w"]


class Green(BaseHTTPRequestHandler):
    """A cluster that is well."""

    def do_GET(self) -> None:
        self.answer(200, b'{"status": "green"}')

    def answer(self, status: int, content: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def guarded(url: str, user: str, password: str) -> type[Green]:
    """What stands before a cluster that asks who comes."""
    wanted = f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"

    class Guarded(Green):
        def do_GET(self) -> None:
            if self.headers["authorization"] != wanted:
                self.answer(401, b'{"error": "who is it?", "status": 401}')
                return
            sent = self.rfile.read(int(self.headers["content-length"] or 0))
            answer = httpx2.request(
                self.command, f"{url}{self.path}", content=sent, headers={"content-type": "application/json"}, timeout=30
            )
            self.answer(answer.status_code, answer.content)

        do_POST = do_PUT = do_DELETE = do_HEAD = do_GET  # noqa: N815 - the names that `http.server` looks for

    return Guarded


@contextmanager
def over_tls(folder: Path, handler: type[Green]) -> Iterator[tuple[str, Path]]:
    """Its address, and the authority that its certificate was signed by, which nobody knows."""
    ca, key, certificate = folder / "ca.pem", folder / "key.pem", folder / "certificate.pem"
    made = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run([*made.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    ca.write_bytes(certificate.read_bytes())
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"https://localhost:{server.server_port}", ca
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_cluster_elsewhere_is_believed_by_its_certificate_only(tmp_path: Path) -> None:
    """docs/security-checks.md, S24."""
    with over_tls(tmp_path, Green) as (url, ca):
        with closing(OpenSearchLexicalIndex(Connection(OpenSearchAddress([url], ca=ca)), writes=False)) as index:
            index.ping()
        stranger = OpenSearchLexicalIndex(Connection(OpenSearchAddress([url])), writes=False)
        with closing(stranger), pytest.raises(Unavailable, match=r"(?i)certificate"):
            stranger.ping()


@pytest.mark.servers
def test_a_cluster_elsewhere_does_everything_for_whoever_has_its_password(opensearch_url: str, tmp_path: Path) -> None:
    """The real engine, behind TLS and a password: the one of the tests has no security plugin."""
    alias = f"own-{uuid.uuid4().hex}"
    with over_tls(tmp_path, guarded(opensearch_url, "ada", "p:w")) as (url, ca):
        connection = Connection(OpenSearchAddress([url], "ada", "p:w", ca))
        with closing(OpenSearchLexicalIndex(connection, alias=alias)) as index:
            index.upsert([document("a", "coffee"), document("b", "tea")])
            index.commit()
            assert ids(index.search(asked("coffee"), 5)) == ["a"]
            assert sorted(atom_id for atom_id, _, _ in index.entries()) == ["a", "b"]
            index.clear()
            assert list(index.entries()) == []
            (made,) = connection.client.indices.get_alias(name=alias)
            connection.client.indices.delete(index=made)
        stranger = OpenSearchLexicalIndex(Connection(OpenSearchAddress([url], "ada", "guess", ca)), alias=alias, writes=False)
        with closing(stranger), pytest.raises(Unavailable, match="401"):
            stranger.search(asked("coffee"), 5)


AT_ONCE = 4


class Together(BaseHTTPRequestHandler):
    """Answers when as many ask at the same time as are to; counts the connections on which they do."""

    protocol_version = "HTTP/1.1"
    server: Counting

    def setup(self) -> None:
        super().setup()
        self.server.connections.append(self.client_address[1])

    def do_GET(self) -> None:
        self.server.together.wait(30)
        body = b'{"status": "green"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


class Counting(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Together)
        self.together, self.connections = threading.Barrier(AT_ONCE), list[int]()


def test_those_who_ask_at_the_same_time_keep_their_connections() -> None:
    server = Counting()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    index = OpenSearchLexicalIndex(Connection(OpenSearchAddress([f"http://127.0.0.1:{server.server_port}"])), writes=False)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in range(5):
            for asked_for in [pool.submit(index.ping) for _ in range(AT_ONCE)]:
                asked_for.result()
    index.close()
    server.shutdown()
    server.server_close()
    assert len(server.connections) == AT_ONCE


def test_an_address_that_is_none_is_refused_and_named() -> None:
    with pytest.raises(InvalidInput, match="'opensearch:9200' is no address"):
        Connection(OpenSearchAddress(["opensearch:9200"]))

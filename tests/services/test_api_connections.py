"""Over real connections: who goes away is noticed, who dawdles is hung up on, and the product starts closed."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import uvicorn
from lattice_api import connection, upload
from lattice_api.app import server_config
from lattice_common.lattice import Lattice

from tests.services.door import Door, opened

SOON = 2.0
"""Seconds within which a client that went away is noticed (row 85)."""

PATIENCE = 20.0


class _Server(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Door, int]]:
    """A door that nobody works behind, and its port: captures stay waiting."""
    with opened(tmp_path / "data", start=False) as door, socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = _Server(server_config(door.app))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        assert server.listens.wait(PATIENCE)
        yield door, listening.getsockname()[1]
        server.should_exit = server.force_exit = True
        thread.join(PATIENCE)


def test_a_reader_of_stages_who_goes_away_is_noticed_within_two_seconds(
    served: tuple[Door, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    door, port = served
    looked = threading.Semaphore(0)
    look = Lattice.progress

    def counted(self: Lattice, *args: object) -> object:
        looked.release()
        return look(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Lattice, "progress", counted)
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}", headers={"authorization": f"Bearer {door.token}"}) as http:
        kept = http.post("/api/ingest", json={"text": "I live in Lisbon."}).json()
        with http.stream("GET", f"/api/captures/{kept['capture_id']}/events") as response:
            assert response.status_code == 200
            assert looked.acquire(timeout=PATIENCE)
    while looked.acquire(timeout=0):
        pass
    assert not (looked.acquire(timeout=SOON) and looked.acquire(timeout=SOON) and looked.acquire(timeout=SOON))


def test_a_header_that_does_not_come_is_not_waited_for(served: tuple[Door, int], monkeypatch: pytest.MonkeyPatch) -> None:
    _, port = served
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.05)
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}") as other:
        for begun in (b"", b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "):
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as slow:
                slow.sendall(begun)
                assert other.get("/health").status_code == 200
                assert slow.recv(1) == b""


def test_a_second_request_on_a_connection_has_to_come_in_time_too(
    served: tuple[Door, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "HEADER_SECONDS", 0.05)
    with socket.create_connection(("127.0.0.1", served[1]), PATIENCE) as slow:
        slow.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        while b"alive" not in answer:
            answer += slow.recv(4096)
        slow.sendall(b"GET /health")
        while rest := slow.recv(4096):
            answer += rest
    assert answer.count(b"HTTP/1.1 200") == 1


def test_a_huge_header_is_refused_and_others_are_served(served: tuple[Door, int]) -> None:
    with socket.create_connection(("127.0.0.1", served[1]), PATIENCE) as greedy:
        greedy.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + b"A" * 100_000)
        assert greedy.recv(12) == b"HTTP/1.1 400"
    assert httpx2.get(f"http://127.0.0.1:{served[1]}/health").status_code == 200


def test_a_file_that_claims_too_much_is_refused_though_nothing_of_it_comes(
    served: tuple[Door, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 23: who only announces a body is not listened to for ever."""
    door, port = served
    monkeypatch.setattr(upload, "DRAINED_SECONDS", 0.05)
    head = (
        f"POST /api/ingest-file HTTP/1.1\r\nHost: localhost\r\nAuthorization: {door.http.headers['authorization']}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 99999999999\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as greedy:
        greedy.sendall(head.encode())
        assert greedy.recv(12) == b"HTTP/1.1 413"


@pytest.mark.slow
def test_a_fresh_start_asks_for_the_token_that_it_shows_once(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "LATTICE_DIR": str(tmp_path / "data"),
        "LATTICE_EMBED_MODEL": "none",
        "LATTICE_WEB_PORT": "0",
    }
    tokens: list[list[str]] = []
    for lines in (3, 2):
        with subprocess.Popen(
            [sys.executable, "-m", "lattice_api"],
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            shown = "".join(process.stdout.readline() for _ in range(lines))
            [url] = re.findall(r"Lattice is at (\S+)", shown)
            with httpx2.Client(base_url=url) as http:
                assert http.get("/health").status_code == 200
                assert http.get("/api/status").status_code == 401
                [code] = re.findall(r"code=(\S+)", shown)
                signed_in = http.post("/api/login", json={"code": code})
                assert http.get("/api/status", headers={"lattice-page-key": signed_in.json()["page_key"]}).status_code == 200
            process.send_signal(signal.SIGTERM)
            out, logged = process.communicate(timeout=PATIENCE)
        tokens.append(re.findall(r"lattice_[\w-]{40,}", shown + out))
        assert "lattice_" not in logged
        assert code not in logged
    assert [len(found) for found in tokens] == [1, 0]

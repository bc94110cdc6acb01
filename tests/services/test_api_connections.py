"""Over real connections: who goes away is noticed, who dawdles is hung up on, and the product starts closed."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx2
import pytest
from lattice_api.limits import Patience, RequestLimits
from lattice_common.http_connection import FREE_PIECES, MOST_PIPELINED, PunctualProtocol, server_config
from lattice_common.lattice import Lattice

from tests.services.door import Door, opened
from tests.serving import listening
from tests.working import until

SOON = 2.0
"""Seconds within which a client that went away is noticed (row 85)."""

PATIENCE = 20.0


class Hurried(PunctualProtocol):
    """Waits for a header for a moment only."""

    header_seconds = 0.05


class Done(PunctualProtocol):
    """Listens for a moment only after its answer."""

    rest_seconds = 0.05


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Door, int]]:
    """A door that nobody works behind, and its port: captures stay waiting."""
    with serving(tmp_path, PunctualProtocol) as made:
        yield made


@pytest.fixture
def hurried(tmp_path: Path) -> Iterator[tuple[Door, int]]:
    """The same, waiting for no header."""
    with serving(tmp_path, Hurried) as made:
        yield made


@contextmanager
def serving(root: Path, protocol: type[PunctualProtocol]) -> Iterator[tuple[Door, int]]:
    with opened(root / "data", start=False) as door, listening(server_config(door.app, protocol)) as port:
        yield door, port


def test_wrong_tries_over_a_connection_are_counted_by_its_other_end_whatever_its_headers_say(served: tuple[Door, int]) -> None:
    """The server below the app believes the header from this machine, unless it is told not to."""
    with httpx2.Client(base_url=f"http://127.0.0.1:{served[1]}") as http:
        said = ({"x-forwarded-for": f"203.0.113.{number}"} for number in range(6))
        answers = [http.post("/api/login", json={"token": "wrong"}, headers=each).status_code for each in said]
    assert answers == [401] * 5 + [429]


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


def test_a_header_that_does_not_come_is_not_waited_for(hurried: tuple[Door, int]) -> None:
    _, port = hurried
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}") as other:
        for begun in (b"", b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "):
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as slow:
                slow.sendall(begun)
                assert other.get("/health").status_code == 200
                assert slow.recv(1) == b""


def test_a_second_request_on_a_connection_has_to_come_in_time_too(hurried: tuple[Door, int]) -> None:
    with socket.create_connection(("127.0.0.1", hurried[1]), PATIENCE) as slow:
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
    assert httpx2.get(f"http://127.0.0.1:{served[1]}/health", timeout=PATIENCE).status_code == 200


def test_a_file_that_claims_too_much_is_refused_though_nothing_of_it_comes(served: tuple[Door, int]) -> None:
    """Row 23: who only announces a body is not listened to for ever."""
    door, port = served
    door.app.state.limits = RequestLimits(patience=Patience(rest=0.05))
    head = (
        f"POST /api/ingest-file HTTP/1.1\r\nHost: localhost\r\nAuthorization: {door.http.headers['authorization']}\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 99999999999\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as greedy:
        greedy.sendall(head.encode())
        assert greedy.recv(12) == b"HTTP/1.1 413"


CHUNKED = b"POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n%s\r\n"


def authorized(door: Door) -> bytes:
    return f"Authorization: {door.http.headers['authorization']}\r\n".encode()


def answer_to(port: int, request: bytes) -> bytes:
    """All that comes until the server hangs up; also where it does so while the request is still being sent."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as sending:
        answer = b""
        try:
            sending.sendall(request)
            while rest := sending.recv(65536):
                answer += rest
        except (ConnectionResetError, BrokenPipeError):
            pass
        return answer


@pytest.mark.parametrize("path", [b"/api/login", b"/api/ingest", b"/nothing"])
def test_a_body_in_crumbs_is_cut_off_before_others_wait_for_it(served: tuple[Door, int], path: bytes) -> None:
    """A million chunks of one byte each took an interpreter's parser half a minute."""
    port = served[1]
    crumbs = b"1\r\n{\r\n" * (512 * FREE_PIECES)
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as stranger:
        stranger.sendall(CHUNKED % (path, b""))
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            stranger.sendall(crumbs)
    assert httpx2.get(f"http://127.0.0.1:{port}/health", timeout=PATIENCE).status_code == 200


def test_a_body_in_many_chunks_of_some_size_and_a_small_one_in_crumbs_are_taken(served: tuple[Door, int]) -> None:
    door, port = served
    close = authorized(door) + b"Connection: close\r\n"
    said = json.dumps({"text": "I live in Lisbon."}).encode()
    crumbs = b"".join(b"1\r\n%c\r\n" % each for each in said) + b"0\r\n\r\n"
    assert answer_to(port, CHUNKED % (b"/api/ingest", close) + crumbs).startswith(b"HTTP/1.1 202")
    padded = json.dumps({"text": "Rain. " * 80_000}).encode()
    pieces = [padded[at : at + 80] for at in range(0, len(padded), 80)]
    assert len(pieces) > FREE_PIECES
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
    assert answer_to(port, CHUNKED % (b"/api/ingest", close) + chunks).startswith(b"HTTP/1.1 202")


def test_a_body_that_goes_on_after_its_answer_is_not_listened_to_for_ever(tmp_path: Path) -> None:
    with serving(tmp_path, Done) as (_, port):
        answer = answer_to(port, CHUNKED % (b"/api/ingest", b"") + b"1\r\n{\r\n")
    assert answer.startswith(b"HTTP/1.1 401")


@pytest.mark.parametrize(
    "request_",
    [
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + b"X-Many: x\r\n" * 8000 + b"\r\n",
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"not http\r\n\r\n",
    ],
    ids=["two hosts", "many headers", "long address", "two lengths", "connect", "no http"],
)
def test_what_is_no_proper_request_is_refused_and_hung_up_on(served: tuple[Door, int], request_: bytes) -> None:
    answer = answer_to(served[1], request_)
    assert answer[:12] == b"HTTP/1.1 400"


def test_many_requests_at_once_on_one_connection_are_cut_off(served: tuple[Door, int]) -> None:
    one = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert answer_to(served[1], one * 8 + one.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")).count(b"HTTP/1.1 200") == 9
    assert answer_to(served[1], one * (MOST_PIPELINED + 2)).count(b"HTTP/1.1 200") < MOST_PIPELINED


def test_a_trailer_after_the_body_changes_nothing_of_what_was_looked_at(served: tuple[Door, int]) -> None:
    door, port = served
    said = b'1a\r\n{"text":"Rain on Monday."}\r\n0\r\nIdempotency-Key: \r\n\r\n'
    close = authorized(door) + b"Connection: close\r\n"
    assert answer_to(port, CHUNKED % (b"/api/ingest", close) + said).startswith(b"HTTP/1.1 202")


def test_a_client_that_offers_another_protocol_is_answered_in_this_one(served: tuple[Door, int]) -> None:
    offer = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    assert answer_to(served[1], offer).startswith(b"HTTP/1.1 200")


def test_no_token_opens_more_streams_of_stages_than_its_share(served: tuple[Door, int]) -> None:
    door, port = served
    door.app.state.limits = RequestLimits(streams_at_once=5, streams_of_one=3)
    kept = door.http.post("/api/ingest", json={"text": "I live in Lisbon."}).json()
    head = f"GET /api/captures/{kept['capture_id']}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "

    def asked(token: str) -> bytes:
        sending = open_ones.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
        sending.sendall(head.encode() + token.encode() + b"\r\n\r\n")
        return sending.recv(12)[-3:]

    phone = door.access.store.add_token("phone", ["read"])
    with ExitStack() as open_ones:
        assert [asked(door.token) for _ in range(4)] == [b"200"] * 3 + [b"429"]
        assert [asked(phone) for _ in range(3)] == [b"200"] * 2 + [b"429"]


MOST_THREADS = 200
"""Its pools are bounded (40 and 128), whoever comes."""


def opened_and_left(door: Door, port: int, count: int) -> None:
    """Streams of changes and of stages, each left in the middle: of every third nothing is read, the others end with a reset."""
    kept = door.http.post("/api/ingest", json={"text": "I live in Lisbon."}).json()
    paths = ("/api/changes", f"/api/captures/{kept['capture_id']}/events", "/api/changes?since=1.1")
    with ExitStack() as lingering:
        for number in range(count):
            head = f"GET {paths[number % 3]} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {door.token}\r\n\r\n"
            sending = socket.create_connection(("127.0.0.1", port), PATIENCE)
            sending.sendall(head.encode())
            if number % 3:
                sending.recv(12)
                sending.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                sending.close()
            else:
                lingering.enter_context(sending)
            if number % 60 == 59:
                lingering.close()


def private_bytes() -> int:
    rollup = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    return 1024 * sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_Dirty:"))


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


MANY = 10_000


@pytest.mark.parametrize("count", [300, pytest.param(MANY, marks=pytest.mark.slow)])
def test_streams_that_are_opened_and_left_leave_nothing_behind(served: tuple[Door, int], count: int) -> None:
    door, port = served
    opened_and_left(door, port, max(100, count // 5))  # what is made once, is made by then
    limits = door.app.state.limits
    until("the first streams to be left", lambda: limits.open_streams == 0)
    before, grown = descriptors(), []
    for _ in range(4):
        memory = private_bytes()
        opened_and_left(door, port, count // 4)
        until("all streams to be left", lambda: limits.open_streams == 0)
        until("their connections", lambda: descriptors() <= before + 5)
        grown.append(private_bytes() - memory)
    assert threading.active_count() <= MOST_THREADS
    if count == MANY:  # a few hundred are less than what a process of thousands of tests gives and takes by itself
        # What each stream leaves behind comes with every quarter of them; what the C library asks for at once does not.
        assert min(grown) < count // 4 * 1000, f"of {count // 4} streams a kilobyte each would be as much: {grown}"
    assert door.http.post("/api/ingest", json={"text": "I keep bees."}).status_code == 202


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

"""What is set about engines and doors goes out with their requests, or is where they listen."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar

import httpx2
import pytest
from lattice_api.app import Door, serve
from lattice_bot.product import token_of
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.composition.engines import server_engines
from lattice_common.errors import NotConfigured, Unavailable
from lattice_common.settings import Settings
from lattice_mcp.http_door import HttpDoor
from mcp_product import data, over_http, product

from tests.hanging_up import HangingUpServer
from tests.services.door import opened

PASSWORD = "p:a/ss@w0rd-of-ours"


def chosen(root: Path, **values: Any) -> Settings:
    return Settings(_env_file=None, data_dir=root, embed_model="none", **values)  # type: ignore[call-arg]


class Engine(BaseHTTPRequestHandler):
    """Says yes to everything, has nothing, and writes down what it was asked."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[list[tuple[str, str, dict[str, str], Any]]]

    def _answer(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.asked.append((self.command, self.path, headers, json.loads(content) if content else None))
        found: dict[str, Any] = {"acknowledged": True, "shards_acknowledged": True, "index": "made"}
        if "/collections" in self.path or "/aliases" in self.path.removeprefix("/_"):
            found = {"status": "ok", "time": 0, "result": True}
        if self.path.endswith("/exists"):
            found["result"] = {"exists": False}
        if self.path.endswith("/aliases") and self.command == "GET":
            found["result"] = {"aliases": []}
        if "/index" in self.path:
            found["result"] = {"operation_id": 0, "status": "completed"}
        reply = json.dumps(found).encode()
        self.send_response(404 if self.command == "HEAD" else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(0 if self.command == "HEAD" else len(reply)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = do_PATCH = _answer  # noqa: N815 - the names that the library looks for

    def log_message(self, *_: Any) -> None:
        """Nothing on stderr."""


@contextmanager
def engine(context: ssl.SSLContext | None = None) -> Iterator[tuple[str, type[Engine]]]:
    """Its address, and what it is asked."""
    handler = type("Asked", (Engine,), {"asked": []})
    server = HangingUpServer(handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        scheme, host = ("https", "localhost") if context else ("http", "127.0.0.1")
        yield f"{scheme}://{host}:{server.server_address[1]}", handler
    finally:
        server.shutdown()
        server.hang_up()
        server.server_close()
        thread.join()


def test_opensearch_is_asked_as_its_user_for_an_index_of_the_shape_that_is_set(tmp_path: Path) -> None:
    with engine() as (url, handler):
        settings = chosen(
            tmp_path,
            opensearch_url=url,
            opensearch_user="lattice",
            opensearch_password=PASSWORD,
            opensearch_shards=3,
            opensearch_replicas=2,
            index_name="mine",
        )
        engines = server_engines(settings, None, writes=True)
        assert list(engines.lexical.entries()) == []
        engines.close()
    made = next(asked for asked in handler.asked if asked[:2] == ("PUT", "/mine-000001"))
    assert made[2]["authorization"] == "Basic " + base64.b64encode(f"lattice:{PASSWORD}".encode()).decode()
    index = made[3]["settings"]["index"]
    assert (index["number_of_shards"], index["number_of_replicas"]) == (3, 2)


def test_certificates_of_opensearch_are_verified_with_the_file_that_is_set(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    subprocess.run([*made.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with engine(context) as (url, _):
        for ca, believed in ((certificate, True), (None, False)):
            engines = server_engines(chosen(tmp_path, opensearch_url=url, opensearch_ca=ca), None, writes=False)
            with contextlib.nullcontext() if believed else pytest.raises(Unavailable, match=r"(?i)certificate"):
                engines.pings["lexical"]()
            engines.close()


def test_qdrant_is_asked_with_its_key_for_a_collection_of_the_shape_that_is_set(tmp_path: Path) -> None:
    with engine() as (url, handler):
        settings = chosen(
            tmp_path, qdrant_url=url, qdrant_api_key=PASSWORD, qdrant_shards=4, qdrant_replicas=2, index_name="mine"
        )
        engines = server_engines(settings, HashedEmbedder(), writes=True)
        assert engines.dense is not None
        engines.dense.clear()
        engines.close()
    made = next(asked for asked in handler.asked if asked[0] == "PUT" and asked[1].rpartition("/")[2].startswith("mine-"))
    assert (made[3]["shard_number"], made[3]["replication_factor"]) == (4, 2)
    assert made[2]["api-key"] == PASSWORD


def test_the_user_and_password_of_redis_go_into_its_address(tmp_path: Path) -> None:
    known = chosen(tmp_path, redis_url="rediss://redis:6380/2", redis_user="lattice", redis_password=PASSWORD)
    assert known.redis_address() == "rediss://lattice:p%3Aa%2Fss%40w0rd-of-ours@redis:6380/2"
    assert chosen(tmp_path, redis_password="x").redis_address() == "redis://:x@127.0.0.1:6379/0"


def free_port(host: str) -> int:
    with socket.socket() as free:
        free.bind((host, 0))
        return int(free.getsockname()[1])


@pytest.mark.slow
@pytest.mark.parametrize(("level", "lines"), [("info", True), ("error", False)])
def test_the_graph_service_listens_where_it_is_set_and_says_as_much_as_is_set(tmp_path: Path, level: str, lines: bool) -> None:
    host, port = "127.0.0.2", free_port("127.0.0.2")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("LATTICE_")},
        "LATTICE_DIR": str(tmp_path),
        "LATTICE_GRAPH_HOST": host,
        "LATTICE_GRAPH_PORT": str(port),
        "LATTICE_LOG_LEVEL": level,
        "LATTICE_LOG_JSON": "true",
    }
    command = [sys.executable, "-m", "lattice_graph"]
    with subprocess.Popen(
        command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as service:
        try:
            with httpx2.Client(transport=httpx2.HTTPTransport(retries=8), trust_env=False) as http:
                assert http.get(f"http://{host}:{port}/health").status_code == 200
        finally:
            service.terminate()
            out, err = service.communicate(timeout=20)
    said = [json.loads(line) for line in (out + err).splitlines() if line.startswith("{")]
    assert any(line["event"] == "graph_serves" for line in said) == lines


def test_a_name_that_is_allowed_reaches_the_api_and_another_does_not(tmp_path: Path) -> None:
    with opened(tmp_path, allowed_hosts="memory.example, other.example") as door:
        for name, status in (("memory.example", 200), ("other.example:443", 200), ("evil.example", 400)):
            assert door.http.get("/api/status", headers={"host": name}).status_code == status


class Stopped(Exception):
    """It has listened long enough."""


def test_tokens_lie_in_their_folder_and_links_lead_to_the_address_that_is_set(tmp_path: Path) -> None:
    settings = chosen(
        tmp_path / "data", access_dir=tmp_path / "access", public_url="https://memory.example/", port=0, llm_provider="none"
    )
    seen: list[Door] = []

    def ready(door: Door) -> None:
        seen.append(door)
        raise Stopped

    with pytest.raises(Stopped):
        serve(settings, on_ready=ready, on_progress=lambda *_: None)
    assert seen[0].url == "https://memory.example"
    assert seen[0].login_url.startswith("https://memory.example/login?code=")
    assert not (tmp_path / "data" / "cli-token").exists()
    assert token_of(settings) == (tmp_path / "access" / "cli-token").read_text(encoding="ascii").strip()


@pytest.mark.anyio
async def test_mcp_listens_where_it_is_set_and_its_results_lead_to_the_page_that_is_set(tmp_path: Path) -> None:
    with pytest.raises(NotConfigured) as refused:
        HttpDoor(chosen(tmp_path, mcp_host="192.0.2.1", mcp_port=0))
    assert refused.value.env_line == "LATTICE_MCP_HOST=127.0.0.1"
    with product(tmp_path) as lattice:
        lattice.door.tell("I live in Berlin.")
        settings = chosen(tmp_path, mcp_host="127.0.0.2", mcp_port=0, public_url="https://memory.example/")
        door = HttpDoor(settings, base_url=lattice.url)
        thread = threading.Thread(target=door.run)
        thread.start()
        try:
            async with over_http(f"http://127.0.0.2:{door.port}/mcp", lattice.token) as assistant:
                (hit,) = data(await assistant.call_tool("search", {"query": "Berlin"}))["results"]
        finally:
            door.stop()
            thread.join(20)
    assert hit["url"].startswith("https://memory.example/?atom=")

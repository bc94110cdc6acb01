"""The way out of a deployment: to the language model that the settings name, and to nothing else (S18)."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from lattice_common.adapters.files.token_ledger import TokenLedger
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.models.background_loop import BackgroundLoop
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.adapters.models.listed_models import models_at
from lattice_common.adapters.models.open_language_model import open_language_model
from lattice_common.adapters.models.openai_model import OpenAIModel
from lattice_common.errors import ModelUnavailable
from lattice_common.model_gate import HEAD_BYTES, Gate, Where, allowed_by
from lattice_common.ports.language_model import Completion, Message, ModelRequest
from lattice_common.settings import Settings

from tests.services.model_behaviours import answer, endless
from tests.services.model_server import ModelServer, model_server
from tests.working import until

HERE = "0.0.0.0"
ASKED = ModelRequest("synthesize", [Message("user", "Where do I live?")], max_tokens=50, timeout=20)


@contextmanager
def gate(allowed: Where | None) -> Iterator[int]:
    """Its port, while the block lasts."""
    loop, begun, port = asyncio.new_event_loop(), threading.Event(), 0

    async def serve() -> None:
        nonlocal port
        server = await asyncio.start_server(Gate(allowed).serve, "127.0.0.1", 0, limit=HEAD_BYTES)
        port = server.sockets[0].getsockname()[1]
        begun.set()
        await ended.wait()
        server.close()

    ended = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()))
    thread.start()
    try:
        assert begun.wait(20)
        yield port
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join(20)
        loop.close()


@contextmanager
def model_through(root: Path, server: ModelServer, port: int) -> Iterator[OpenAIModel]:
    with closing(BackgroundLoop()) as loop:
        endpoint = Endpoint(f"http://{HERE}:{server.port}/v1", "openai", "key", gate=f"http://127.0.0.1:{port}")
        ledger = TokenLedger(root, FixedClock(), daily_limit=0)
        yield OpenAIModel(endpoint, "tiny", loop, ledger, context_tokens=8192, first_wait=0.01)


def said(port: int, sent: bytes) -> bytes:
    """All that the gate answers."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(sent)
        return b"".join(iter(lambda: connection.recv(4096), b""))


def test_the_model_answers_through_it_and_is_told_the_request_alone(tmp_path: Path) -> None:
    with model_server(answer("In Lisbon.")) as server, gate((HERE, server.port)) as port:
        with model_through(tmp_path, server, port) as model:
            assert [model.complete(ASKED).text for _ in range(3)] == ["In Lisbon."] * 3
            last = list(model.stream(ASKED, threading.Event()))[-1]
            assert isinstance(last, Completion)
            assert last.text == "In Lisbon."
        assert {each.path for each in server.received} == {"/v1/chat/completions"}
        assert not [name for each in server.received for name in each.headers if name.lower().startswith("proxy")]


def test_which_models_there_are_is_asked_through_it() -> None:
    with model_server(answer("In Lisbon.")) as server, gate((HERE, server.port)) as port:
        for provider in ("openai", "ollama"):
            through = Endpoint(f"http://{HERE}:{server.port}/v1", provider, gate=f"http://127.0.0.1:{port}")
            assert models_at(through, seconds=20) == ["scripted:latest"]
            elsewhere = Endpoint(f"http://{HERE}:{server.port + 1}/v1", provider, gate=f"http://127.0.0.1:{port}")
            assert models_at(elsewhere, seconds=20) is None
        assert len(server.received) == 2


def test_a_reader_who_leaves_ends_the_call(tmp_path: Path) -> None:
    with model_server(endless()) as server, gate((HERE, server.port)) as port, model_through(tmp_path, server, port) as model:
        gone = threading.Event()

        def leave() -> None:
            until("the model to be asked", lambda: bool(server.completions))
            gone.set()

        threading.Thread(target=leave).start()
        list(model.stream(replace(ASKED, max_tokens=7000, timeout=60), gone))
        assert server.left.wait(20)


@pytest.mark.parametrize(
    "asked",
    [
        "CONNECT 1.1.1.1:443 HTTP/1.1", "CONNECT 169.254.169.254:80 HTTP/1.1", "CONNECT model.example:22 HTTP/1.1",
        "CONNECT other.example:11434 HTTP/1.1", "CONNECT model.example HTTP/1.1",
        "CONNECT model.example:11434@evil.example:80 HTTP/1.1", "GET http://model.example/ HTTP/1.1",
        "GET http://1.1.1.1/ HTTP/1.1", "GET http://169.254.169.254/latest/meta-data HTTP/1.1",
        "GET http://model.example:11434@evil.example/ HTTP/1.1", "GET https://model.example:11434/ HTTP/1.1",
        "GET ftp://model.example:11434/ HTTP/1.1", "GET / HTTP/1.1", "GET //model.example:11434/ HTTP/1.1", "CONNECT", "", "GET",
        "GET http://model.example:99999999/ HTTP/1.1", "GET http://[::1/ HTTP/1.1",
    ],
)  # fmt: skip
def test_nothing_else_is_reached(asked: str) -> None:
    with gate(("model.example", 11434)) as port:
        assert b" 403 " in said(port, f"{asked}\r\nHost: model.example:11434\r\n\r\n".encode()).split(b"\r\n")[0] + b" "


def test_where_no_model_is_named_it_leads_nowhere_and_is_well() -> None:
    with gate(None) as port:
        assert b" 403 " in said(port, b"CONNECT api.openai.com:443 HTTP/1.1\r\n\r\n")
        assert b" 200 " in said(port, b"GET /health HTTP/1.1\r\n\r\n")


def test_a_head_that_is_too_long_is_not_waited_for() -> None:
    with gate(("model.example", 11434)) as port:
        try:
            answered = said(port, b"GET /health HTTP/1.1\r\n" + b"x" * (HEAD_BYTES + 1))
        except ConnectionError:
            answered = b""
        assert answered == b""


@pytest.mark.parametrize(
    ("provider", "url", "leads_to"),
    [
        ("auto", "", None), ("none", "http://model.example/v1", None), ("", "", None), ("ollama", "", None),
        ("openai", "", ("api.openai.com", 443)), ("auto", "https://model.example/v1", ("model.example", 443)),
        ("openai", "http://192.168.1.5:8080/v1", ("192.168.1.5", 8080)), ("auto", "http://[fd00::5]:1/v1", ("fd00::5", 1)),
        ("ollama", "http://host.docker.internal:11434", ("host.docker.internal", 11434)), ("auto", "no address", None),
        ("auto", "http://model.example:none/v1", None), ("auto", "http://[::1/v1", None),
    ],
)  # fmt: skip
def test_it_leads_where_the_settings_say(provider: str, url: str, leads_to: Where | None) -> None:
    assert allowed_by({"LLM_PROVIDER": provider, "LLM_BASE_URL": url}) == leads_to


def test_a_gate_that_leads_elsewhere_or_is_away_is_said(tmp_path: Path) -> None:
    elsewhere = gate(("model.example", 11434))
    with model_server(answer("In Lisbon.")) as server:
        with elsewhere as port, model_through(tmp_path, server, port) as model, pytest.raises(ModelUnavailable, match="403"):
            model.complete(ASKED)
        away = f"127.0.0.1:{port}, which leads to"
        with model_through(tmp_path, server, port) as model, pytest.raises(ModelUnavailable, match=away):
            model.complete(ASKED)
        assert server.received == []


def test_the_setting_says_which_gate_and_this_very_machine_needs_none(tmp_path: Path) -> None:
    with model_server(answer("In Lisbon.")) as server, gate((HERE, server.port)) as port:
        for host, led in ((HERE, port), ("127.0.0.1", 1)):
            settings = Settings(
                data_dir=tmp_path, llm_provider="openai", llm_base_url=f"http://{host}:{server.port}/v1", llm_model="tiny",
                llm_gate=f"http://127.0.0.1:{led}", pii_scrub=False,
            )  # fmt: skip
            models = open_language_model(settings, FixedClock())
            try:
                assert models.synthesis is not None
                assert models.synthesis.complete(ASKED).text == "In Lisbon."
            finally:
                models.close()

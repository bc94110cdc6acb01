"""`lattice mcp --http`, the container's command, and `lattice mcp-config`: what it prints is what works."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import socket
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from cli_product import Shell, running
from lattice_cli.target import find_target
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_product import data, over_http, product

WITHIN = 30.0
"""Seconds; it takes two on an idle machine."""

pytestmark = pytest.mark.anyio


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


@contextmanager
def serving_http(command: list[str], folder: Path, **environment: str) -> Iterator[str]:
    """The address of MCP over HTTP, served by a command."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LATTICE_")}
    with subprocess.Popen(command, env={**clean, **environment, "LATTICE_MCP_PORT": str(port)}, cwd=folder) as process:
        try:
            deadline = time.monotonic() + WITHIN
            while True:
                try:
                    assert httpx2.get(f"http://127.0.0.1:{port}/health", trust_env=False).json() == {"status": "alive"}
                    break
                except httpx2.TransportError:
                    assert time.monotonic() < deadline, "it does not listen"
                    assert process.poll() is None, "it ended"
                    time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            process.wait(WITHIN)


@pytest.mark.slow
@pytest.mark.parametrize("command", [["lattice_mcp"], ["lattice_cli.app", "mcp", "--http"]])
async def test_over_http_it_is_served_as_in_its_container_and_by_hand(tmp_path: Path, command: list[str]) -> None:
    with product(tmp_path) as lattice:
        environment = {
            "LATTICE_DIR": str(tmp_path / "data"),
            "LATTICE_API_URL": lattice.url,
            "LATTICE_WEB_PORT": lattice.url.rpartition(":")[2],
            "LATTICE_MCP_TOKEN": "",
        }
        with serving_http([sys.executable, "-m", *command], tmp_path, **environment) as address:
            assert httpx2.post(address, json={}, trust_env=False).status_code == 401
            async with over_http(address, lattice.token_for("read", "capture")) as assistant:
                assert data(await assistant.call_tool("remember", {"text": "I live in Berlin."}))["state"] == "stored"


@pytest.mark.slow
async def test_beside_the_product_it_starts_and_ends_with_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lattice_cli.app", "up", "--no-browser", "--port", "0"]
    environment = {"LATTICE_DIR": str(tmp_path / "data"), "LATTICE_EMBED_MODEL": "none", "LATTICE_MCP_HTTP": "true"}
    with serving_http(command, tmp_path, **environment, LLM_PROVIDER="none") as address:
        token = (tmp_path / "data" / "cli-token").read_text().strip()
        async with over_http(address, token) as assistant:
            assert data(await assistant.call_tool("remember", {"text": "I live in Berlin."}))["state"] == "stored"
    with pytest.raises(httpx2.TransportError):
        httpx2.get(address, trust_env=False)


@pytest.mark.slow
def test_started_by_hand_it_says_what_it_waits_for_and_ctrl_c_ends_it(shell: Shell) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "lattice_cli.app", "mcp"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE) as started:
        try:
            assert started.stderr is not None
            assert "waits for an assistant" in started.stderr.readline().decode()
            started.send_signal(signal.SIGINT)
            assert started.wait(WITHIN) == -signal.SIGINT
        finally:
            started.kill()
            os.close(ours)
            os.close(theirs)


def test_a_port_that_is_taken_is_said_with_another_one(shell: Shell) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        shell.set("LATTICE_MCP_PORT", str(port))
        told = shell.lattice("mcp", "--http")
    assert told.code == 1
    assert f"Port {port} of 127.0.0.1 is taken. Use another one: LATTICE_MCP_PORT={port + 1}" in told.err


def test_a_program_that_starts_it_is_told_the_whole_command_and_the_folder(shell: Shell) -> None:
    entry = {
        "command": str(Path(sys.executable).with_name("lattice")),
        "args": ["mcp"],
        "env": {"LATTICE_DIR": str(shell.data_dir), "LATTICE_WEB_PORT": "1"},
    }
    assert json.loads(shell.lattice("mcp-config", "claude-desktop").out) == {"mcpServers": {"lattice": entry}}
    assert json.loads(shell.lattice("mcp-config", "cursor").out) == {"mcpServers": {"lattice": {"type": "stdio", **entry}}}
    assert json.loads(shell.lattice("mcp-config", "vscode").out) == {"servers": {"lattice": {"type": "stdio", **entry}}}
    assert tomllib.loads(shell.lattice("mcp-config", "codex").out) == {"mcp_servers": {"lattice": entry}}
    line = shlex.split(shell.lattice("mcp-config", "claude-code").out)
    given = [word for name, value in entry["env"].items() for word in ("--env", f"{name}={value}")]
    command = ["lattice", "--", entry["command"], "mcp"]
    assert line == ["claude", "mcp", "add", *given, "--scope", "user", *command]
    assert shell.lattice("mcp-config", "unheard-of").code == 2


@pytest.mark.slow
async def test_what_is_pasted_works(shell: Shell, tmp_path: Path) -> None:
    with product(tmp_path) as lattice:
        shell.set("LATTICE_WEB_PORT", lattice.url.rpartition(":")[2])
        entry = json.loads(shell.lattice("mcp-config", "claude-desktop").out)["mcpServers"]["lattice"]
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        started = StdioServerParameters(command=entry["command"], args=entry["args"], env=entry["env"], cwd=elsewhere)
        async with Client(stdio_client(started)) as assistant:
            assert data(await assistant.call_tool("lattice_status", {}))["atoms"] == 0


def test_programs_over_http_get_a_token_of_their_own_once(shell: Shell) -> None:
    with running(shell):
        first = shell.lattice("mcp-config", "open-webui")
        assert "URL:    http://localhost:7339/mcp" in first.out
        token = first.out.split()[-1]
        assert token.startswith("lattice_")
        again = shell.lattice("mcp-config", "open-webui")
        assert (again.code, token in again.out) == (1, False)
        assert "--new-token" in again.err
        other = shell.lattice("mcp-config", "open-webui", "--new-token").out.split()[-1]
        assert other != token
        assert shell.lattice("token", "list").out.count("open-webui") == 1
    shell.set("LATTICE_MCP_TOKEN", "k3y-of-this-door-only")
    assert "Bearer k3y-of-this-door-only" in shell.lattice("mcp-config", "chatgpt").out


def test_without_a_server_a_placeholder_is_shown_and_said(shell: Shell) -> None:
    told = shell.lattice("mcp-config", "chatgpt")
    assert (told.code, "Bearer YOUR-TOKEN" in told.out) == (0, True)
    assert "no token can be made" in told.err


def test_a_lattice_elsewhere_is_named_by_its_whole_address(shell: Shell) -> None:
    shell.set("LATTICE_API_URL", "https://memory.example")
    told = json.loads(shell.lattice("mcp-config", "cursor").out)["mcpServers"]["lattice"]["env"]
    assert told == {"LATTICE_DIR": str(shell.data_dir), "LATTICE_API_URL": "https://memory.example"}


def test_what_is_not_the_default_place_goes_along(shell: Shell, tmp_path: Path) -> None:
    shell.set("LATTICE_INBOX", str(tmp_path / "drop"))
    shell.set("LATTICE_HOST", "192.168.7.9")
    shell.set("LATTICE_API_TOKEN", "k3y-of-the-api-itself")
    told = json.loads(shell.lattice("mcp-config", "cursor").out)["mcpServers"]["lattice"]["env"]
    assert told == {
        "LATTICE_DIR": str(shell.data_dir),
        "LATTICE_INBOX": str(tmp_path / "drop"),
        "LATTICE_HOST": "192.168.7.9",
        "LATTICE_WEB_PORT": "1",
        "LATTICE_API_TOKEN": "k3y-of-the-api-itself",
    }


def test_a_folder_that_is_none_holds_no_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.chdir(tmp_path)
    assert find_target({"LATTICE_DIR": str(tmp_path / "file")}).token() is None

"""The protocol's own tools before the real server: the inspector's command line over both transports, and the conformance suite.

They come from npm, at the versions that tests/data/mcp_tools/package.json names; `.ci/run` installs them where npm is. By hand:

    mkdir -p build/mcp-tools && cp tests/data/mcp_tools/package.json build/mcp-tools/
    npm install --prefix build/mcp-tools --no-package-lock
    LATTICE_TEST_MCP_TOOLS=build/mcp-tools pytest -m slow tests/services/test_mcp_official.py

Of the suite's scenarios these are the ones for any server; the others call tools that only its own example server has.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import FastAPI
from lattice_common.origins import Origins
from lattice_mcp.http_door import create_app
from mcp_product import Product, memory_of, product
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.serving import serving

pytestmark = pytest.mark.slow

SCENARIOS = [
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
]
SECONDS = 90


@pytest.fixture(scope="module")
def tools() -> Path:
    """The folder of the programs."""
    named = os.environ.get("LATTICE_TEST_MCP_TOOLS")
    if not named:
        pytest.skip(f"The official inspector and conformance suite are not installed: the top of {Path(__file__).name} says how")
    return Path(named).resolve() / "node_modules"


@pytest.fixture
def lattice(tmp_path: Path) -> Iterator[Product]:
    with product(tmp_path) as running:
        running.door.tell("I live in Berlin.")
        yield running


@pytest.fixture
def address(lattice: Product, tmp_path: Path) -> Iterator[str]:
    """MCP over HTTP, with the token put in for programs that can send none."""
    memory = memory_of(lattice.url, tmp_path, None)
    app = create_app(memory, page="http://localhost:7337", origins=Origins(), own_token=None, max_body=1_000_000)
    with serving(cast(FastAPI, _signed(app, lattice.token))) as url:
        yield f"{url}/mcp"
    memory.close()


def _signed(app: ASGIApp, token: str) -> ASGIApp:
    async def signed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], (b"authorization", f"Bearer {token}".encode())]}
        await app(scope, receive, send)

    return signed


def _run(tools: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": f"{tools / '.bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(cwd), "NO_COLOR": "1"}
    return subprocess.run(arguments, capture_output=True, text=True, timeout=SECONDS, cwd=cwd, env=environment, check=False)


def _inspected(tools: Path, cwd: Path, target: list[str], *asked: str) -> dict[str, Any]:
    ran = _run(tools, str(tools / ".bin" / "mcp-inspector"), "--cli", *target, *asked, cwd=cwd)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_conformance_suite_passes(tools: Path, address: str, tmp_path: Path, scenario: str) -> None:
    ran = _run(tools, str(tools / ".bin" / "conformance"), "server", "--url", address, "--scenario", scenario, cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " 0 failed, 0 warnings" in ran.stdout


def _over(transport: str, lattice: Product, address: str, tmp_path: Path) -> list[str]:
    if transport == "http":
        return [address, "--transport", "http"]
    place = ["-e", f"LATTICE_DIR={tmp_path / 'data'}", "-e", f"LATTICE_WEB_PORT={lattice.url.rpartition(':')[2]}"]
    return [str(Path(sys.executable).with_name("lattice")), "mcp", *place]


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_inspector_lists_calls_and_reads(tools: Path, lattice: Product, address: str, tmp_path: Path, transport: str) -> None:
    target = _over(transport, lattice, address, tmp_path)
    listed = _inspected(tools, tmp_path, target, "--method", "tools/list", "--strict")
    assert {"remember", "recall", "search", "fetch"} <= {tool["name"] for tool in listed["tools"]}
    called = _inspected(tools, tmp_path, target, "--method", "tools/call", "--tool-name", "recall", "--tool-arg", "query=my home")
    assert called["structuredContent"]["memories"][0]["content"] == "I live in Berlin."
    read = _inspected(tools, tmp_path, target, "--method", "resources/read", "--uri", "profile://me")
    assert "I live in Berlin." in read["contents"][0]["text"]
    prompts = _inspected(tools, tmp_path, target, "--method", "prompts/list")
    assert len(prompts["prompts"]) == 4

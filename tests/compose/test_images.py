"""What is in the images: what a service imports, the embedding model where it is used, and little else."""

from __future__ import annotations

import json
import secrets
import subprocess
import time
from collections.abc import Iterator

import pytest
from lattice_common.client import LatticeClient

from tests.compose.deployment import ROOT, TOKEN, free_port, wait_until
from tests.services.mcp_product import over_http

pytestmark = [pytest.mark.compose, pytest.mark.anyio]

HEAVY = ("numpy", "onnxruntime", "tantivy", "qdrant_edge", "pypdf", "lxml", "celery", "opensearchpy", "openai", "fastapi")
SCRATCH = ("--read-only", "--tmpfs", "/tmp")  # noqa: S108 - inside the container
LARGEST_MB = {"api": 560, "worker": 710, "graph": 88, "bot": 53, "mcp": 59}
"""Beyond the image of Python: a tenth more than there was when this was written."""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def docker(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["docker", *arguments], cwd=ROOT, capture_output=True, text=True, check=check, timeout=1200)


def bytes_of(image: str) -> int:
    return int(docker("image", "inspect", "-f", "{{.Size}}", image).stdout)


@pytest.mark.parametrize("service", LARGEST_MB)
def test_an_image_is_no_larger_than_it_must_be(images: bool, service: str) -> None:
    own = bytes_of(f"lattice-{service}:0.1.0") - bytes_of("python:3.13-slim")
    assert own < LARGEST_MB[service] * 1_000_000


@pytest.mark.parametrize(("service", "has"), [("bot", set()), ("mcp", set()), ("graph", {"numpy", "fastapi"})])
def test_a_small_service_has_nothing_of_what_remembers(images: bool, service: str, has: set[str]) -> None:
    script = f"import importlib.util as u, json; print(json.dumps([n for n in {HEAVY!r} if u.find_spec(n)]))"
    found = docker("run", "--rm", "--network", "none", f"lattice-{service}:0.1.0", "python", "-c", script).stdout
    assert set(json.loads(found)) == has


@pytest.mark.parametrize("service", ["api", "worker"])
def test_the_embedding_model_is_inside(images: bool, service: str) -> None:
    """Ready to be used: on no network, with nothing to write to, and without the weights that it was converted from."""
    script = (
        "from lattice_common.composition import load_model; from lattice_common.settings import Settings; "
        "print(len(load_model(Settings()).embedder.embed(['a key'])[0]))"
    )
    shut_in = ("--network", "none", *SCRATCH)
    done = docker("run", "--rm", *shut_in, f"lattice-{service}:0.1.0", "python", "-c", script)
    assert done.stdout.split()[-1] == "384"
    weights = "find / -xdev -name '*.safetensors' 2>/dev/null | wc -l"
    assert docker("run", "--rm", *shut_in, f"lattice-{service}:0.1.0", "sh", "-c", weights).stdout.strip() == "0"


@pytest.fixture(scope="module")
def solo(solo_image: str) -> Iterator[tuple[int, int]]:
    """The embedded product in one container, with MCP; the ports of both."""
    name, page, mcp = f"lattice-solo-{secrets.token_hex(4)}", free_port(), free_port()
    docker(
        "run", "-d", "--name", name, "--init", *SCRATCH, "--cap-drop", "ALL",
        "-p", f"127.0.0.1:{page}:7337", "-p", f"127.0.0.1:{mcp}:7339",
        "-e", f"LATTICE_API_TOKEN={TOKEN}", "-e", "LATTICE_MCP_HTTP=true", "-e", "LLM_PROVIDER=none", solo_image,
    )  # fmt: skip
    try:
        wait_until("the container to be healthy", lambda: health_of(name) == "healthy")
        yield page, mcp
        began = time.monotonic()
        docker("stop", name)
        assert time.monotonic() - began < 9, "it was killed"
        assert "Stopped. All that was kept is on disk." in docker("logs", name).stdout
    finally:
        docker("rm", "-f", "-v", name, check=False)


@pytest.mark.parametrize("image", ["lattice-worker:0.1.0", "lattice-solo:0.1.0"])
def test_a_data_folder_of_somebody_else_is_told_in_a_sentence(solo_image: str, image: str) -> None:
    done = docker("run", "--rm", "--network", "none", "--tmpfs", "/data:uid=4444,mode=700", image, check=False)
    assert done.returncode != 0
    assert "check who owns the data folder" in done.stderr
    assert "Traceback" not in done.stderr


def health_of(container: str) -> str:
    return docker("inspect", "-f", "{{.State.Health.Status}}", container).stdout.strip()


async def test_one_container_is_the_embedded_product_with_the_doors_it_was_asked_for(solo: tuple[int, int]) -> None:
    page, mcp = solo
    with LatticeClient(f"http://127.0.0.1:{page}", TOKEN) as client:
        assert client.ingest({"text": "The fuse box is in the hall.", "wait": True})["state"] == "stored"
        assert client.status()["engines"]["lexical"] == "tantivy"
    async with over_http(f"http://127.0.0.1:{mcp}/mcp", TOKEN) as assistant:
        said = await assistant.call_tool("recall", {"query": "Where is the fuse box?"})
        assert "in the hall" in str(said.content)


@pytest.mark.parametrize("which", [0, 1])
def test_both_of_its_doors_ask_who_comes(solo: tuple[int, int], which: int) -> None:
    url = f"http://127.0.0.1:{solo[which]}" + ("/api/status" if which == 0 else "/mcp")
    answer = subprocess.run(
        ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", url], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "401"


def test_one_container_refuses_to_be_open_to_a_network(solo_image: str) -> None:
    done = docker("run", "--rm", "-e", "LATTICE_AUTH=false", solo_image, check=False)
    assert done.returncode != 0
    assert "LATTICE_AUTH=true" in done.stderr

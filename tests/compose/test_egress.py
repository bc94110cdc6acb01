"""Nothing leaves a deployment that was not asked to: no engine, no service, not at its start and not in a whole life."""

from __future__ import annotations

import io
import secrets
import subprocess
from collections.abc import Iterator

import pytest
from lattice_common.client import LatticeClient

from tests.compose.deployment import TOKEN, Deployment, free_port, wait_until
from tests.compose.watching import Watched, networks_of, watching
from tests.working import KEPT

pytestmark = pytest.mark.compose

ELSEWHERE = "198.51.100.1"
"""An address that is nobody's (RFC 5737)."""


@pytest.fixture(scope="module")
def watched() -> Iterator[Watched]:
    with watching() as found:
        yield found


def a_life(client: LatticeClient) -> None:
    """Tell, hand over a file, ask, look, change, take away."""
    client.ingest({"text": "My passport is in the blue box.", "wait": True})
    page = b"<title>Page</title><p>See <a href='http://198.51.100.1/x'>this</a>.<img src='http://198.51.100.1/y.png'></p>"
    told = client.ingest_file("page.html", io.BytesIO(page), {})
    assert client.wait_for(told["capture_id"], 60)["state"] in KEPT
    assert client.select("Where is my passport?", limit=3)["atoms"]
    assert client.answer("Where is my passport?")["answer"]
    assert list(client.export())
    client.status()


def test_a_deployment_reaches_nothing_outside(deployment: Deployment, watched: Watched) -> None:
    """From its start on, with nothing set: no language model is looked for but on the very machine."""
    deployment.environment["LLM_PROVIDER"] = "auto"
    try:
        deployment.compose("stop")
        deployment.up()
        deployment.wait_ready()
        with deployment.client() as client:
            a_life(client)
        deployment.runs("worker", "lattice", "doctor")
        assert watched.leaving(networks_of(deployment.project)) == []
    finally:
        del deployment.environment["LLM_PROVIDER"]
        deployment.up()
        deployment.wait_ready()


def test_the_watch_would_see_it(deployment: Deployment, watched: Watched) -> None:
    """Else the test above could not fail: the API and the worker may ask a language model that somebody names."""
    for service in ("api", "worker"):
        deployment.runs(service, "python", "-c", f"import socket; socket.create_connection(('{ELSEWHERE}', 443), timeout=1)")
    networks = networks_of(deployment.project)
    wait_until("both to be seen", lambda: len([each for each in watched.leaving(networks) if ELSEWHERE in each]) == 2, 15)


@pytest.mark.parametrize("service", ["api", "worker"])
def test_the_api_and_the_worker_connect_to_nobody_elsewhere(deployment: Deployment, service: str) -> None:
    """S18: their networks are not translated: no answer finds its way back."""
    for address in ("1.1.1.1", "169.254.169.254"):
        probe = f"import socket; socket.create_connection(('{address}', 80), timeout=2)"
        assert deployment.runs(service, "python", "-c", probe).returncode != 0


def test_the_gate_leads_to_no_one_that_is_not_the_language_model(deployment: Deployment) -> None:
    ask = "import urllib.request as r; o = r.build_opener(r.ProxyHandler({'http': 'http://gate:7340'}))"
    assert "403" in deployment.runs("worker", "python", "-c", f"{ask}; o.open('http://{ELSEWHERE}/', timeout=5)").stderr


@pytest.mark.parametrize(("service", "last"), [("graph", 11), ("redis", 12), ("opensearch", 13), ("qdrant", 14)])
def test_engines_and_the_graph_have_no_way_out(deployment: Deployment, watched: Watched, service: str, last: int) -> None:
    """What they send to the world does not leave the host; what the gate sends, which has a way out, does."""
    knock = "timeout 2 bash -c ': > /dev/tcp/{}/80'"
    deployment.runs("gate", "sh", "-c", knock.format("198.51.100.10"))
    wait_until("the gate's to leave", lambda: watched.reached_the_wire("198.51.100.10"), 15)
    address = f"198.51.100.{last}"
    assert deployment.runs(service, "sh", "-c", knock.format(address)).returncode != 0
    assert not watched.reached_the_wire(address)


def test_the_embedded_product_reaches_nothing_outside(solo_image: str, watched: Watched) -> None:
    """In a container of its own, where every packet is seen from the first on."""
    name, port = f"lattice-solo-{secrets.token_hex(4)}", free_port()
    started = ["run", "-d", "--name", name, "--init", "-p", f"127.0.0.1:{port}:7337", "-e", f"LATTICE_API_TOKEN={TOKEN}"]
    docker(*started, solo_image)
    try:
        wait_until("it to be healthy", lambda: docker("inspect", "-f", "{{.State.Health.Status}}", name) == "healthy")
        address, gateway = docker(
            "inspect", "-f", "{{range .NetworkSettings.Networks}}{{.IPAddress}} {{.Gateway}}{{end}}", name
        ).split()
        with LatticeClient(f"http://127.0.0.1:{port}", TOKEN) as client:
            a_life(client)
        assert [each for each in watched.leaving([f"{address}/32"]) if each.split()[1] != gateway] == []
        script = f"import socket; socket.create_connection(('{ELSEWHERE}', 443), timeout=1)"
        subprocess.run(["docker", "exec", name, "python", "-c", script], capture_output=True, check=False, timeout=60)
        wait_until("what leaves to be seen", lambda: ELSEWHERE in str(watched.leaving([f"{address}/32"])), 15)
    finally:
        docker("rm", "-f", "-v", name)


def docker(*arguments: str) -> str:
    return subprocess.run(["docker", *arguments], capture_output=True, text=True, check=True, timeout=120).stdout.strip()

"""What `docker compose up` brings: the same product, safely shut in, that loses nothing to whoever kills it."""

from __future__ import annotations

import io
import json
import random
import re
import shutil
import socket
import subprocess
import threading
import time
from typing import Any

import httpx2
import pytest
from lattice_common.client import LatticeClient
from lattice_common.composition import open_embedded
from lattice_common.errors import LatticeError
from lattice_common.settings import Settings

from tests.compose.deployment import Deployment, wait_until
from tests.working import KEPT

pytestmark = pytest.mark.compose

OWN = {"api", "worker", "graph"}
ENGINES = {"redis", "opensearch", "qdrant"}
CAPTURES = 200
RECOVERY_SECONDS = 60.0
"""docs/guarantees.md, G7: after the last engine is back, drift is gone within a minute."""


def tell(client: LatticeClient, text: str, **more: Any) -> str:
    """Send something to be remembered; its capture id."""
    return client.ingest({"text": text, **more})["capture_id"]


def found(client: LatticeClient, question: str) -> list[str]:
    return [atom["content"] for atom in client.select(question, limit=10)["atoms"]]


def test_what_is_told_is_remembered_and_found(deployment: Deployment) -> None:
    with deployment.client() as client:
        told = client.ingest({"text": "Ingrid in flat 12 has my spare key.", "wait": True})
        assert told["state"] in KEPT
        assert found(client, "Who has my spare key?")[0] == "Ingrid in flat 12 has my spare key."
        assert client.status()["engines"] == {"lexical": "OpenSearch", "dense": "Qdrant", "graph": "graph service"}
        # At the start it looks through what changed meanwhile, and says so.
        wait_until("nothing to be missing", lambda: not client.status()["degraded"], 15)


def test_the_command_line_inside_is_known_without_a_token(deployment: Deployment) -> None:
    """By the one that the API keeps for it beside the others."""
    told = deployment.runs("api", "env", "-u", "LATTICE_API_TOKEN", "lc", "The ladder is in the attic.")
    assert told.stdout.startswith(("Remembered: The ladder is in the attic.", "Kept.")), told.stderr

    def answered() -> bool:
        asked = deployment.runs("api", "env", "-u", "LATTICE_API_TOKEN", "lattice", "ask", "Where is the ladder?")
        return "in the attic" in asked.stdout

    wait_until("it to be told", answered, 60)


def test_the_command_line_inside_makes_a_link_that_signs_a_browser_in_once_where_the_page_is(deployment: Deployment) -> None:
    said = deployment.runs("api", "env", "-u", "LATTICE_API_TOKEN", "lattice", "open")
    page, _, code = said.stdout.strip().partition("/login?code=")
    assert (page, bool(code)) == (f"http://localhost:{deployment.port}", True), said.stderr

    def status_of(code: str) -> int:
        sent = httpx2.post(f"{page}/api/login", json={"code": code}, headers={"origin": page}, timeout=10, trust_env=False)
        return sent.status_code

    assert [status_of(code), status_of(code)] == [200, 401]


def test_a_document_is_read_in_the_workers_container(deployment: Deployment) -> None:
    """In a process shut in once more, inside a container that is shut in already."""
    lease = b"<!doctype html><title>Lease</title><h1>Lease</h1><p>The deposit for flat 12 is 1,850 EUR.</p>"
    with deployment.client() as client:
        told = client.ingest_file("lease.html", io.BytesIO(lease), {})
        assert client.wait_for(told["capture_id"], 60)["state"] in KEPT
        assert "The deposit for flat 12 is 1,850 EUR." in found(client, "How much is the deposit for flat 12?")[0]
        assert b"".join(client.original(told["capture_id"])) == lease
    assert '"network": "denied"' in deployment.compose("logs", "worker")


def test_what_a_hand_does_to_a_file_is_followed_and_what_it_breaks_is_named(deployment: Deployment) -> None:
    with deployment.client() as client:
        told = client.ingest({"text": "Wim borrowed the ladder.", "wait": True})
        [file] = (deployment.data / "atoms").rglob(f"{told['atom_ids'][0]}.md")
        whole = file.read_text(encoding="utf-8")
        file.write_text(whole.replace("Wim", "Yara"), encoding="utf-8")
        wait_until("the edit to be live", lambda: found(client, "Who borrowed the ladder?")[0] == "Yara borrowed the ladder.", 30)
        file.write_text("---\nkind: [\n---\nbroken", encoding="utf-8")
        wait_until("it to be named", lambda: any(file.name in each for each in client.status()["degraded"]), 30)
        file.write_text(whole, encoding="utf-8")
        wait_until("it to be whole again", lambda: not client.status()["degraded"], 30)


def test_only_the_api_has_a_port_and_only_on_this_machine(deployment: Deployment) -> None:
    published = {
        service: [binding["HostIp"] for bindings in ports.values() for binding in bindings or ()]
        for service, each in deployment.inspect().items()
        if (ports := each["HostConfig"]["PortBindings"])  # type: ignore[index]
    }
    assert published == {"api": ["127.0.0.1"]}
    outside = socket.gethostbyname(socket.gethostname())
    if not outside.startswith("127."):
        with socket.socket() as probe:
            probe.settimeout(2)
            assert probe.connect_ex((outside, deployment.port)) != 0


def test_own_services_may_do_little(deployment: Deployment) -> None:
    for service, each in deployment.inspect().items():
        host: Any = each["HostConfig"]
        assert host["Memory"] > 0, service
        assert host["PidsLimit"], service
        assert any(option.startswith("no-new-privileges") for option in host["SecurityOpt"]), service
        assert not host["Privileged"]
        assert "/var/run/docker.sock" not in str(each["Mounts"])
        if service in OWN:
            assert host["ReadonlyRootfs"], service
            assert host["CapDrop"] == ["ALL"], service
            assert not host["CapAdd"], service
            assert each["Config"]["User"] == "1000:1000", service  # type: ignore[index]
    memory = sum(each["HostConfig"]["Memory"] for each in deployment.inspect().values())  # type: ignore[index]
    assert memory <= 4 * 2**30


@pytest.mark.parametrize(
    ("service", "folder", "may"),
    [
        ("worker", "/data/atoms", True),
        ("api", "/data/atoms", False),
        ("api", "/data/index", False),
        ("api", "/data/graph", False),
        ("api", "/data", False),
        ("api", "/data/journal", True),
        ("api", "/data/inbox", True),
        ("api", "/data/logs", True),
        ("graph", "/data/graph", False),
        ("api", "/opt/lattice", False),
        ("worker", "/opt/lattice", False),
    ],
)
def test_each_service_writes_where_it_must_and_nowhere_else(deployment: Deployment, service: str, folder: str, may: bool) -> None:
    done = deployment.runs(service, "sh", "-c", f"touch {folder}/.probe && rm {folder}/.probe")
    assert (done.returncode == 0) is may, done.stderr


@pytest.mark.parametrize(
    ("service", "host", "port", "may"),
    [
        ("api", "opensearch", 9200, True),
        ("graph", "opensearch", 9200, False),
        ("graph", "redis", 6379, False),
        ("graph", "qdrant", 6333, False),
        ("worker", "redis", 6379, True),
    ],
)
def test_each_engine_is_reached_by_those_who_use_it(
    deployment: Deployment, service: str, host: str, port: int, may: bool
) -> None:
    script = f"import socket; socket.create_connection(('{host}', {port}), timeout=3)"
    assert (deployment.runs(service, "python", "-c", script).returncode == 0) is may


def test_redis_and_qdrant_ask_who_comes(deployment: Deployment) -> None:
    assert "NOAUTH" in deployment.runs("redis", "redis-cli", "info").stdout
    inside = "REDISCLI_AUTH=$(cat /secrets/redis/password) redis-cli"
    for command in ("config get maxmemory", "flushall", "debug sleep 0", "shutdown nosave", "module list"):
        told = deployment.runs("redis", "sh", "-c", f"{inside} {command}").stdout
        assert "NOPERM" in told or "not allowed" in told, command
    script = "import urllib.request as r; r.urlopen('http://qdrant:6333/collections', timeout=3)"
    assert "401" in deployment.runs("api", "python", "-c", script).stderr
    assert "401" in deployment.runs("api", "python", "-c", script.replace("qdrant:6333/collections", "graph:7338/stats")).stderr


def test_a_second_worker_stands_by_and_takes_over(deployment: Deployment) -> None:
    deployment.up("worker", scale="worker=2")
    try:
        first, second = deployment.compose("ps", "-q", "worker").split()
        wait_until(
            "one of them to stand by",
            lambda: "writer_stands_by" in deployment.compose("logs", "worker"),
        )
        with deployment.client() as client:
            assert client.ingest({"text": "The gas meter is behind the green door.", "wait": True})["state"] in KEPT
            logs = {
                each: subprocess.run(["docker", "logs", each], capture_output=True, text=True, check=True)
                for each in (first, second)
            }
            holder = next(each for each, log in logs.items() if "writer_stands_by" not in log.stdout + log.stderr)
            subprocess.run(["docker", "kill", "-s", "KILL", holder], check=True, capture_output=True)
            assert client.ingest({"text": "Meter readings are due on the 3rd.", "wait": True})["state"] in KEPT
    finally:
        deployment.up("worker", scale="worker=1")
        deployment.wait_ready()


def test_nothing_is_lost_or_doubled_whoever_is_killed(deployment: Deployment) -> None:
    """200 captures while worker and engines are killed in random order; the API answers throughout."""
    chance = random.Random(20261121)
    victims = ["worker", "redis", "opensearch", "qdrant", "graph"] * 2
    chance.shuffle(victims)
    told: list[str] = []
    failures: list[str] = []
    missing: set[str] = set()
    ended = threading.Event()

    def say() -> None:
        with deployment.client() as client:
            for number in range(CAPTURES):
                told.append(tell(client, f"Box number {number} holds the {_thing(number)} of room {number % 17}."))
                time.sleep(0.15)

    def ask() -> None:
        with deployment.client() as client:
            while not ended.is_set():
                try:
                    missing.update(each.split(":")[0] for each in client.select("Where is the spare key?", limit=3)["degraded"])
                except LatticeError as error:
                    failures.append(str(error))
                time.sleep(0.3)

    threads = [threading.Thread(target=say), threading.Thread(target=ask)]
    for thread in threads:
        thread.start()
    for victim in victims:
        time.sleep(chance.uniform(1.0, 3.0))
        deployment.compose("kill", "-s", "KILL", victim)
        time.sleep(chance.uniform(0.5, 3.0))
        deployment.compose("start", victim, check=False)
    threads[0].join()
    deployment.up()
    recovered = deployment.wait_ready(RECOVERY_SECONDS * 3)
    with deployment.client() as client:
        states = [client.wait_for(each, 120)["state"] for each in told]
        assert len(told) == CAPTURES
        assert set(states) <= set(KEPT)
        wait_until("the engines to catch up", lambda: not client.status()["degraded"], RECOVERY_SECONDS)
        contents = [atom["content"] for atom in client.export()]
        boxes = [each for each in contents if each.startswith("Box number")]
        assert len(boxes) == len(set(boxes)) == CAPTURES
        for number in range(0, CAPTURES, 10):
            wanted = f"Box number {number} holds the {_thing(number)} of room {number % 17}."
            wait_until(
                f"box {number} to be found",
                lambda wanted=wanted, n=number: wanted in found(client, f"Which box holds the {_thing(n)} of room {n % 17}?"),
                RECOVERY_SECONDS,
            )  # type: ignore[misc]
    ended.set()
    threads[1].join()
    assert failures == []
    assert missing <= {"lexical", "dense", "graph", "search"}  # the last while a worker that was started again looks around
    assert "lexical" in missing or "dense" in missing
    assert recovered <= RECOVERY_SECONDS * 3


def test_deleting_every_named_volume_loses_nothing(deployment: Deployment) -> None:
    with deployment.client() as client:
        before = sorted(atom["atom_id"] for atom in client.export())
        answers = found(client, "Who has my spare key?")
    deployment.compose("down", "--volumes")
    deployment.up()
    deployment.wait_ready()
    with deployment.client() as client:
        assert sorted(atom["atom_id"] for atom in client.export()) == before
        wait_until("the engines to be filled again", lambda: found(client, "Who has my spare key?") == answers, RECOVERY_SECONDS)


def test_the_data_moves_to_embedded_and_back(deployment: Deployment) -> None:
    """Stop the one, start the other on the same folder: no file of the owner's changes."""
    wait_until("all that was told to be judged", lambda: _is_at_rest(deployment))  # whoever starts goes on with what is left
    with deployment.client() as client:
        answers = found(client, "Who has my spare key?")
    deployment.compose("down")
    atoms = {path.name: path.read_bytes() for path in (deployment.data / "atoms").rglob("*.md")}
    moved = deployment.data.parent / "embedded"
    shutil.copytree(deployment.data, moved)
    with open_embedded(Settings(data_dir=moved)) as embedded:
        embedded.start()
        wait_until("the embedded engines to be filled", lambda: not embedded.writer.state().starting)
        assert [each.atom.content for each in embedded.lattice.select(_query("Who has my spare key?")).atoms][:1] == answers[:1]
    assert {path.name: path.read_bytes() for path in (moved / "atoms").rglob("*.md")} == atoms
    deployment.up()
    deployment.wait_ready()
    with deployment.client() as client:
        assert found(client, "Who has my spare key?") == answers


def _is_at_rest(deployment: Deployment) -> bool:
    """By the files: what the status says of a worker that was just started is what the one before it had left to do."""
    files = (deployment.data / "atoms").rglob("*.md")
    newest = max(int(seq) for path in files for seq in _SEQ.findall(path.read_bytes()))
    try:
        judged = json.loads((deployment.data / "index" / "judged.json").read_bytes())["up_to"]
    except (OSError, ValueError):  # it is being written
        return False
    return judged >= newest and not list((deployment.data / "journal" / "open").iterdir())


_SEQ = re.compile(rb"^seq: (\d+)$", re.MULTILINE)


def _query(text: str) -> Any:
    from lattice_common.domain.recall import Query

    return Query(text, limit=10)


def _thing(number: int) -> str:
    things = ("lamps", "letters", "maps", "tools", "shoes", "books", "cables", "candles", "coats", "dishes", "toys")
    return f"{things[number % 11]} and {things[(number // 11 + 3) % 11]}"

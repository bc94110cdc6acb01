"""Both sizes of the product as clients see them, for `bench.server`: processes of their own, over HTTP."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from lattice_common.adapters.server.http_graph import HttpGraph
from lattice_common.capture.request import IngestRequest
from opensearchpy import OpenSearch

from bench.store_speed import PATIENCE, milliseconds
from tests.servers import QDRANT_KEY, start_opensearch, start_qdrant, start_redis
from tests.working import Worker, own_redis, until

EXPANSIONS, SEEDS = 200, 7
_TICKS = os.sysconf("SC_CLK_TCK")


class Product:
    """One of the two. `taken` and `single` are in milliseconds, `work` is how long taking in took, in seconds."""

    def __init__(self, name: str, http: httpx.Client, processes: dict[str, int], start_s: float) -> None:
        self.name = name
        self.http = http
        self.start_s = start_s
        self.work = 0.0
        self.rate = 0.0
        self.taken: list[float] = []
        self.single: list[float] = []
        self.asking: dict[str, float] = {}
        """Milliseconds of the processor for a question, by process."""
        self.seen: dict[str, None] = {}
        """Ids of atoms that were found."""
        self.processes = processes

    def atoms(self) -> int:
        return int(self.http.get("/api/status").raise_for_status().json()["atoms"])

    def take_in(self, captures: list[IngestRequest]) -> None:
        began = time.perf_counter()
        ids = [self._post(each.model_dump(mode="json", exclude_unset=True)) for each in captures]
        for each in ids:
            while self.http.get(f"/api/captures/{each}").raise_for_status().json()["state"] in ("waiting", "working"):
                time.sleep(0.01)  # as a client that polls
        self.work += time.perf_counter() - began

    def tell(self, text: str) -> None:
        """One capture, waiting for its receipt."""
        self.single.append(
            milliseconds(lambda: self.http.post("/api/ingest", json={"text": text, "wait": True}).raise_for_status())
        )

    def ask(self, question: str) -> None:
        began = time.perf_counter()
        answer = self.http.post("/api/select", json={"query": question})
        self.taken.append(1000 * (time.perf_counter() - began))
        found = answer.raise_for_status().json()
        if any(not each.startswith("dense") for each in found["degraded"]):
            raise SystemExit(f"{self.name} went without {found['degraded']}")
        self.seen |= dict.fromkeys(each["atom_id"] for each in found["atoms"])

    def processor(self) -> dict[str, float]:
        """Seconds that each of its processes has used so far, with all that it started."""
        return {name: sum(map(_used, _tree(pid))) for name, pid in self.processes.items()}

    def _post(self, body: dict[str, Any]) -> str:
        while (answer := self.http.post("/api/ingest", json=body)).status_code == 429:
            time.sleep(float(answer.headers["retry-after"]))  # as it was told to
        return str(answer.raise_for_status().json()["capture_id"])


class Deployed(Product):
    """Server mode. `worker_s` is how long the worker took to start with engines to be filled, `worker_again_s` without."""

    graph: HttpGraph
    opensearch: OpenSearch
    worker_s = 0.0
    worker_again_s = 0.0

    def processor(self) -> dict[str, float]:
        nodes = self.opensearch.nodes.stats(metric="process")["nodes"].values()
        engine = sum(node["process"]["cpu"]["total_in_millis"] for node in nodes) / 1000
        return {**super().processor(), "OpenSearch": engine}

    def expansions(self) -> list[float]:
        """Milliseconds of the graph service's main question, about atoms that were found, over HTTP."""
        ids = list(self.seen)
        starts = [(SEEDS * number) % max(1, len(ids) - SEEDS) for number in range(EXPANSIONS)]
        return [milliseconds(partial(self.graph.expand, ids[at : at + SEEDS], 60)) for at in starts]


@contextlib.contextmanager
def served(name: str, environment: dict[str, str]) -> Iterator[Product]:
    """The API of a product, in a process of its own."""
    token = secrets.token_urlsafe(32)
    told = {**os.environ, "LATTICE_WEB_PORT": "0", "LATTICE_API_TOKEN": token, "LATTICE_LOG_LEVEL": "error", **environment}
    began = time.perf_counter()
    with subprocess.Popen([sys.executable, "-m", "lattice_api"], env=told, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://[\w.:]+", process.stdout.readline())
            if found is None:
                raise SystemExit(f"{name} did not start.")
            taken = time.perf_counter() - began
            with httpx.Client(base_url=found[0], headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE) as http:
                until(f"{name} to be ready", lambda: bool(http.get("/ready").json()["ready"]), PATIENCE)
                until(f"{name} to have looked around", lambda: not _lacks(http), PATIENCE)
                made = Deployed if name == "server" else Product
                yield made(name, http, {"API": process.pid}, taken)
        finally:
            process.terminate()


def _lacks(http: httpx.Client) -> bool:
    return any(not each.startswith("dense") for each in http.get("/api/status").json()["degraded"])


@contextlib.contextmanager
def deployed(root: Path, shared: dict[str, str], urls: dict[str, str]) -> Iterator[Deployed]:
    """A deployment's processes over the folder `root`, on the engines at `urls`."""
    index, port = f"bench-{uuid.uuid4().hex}", _free_port()
    environment = shared | {
        "LATTICE_DIR": str(root),
        "LATTICE_MODE": "server",
        "LATTICE_INDEX_NAME": index,
        "LATTICE_OPENSEARCH_URL": urls["opensearch"],
        "LATTICE_QDRANT_URL": urls["qdrant"],
        "LATTICE_QDRANT_API_KEY": QDRANT_KEY,
        "LATTICE_REDIS_URL": own_redis(urls["redis"]),
        "LATTICE_GRAPH_URL": f"http://127.0.0.1:{port}",
        "LATTICE_GRAPH_PORT": str(port),
        "LATTICE_LOG_LEVEL": "error",
    }
    worker = Worker(root, environment)
    with contextlib.ExitStack() as stack:
        graph = subprocess.Popen([sys.executable, "-m", "lattice_graph"], env=os.environ | environment)
        stack.callback(graph.terminate)
        stack.callback(worker.end)
        starts = []
        for again in (False, True):
            began = time.perf_counter()
            worker.start()
            worker.wait_until_idle(PATIENCE)
            starts.append(time.perf_counter() - began)
            if not again:
                worker.stop()
        product = stack.enter_context(served("server", environment))
        assert isinstance(product, Deployed)
        product.worker_s, product.worker_again_s = starts
        product.graph = HttpGraph(f"http://127.0.0.1:{port}")
        stack.callback(product.graph.close)
        product.processes["graph"] = graph.pid
        product.opensearch = stack.enter_context(contextlib.closing(OpenSearch(hosts=[urls["opensearch"]])))
        yield product
        product.opensearch.indices.delete(index=f"{index}-*")


def _tree(pid: int) -> list[int]:
    found = [pid]
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += _tree(int(child))
    return found


def _used(pid: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS
    return 0.0


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def engines() -> Iterator[dict[str, str]]:
    starts: dict[str, Callable[[], tuple[str, Callable[[], None]]]] = {
        "opensearch": start_opensearch,
        "qdrant": start_qdrant,
        "redis": start_redis,
    }
    with contextlib.ExitStack() as stack:
        urls = {}
        for name, start in starts.items():
            url = os.environ.get(f"LATTICE_TEST_{name.upper()}_URL")
            if url is None:
                url, stop = start()
                stack.callback(stop)
            urls[name] = url
        yield urls

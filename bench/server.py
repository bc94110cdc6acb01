"""Server mode beside the embedded product, in one table, in one run, over HTTP: `python -m bench.server [--sizes 1000,10000]`.

Both are filled from the same made-up life and then asked the same questions, in turns, so that whatever else the machine does
slows both. OpenSearch, Qdrant and Redis are those that `LATTICE_TEST_OPENSEARCH_URL`, `LATTICE_TEST_QDRANT_URL` (with the tests'
key) and `LATTICE_TEST_REDIS_URL` name, or are started with Docker. Without `--dense` neither has an embedding model: for machines
on which a stand-in serves Qdrant, which is exact, slow, and no measure of it.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
from lattice_common.capture.request import IngestRequest
from opensearchpy import OpenSearch
from rich.console import Console
from rich.table import Table

from bench.store_speed import PATIENCE, milliseconds, p95
from bench.synthetic import Life
from tests.servers import QDRANT_KEY, start_opensearch, start_qdrant, start_redis
from tests.working import Worker, own_redis, until

SELECT_P95_MS = {1_000: 40.0, 10_000: 40.0, 100_000: 60.0}
INGEST_SHARE = 0.5
"""Aims: milliseconds of a question at so many memories; ingest at least half as fast as embedded."""
QUESTIONS = 200
AT_ONCE = 60
"""Captures sent before their receipts are waited for: the writer always has enough to do."""


class Product:
    """One of the two, as a client sees it. `work` is how long taking in took, in seconds."""

    def __init__(self, name: str, http: httpx.Client) -> None:
        self.name = name
        self.http = http
        self.work = 0.0
        self.taken: list[float] = []

    def atoms(self) -> int:
        return int(self.http.get("/api/status").raise_for_status().json()["atoms"])

    def take_in(self, captures: list[IngestRequest]) -> None:
        began = time.perf_counter()
        ids = [self._post(each.model_dump(mode="json", exclude_unset=True)) for each in captures]
        for each in ids:
            while self.http.get(f"/api/captures/{each}").raise_for_status().json()["state"] in ("waiting", "working"):
                time.sleep(0.01)  # as a client that polls
        self.work += time.perf_counter() - began

    def ask(self, question: str) -> None:
        def select() -> None:
            found = self.http.post("/api/select", json={"query": question}).raise_for_status().json()
            if any(not each.startswith("dense") for each in found["degraded"]):
                raise SystemExit(f"{self.name} went without {found['degraded']}")

        self.taken.append(milliseconds(select))

    def _post(self, body: dict[str, Any]) -> str:
        while (answer := self.http.post("/api/ingest", json=body)).status_code == 429:
            time.sleep(float(answer.headers["retry-after"]))
        return str(answer.raise_for_status().json()["capture_id"])


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextlib.contextmanager
def api(name: str, environment: dict[str, str]) -> Iterator[Product]:
    """The API of a product, in a process of its own."""
    token = secrets.token_urlsafe(32)
    told = {**os.environ, "LATTICE_WEB_PORT": "0", "LATTICE_API_TOKEN": token, "LATTICE_LOG_LEVEL": "error", **environment}
    with subprocess.Popen([sys.executable, "-m", "lattice_api"], env=told, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://[\w.:]+", process.stdout.readline())
            if found is None:
                raise SystemExit(f"{name} did not start.")
            with httpx.Client(base_url=found[0], headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE) as http:
                yield Product(name, http)
        finally:
            process.terminate()


@contextlib.contextmanager
def both(folder: Path, urls: dict[str, str], dense: bool) -> Iterator[tuple[Product, Product]]:
    """The embedded product, and a deployment's processes on the engines at `urls`."""
    index, port = f"bench-{uuid.uuid4().hex}", free_port()
    shared = {"LLM_PROVIDER": "none"} | ({} if dense else {"LATTICE_EMBED_MODEL": "none"})
    server = shared | {
        "LATTICE_DIR": str(folder / "server"),
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
    worker = Worker(folder / "server", server)
    with contextlib.ExitStack() as stack:
        graph = subprocess.Popen([sys.executable, "-m", "lattice_graph"], env=os.environ | server)
        stack.callback(graph.terminate)
        stack.callback(worker.end)
        worker.start()
        worker.wait_until_idle()
        embedded = stack.enter_context(api("embedded", shared | {"LATTICE_DIR": str(folder / "embedded")}))
        deployed = stack.enter_context(api("server", server))
        until("the deployment to be ready", lambda: bool(deployed.http.get("/ready").json()["ready"]))
        yield embedded, deployed
        client = OpenSearch(hosts=[urls["opensearch"]])
        client.indices.delete(index=f"{index}-*")
        client.close()


@contextlib.contextmanager
def engines() -> Iterator[dict[str, str]]:
    starts: dict[str, Callable[[], tuple[str, Callable[[], None]]]] = {
        "opensearch": start_opensearch, "qdrant": start_qdrant, "redis": start_redis,
    }  # fmt: skip
    with contextlib.ExitStack() as stack:
        urls = {}
        for name, start in starts.items():
            url = os.environ.get(f"LATTICE_TEST_{name.upper()}_URL")
            if url is None:
                url, stop = start()
                stack.callback(stop)
            urls[name] = url
        yield urls


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--dense", action="store_true", help="with the embedding model and Qdrant")
    asked = parser.parse_args()
    table = Table(
        "memories", "", "embedded", "server", "aim", title=f"Over HTTP, {'with' if asked.dense else 'without'} the dense leg"
    )
    with engines() as urls, tempfile.TemporaryDirectory() as folder, both(Path(folder), urls, asked.dense) as products:
        captures = {each.name: Life().captures() for each in products}
        held = dict.fromkeys(captures, 0)
        for size in sorted(map(int, asked.sizes.split(","))):
            rates = {}
            for each in products:
                each.work, before = 0.0, held[each.name]
                while (count := each.atoms()) < size:
                    each.take_in(list(islice(captures[each.name], AT_ONCE)))
                held[each.name] = count
                rates[each.name] = (count - before) / each.work
            questions = Life(seed=size).questions(QUESTIONS)
            for each in products:
                each.taken = []
                for question in questions[:10]:
                    each.ask(question)
                each.taken.clear()
            for question in questions:
                for each in products:
                    each.ask(question)
            one, other = products
            aim = SELECT_P95_MS.get(size)
            table.add_row(f"{size:,}", "select p95, ms", f"{p95(one.taken):.1f}", f"{p95(other.taken):.1f}", f"{aim or ''}")
            share = f"{INGEST_SHARE * rates['embedded']:.0f}"
            table.add_row("", "ingest, atoms/s", f"{rates['embedded']:.0f}", f"{rates['server']:.0f}", share)
    console = Console()
    console.print(table)
    console.print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()

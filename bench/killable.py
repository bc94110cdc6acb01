"""A deployment whose parts can be killed, for `bench.soak --deployed`: engines in containers behind doors of ours; the worker,
the graph service and the API as processes. What is killed is started again, with what it had on its disk."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from bench.deployed import _free_port, engines, served
from tests.forwarding import Door
from tests.servers import QDRANT_KEY
from tests.working import Worker, own_redis

INSIDE = {"opensearch": 9200, "qdrant": 6333, "redis": 6379}
"""The port of each engine in its container."""


@dataclass(frozen=True, slots=True)
class Killable:
    """`kill[name]()` ends a part as by SIGKILL and starts it again; `processes()` returns who serves each part now."""

    url: str
    token: str
    kill: dict[str, Callable[[], None]]
    processes: Callable[[], dict[str, int]]


@contextlib.contextmanager
def killable(root: Path, shared: dict[str, str]) -> Iterator[Killable]:
    """Over the folder `root`; its log goes beside it."""
    with contextlib.ExitStack() as stack:
        urls = stack.enter_context(engines())
        doors = {name: _door(stack, url) for name, url in urls.items()}
        containers = {name: _docker("ps", "--quiet", "--filter", f"publish={urlsplit(url).port}") for name, url in urls.items()}
        inside = {name: _process_of(container) for name, container in containers.items()}

        def kill_engine(name: str) -> None:
            _start_again(containers[name], INSIDE[name], doors[name])
            inside[name] = _process_of(containers[name])

        kill: dict[str, Callable[[], None]] = {name: partial(kill_engine, name) for name in doors}
        graph_port = _free_port()
        environment = shared | {
            "LATTICE_DIR": str(root), "LATTICE_MODE": "server", "LATTICE_INDEX_NAME": f"soak-{uuid.uuid4().hex}",
            "LATTICE_OPENSEARCH_URL": f"http://127.0.0.1:{doors['opensearch'].port}",
            "LATTICE_QDRANT_URL": f"http://127.0.0.1:{doors['qdrant'].port}", "LATTICE_QDRANT_API_KEY": QDRANT_KEY,
            "LATTICE_REDIS_URL": own_redis(f"redis://127.0.0.1:{doors['redis'].port}"),
            "LATTICE_GRAPH_URL": f"http://127.0.0.1:{graph_port}", "LATTICE_GRAPH_PORT": str(graph_port),
            "LATTICE_LOG_LEVEL": "error",
        }  # fmt: skip
        worker = Worker(root, environment)
        stack.callback(worker.end)
        worker.start()
        worker.wait_until_idle(300)
        graph = [_graph(environment)]
        stack.callback(lambda: graph[-1].kill())

        def kill_worker() -> None:
            worker.kill()
            worker.start()

        def kill_graph() -> None:
            graph[-1].kill()
            graph[-1].wait()
            graph.append(_graph(environment))

        product = stack.enter_context(served("server", environment))
        token = product.http.headers["Authorization"].removeprefix("Bearer ")

        def processes() -> dict[str, int]:
            # The worker's child is the one that writes; there is none for a moment after a kill.
            writer = {"writer": child} if (child := worker.child()) else {}
            return {"API": product.processes["API"], "worker": worker.pid, **writer, "graph": graph[-1].pid, **inside}

        yield Killable(
            str(product.http.base_url).rstrip("/"), token, {**kill, "worker": kill_worker, "graph": kill_graph}, processes
        )


def _graph(environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "lattice_graph"], env=os.environ | environment)


def _door(stack: contextlib.ExitStack, url: str) -> Door:
    address = urlsplit(url)
    door = Door(0, (str(address.hostname), address.port or 80))
    door.open()
    stack.callback(door.shut)
    return door


def _start_again(container: str, inside: int, door: Door) -> None:
    """Kill a container, and start it; it may publish its port as another one then."""
    _docker("kill", container)
    _docker("start", container)
    host, _, port = _docker("port", container, f"{inside}/tcp").splitlines()[0].rpartition(":")
    door.lead_to(("127.0.0.1" if host == "0.0.0.0" else host, int(port)))  # noqa: S104 - as Docker says it


def _process_of(container: str) -> int:
    return int(_docker("inspect", "--format", "{{.State.Pid}}", container))


def _docker(*command: str) -> str:
    return subprocess.run(["docker", *command], check=True, capture_output=True, text=True).stdout.strip()

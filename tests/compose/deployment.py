"""A deployment of docker-compose.yml, with a name, a port and a data folder of its own."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from lattice_common.client import LatticeClient
from lattice_common.errors import LatticeError

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 180.0
"""Seconds that anything is waited for: what takes longer on a busy machine of two cores is broken."""
TOKEN = "q3vVw0mEwq6gk7n2m1H8aYcZr5tUoPxLbJdKfSgNhQe"


def wait_until(what: str, done: Callable[[], bool], patience: float = PATIENCE) -> float:
    """Seconds until `done`. Raises `TimeoutError`, naming what was waited for."""
    began = time.monotonic()
    while not done():
        if time.monotonic() - began > patience:
            raise TimeoutError(f"waited {patience:.0f} s for {what}")
        time.sleep(0.2)
    return time.monotonic() - began


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@dataclass
class Deployment:
    """`offline`: containers reach no registry, and the engines are stand-ins (infra/compose.offline.yml)."""

    project: str
    offline: bool
    data: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="lattice-compose-")) / "data")
    port: int = field(default_factory=free_port)
    token: str | None = TOKEN
    environment: dict[str, str] = field(default_factory=dict)
    """More of it for Compose."""
    overrides: list[Path] = field(default_factory=list)
    """Further files for Compose."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def compose(
        self, *arguments: str, check: bool = True, timeout: float = 1200, environment: dict[str, str] | None = None
    ) -> str:
        """What `docker compose …` printed; `environment` is for this one command."""
        named = ["docker-compose.yml", *(["infra/compose.offline.yml"] if self.offline else []), *map(str, self.overrides)]
        files = [word for each in named for word in ("-f", each)]
        whole = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("LATTICE_", "LLM_"))},
            "LATTICE_DATA": str(self.data),
            "LATTICE_WEB_PORT": str(self.port),
            "LLM_PROVIDER": "none",
            **({"LATTICE_API_TOKEN": self.token} if self.token else {}),
            **self.environment,
            **(environment or {}),
        }
        done = subprocess.run(
            ["docker", "compose", "--project-name", self.project, *files, *arguments],
            cwd=ROOT, env=whole, capture_output=True, text=True, timeout=timeout, check=False,
        )  # fmt: skip
        if check and done.returncode != 0:
            raise AssertionError(f"docker compose {' '.join(arguments)}: {done.stderr[-3000:]}")
        return done.stdout + (done.stderr if arguments[0] == "logs" else "")

    def up(self, *services: str, scale: str | None = None) -> None:
        scaled = ["--scale", scale] if scale else []
        self.compose("up", "-d", "--no-build", *scaled, *services)

    def client(self) -> LatticeClient:
        return LatticeClient(self.url, self.token or "")

    def wait_ready(self, patience: float = PATIENCE) -> float:
        """Seconds until every part is up."""

        def ready() -> bool:
            try:
                with self.client() as client:
                    return bool(client.ready()["ready"])
            except (LatticeError, KeyError):
                return False

        return wait_until("the deployment to be ready", ready, patience)

    def inspect(self) -> dict[str, dict[str, object]]:
        """What the engine says of each running container, by service."""
        ids = self.compose("ps", "-q").split()
        found = json.loads(subprocess.run(["docker", "inspect", *ids], capture_output=True, text=True, check=True).stdout)
        return {each["Config"]["Labels"]["com.docker.compose.service"]: each for each in found}

    def runs(self, service: str, *command: str) -> subprocess.CompletedProcess[str]:
        """A command in a running container."""
        container = self.compose("ps", "-q", service).split()[0]
        return subprocess.run(["docker", "exec", container, *command], capture_output=True, text=True, check=False, timeout=120)

    def gateway(self, network: str) -> str:
        """The address under which containers of a network reach this machine."""
        name = f"{self.project}_{network}"
        found = subprocess.run(["docker", "network", "inspect", name], capture_output=True, text=True, check=True).stdout
        return str(json.loads(found)[0]["IPAM"]["Config"][0]["Gateway"])

    def metrics(self) -> str:
        """What Prometheus is told."""
        answer = httpx2.get(f"{self.url}/metrics", headers={"Authorization": f"Bearer {self.token}"}, timeout=10, trust_env=False)
        assert answer.status_code == 200, answer.text
        return answer.text

    def is_healthy(self, service: str) -> bool:
        """As its own health check says."""
        state: Any = self.inspect().get(service, {}).get("State", {})
        return bool(state.get("Health", {}).get("Status") == "healthy")

    def end(self) -> None:
        """Nothing of it stays: not its volumes, not its data."""
        self.compose("down", "--volumes", "--timeout", "5", check=False)
        shutil.rmtree(self.data.parent, ignore_errors=True)

"""A worker of server mode in processes of its own, as in its container: Celery, and the one child that writes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

PATIENCE = 120.0
"""Seconds that anything is waited for on a busy machine; a start takes about five."""
KEPT = ("stored", "duplicate")
"""How a capture ends that is remembered. In a deployment that tests share, a test that is tried again tells what is known."""


def until(what: str, done: Callable[[], bool], patience: float = PATIENCE) -> float:
    """Seconds until `done`. Raises `TimeoutError`, naming what was waited for."""
    began = time.monotonic()
    while not done():
        if time.monotonic() - began > patience:
            raise TimeoutError(f"waited {patience:.0f} s for {what}")
        time.sleep(0.05)
    return time.monotonic() - began


def own_redis(redis_url: str) -> str:
    """One of the 15 databases that nobody uses by default, so that two tests don't ring at each other's doors."""
    return f"{redis_url}/{uuid.uuid4().int % 15 + 1}"


class Worker:
    """`python -m lattice_worker` on a data folder, with these settings. Its log is in a file beside the folder."""

    def __init__(self, root: Path, environment: dict[str, str]) -> None:
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("LATTICE_", "LLM_"))},
            "LATTICE_DIR": str(root),
            "LLM_PROVIDER": "none",
            "LATTICE_LOG_JSON": "true",
            "REMAP_SIGTERM": "SIGQUIT",
            **environment,
        }
        root.mkdir(exist_ok=True)
        self._heartbeat = root / "index" / "writer.json"
        self.log_path = root.with_name(f"{root.name}.worker.log")
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        return self.log_path.read_text(encoding="utf-8") if self.log_path.exists() else ""

    def start(self) -> None:
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "lattice_worker"], env=self._environment, stdout=log, stderr=log, start_new_session=True
            )

    def wait_for_heartbeat(self) -> None:
        """Until the child writes; the heartbeat of one before it does not count."""
        began = time.time()
        until(f"a heartbeat of the worker; it said: {self.log[-2000:]}", lambda: self.beat_since(began))

    def wait_until_idle(self, patience: float = PATIENCE) -> None:
        """Until it has looked through everything at its start, and found all that is left to do."""
        began = time.time()
        until(
            f"the worker to be idle; it said: {self.log[-2000:]}",
            lambda: self.beat_since(began) and (beat := self.beat())["state"] == "idle" and not beat["starting"],
            patience,
        )

    def wait_until_judged(self) -> None:
        """Until all that was told at once has been judged, too, and what came of it is carried out."""
        began = time.time()
        until("the judge to have caught up", lambda: self.beat_since(began) and not self.beat()["judging_behind"])
        self.wait_until_idle()

    def beat(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._heartbeat.read_bytes())
        return found

    def beat_since(self, moment: float) -> bool:
        with suppress(FileNotFoundError):
            return self._heartbeat.stat().st_mtime >= moment
        return False

    def child(self) -> int:
        """The pid of the process that writes; 0 while there is none."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return int(children[0]) if children else 0

    def kill_child(self) -> None:
        if child := self.child():
            os.kill(child, signal.SIGKILL)

    def kill(self) -> None:
        """The parent alone, with SIGKILL; its child dies with it (Linux), and is waited for."""
        assert self._process is not None
        child = self.child()
        self._process.kill()
        self._process.wait()
        until("the child to be gone", lambda: not child or not _lives(child))

    def stop(self) -> int:
        """As `docker stop` does; its exit code."""
        assert self._process is not None
        self._process.terminate()
        try:
            return self._process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            raise

    def end(self) -> None:
        """Whatever is left of it."""
        if self._process is not None and self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except FileNotFoundError:
        return False

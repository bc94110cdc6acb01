"""Asked to end at whatever moment, Lattice ends soon and in peace; the next start goes on (docs/guarantees.md, G27)."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lattice_common.inspection import inspect

from tests.data.conversations import long_text
from tests.data.documents import book

ENDS_WITHIN = 30.0
STOPS = 5


UP = ("lattice_cli.app", "up", "--no-browser")
API = ("lattice_api",)
"""As a container starts it."""


class Lattice:
    """The product in a process, without authentication; `url` is known once it listens."""

    def __init__(self, root: Path, module: tuple[str, ...] = UP) -> None:
        environment = {**os.environ, "LATTICE_DIR": str(root), "LATTICE_EMBED_MODEL": "none", "LLM_PROVIDER": "none"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", *module],
            env=environment | {"LATTICE_AUTH": "false", "LATTICE_WEB_PORT": "0"},
            cwd=root.parent,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.url = ""

    def listening(self) -> None:
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().removeprefix("Lattice is at ").strip()
        assert self.url.startswith("http://localhost:"), "it did not start"

    def tell(self, text: str, **more: Any) -> str:
        """The capture's id."""
        told = httpx2.post(f"{self.url}/api/ingest", json={"text": text, **more}, timeout=ENDS_WITHIN)
        return str(told.json()["capture_id"])

    def give(self, name: str, content: bytes) -> str:
        told = httpx2.post(f"{self.url}/api/ingest-file", files={"file": (name, content)}, timeout=ENDS_WITHIN)
        return str(told.json()["capture_id"])

    def end_of(self, capture_id: str) -> str:
        """The state that a capture came to."""
        with httpx2.stream("GET", f"{self.url}/api/captures/{capture_id}/events", timeout=ENDS_WITHIN) as events:
            *_, last = (line for line in events.iter_lines() if line.startswith("data: "))
        return str(json.loads(last.removeprefix("data: "))["state"])

    def end(self) -> int:
        """Its exit code; raises `TimeoutExpired` where it takes too long."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=ENDS_WITHIN)
        return self.process.returncode


@contextmanager
def running(root: Path, module: tuple[str, ...] = UP) -> Iterator[Lattice]:
    lattice = Lattice(root, module)
    try:
        yield lattice
    finally:
        lattice.process.kill()
        lattice.process.communicate()


@pytest.mark.slow
def test_asked_to_end_at_any_moment_it_ends_soon_and_the_next_start_goes_on(tmp_path: Path) -> None:
    root = tmp_path / "data"
    chance = random.Random(5)
    told: list[str] = []
    number = 0
    for stop in range(STOPS):
        with running(root) as lattice:
            if stop % 4 == 3:  # in the middle of the start
                threading.Event().wait(chance.uniform(0.1, 1.5))
                assert lattice.end() in (0, 130, -signal.SIGTERM, -signal.SIGINT)
                continue
            lattice.listening()
            told.append(lattice.tell(long_text(12_000, seed=stop), source_type="plain"))
            told.append(lattice.give(f"book-{stop}.pdf", book(6, 6_000)))
            for _ in range(chance.randint(1, 12)):
                number += 1
                told.append(lattice.tell(f"Neighbour {number} is called Ada{number} and lives in house {number + 3}."))
            with httpx2.stream("GET", f"{lattice.url}/api/captures/{told[-1]}/events", timeout=ENDS_WITHIN):  # and left open
                assert lattice.end() == 0
    with running(root) as lattice:
        lattice.listening()
        ends = {capture_id: lattice.end_of(capture_id) for capture_id in told}
        assert lattice.end() == 0
    assert set(ends.values()) <= {"stored", "duplicate"}, ends
    with inspect(root) as inspection:
        contents = [
            atom.content
            for atom in inspection.catalogue.all()
            if atom.content.startswith("Neighbour") and "called" in atom.content
        ]
        assert len(contents) == len(set(contents)) == number
        assert inspection.examine(lambda *_: None, exact_limit=100_000).findings == ()


@pytest.mark.slow
@pytest.mark.parametrize("module", [UP, API], ids=["up", "api"])
def test_whoever_started_it_it_finishes_what_is_in_hand_and_lets_go_of_the_folder(
    module: tuple[str, ...], tmp_path: Path
) -> None:
    with running(tmp_path / "data", module) as lattice:
        lattice.listening()
        lattice.tell("My sister lives in Turin.")
        assert lattice.end() == 0
    assert (tmp_path / "data" / "subjects.json").exists(), "it is written when all is closed"

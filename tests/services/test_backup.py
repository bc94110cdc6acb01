"""A copy of the folder is a backup, also one made while it is written to (RELIABILITY G22)."""

from __future__ import annotations

import random
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_common.capture.request import IngestRequest
from lattice_common.inspection import inspect
from lattice_common.wiring import Embedded

from tests.pipeline.living import PATIENCE, atoms_of, finished, open_store, send, started

COPIES = 8
TOWNS = ("Turin", "Ghent", "Oslo", "Riga", "Porto", "Lyon", "Graz")


def tar(root: Path, copy: Path) -> None:
    """As docs/operations.md has it."""
    copy.mkdir()
    packed = copy.with_suffix(".tgz")
    command = ["tar", "--exclude=index", "--exclude=graph", "-czf", str(packed), "-C", str(root), "."]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    # 1: files changed or vanished while they were read, which is what this is about.
    assert made.returncode in (0, 1), made.stderr
    subprocess.run(["tar", "-xzf", str(packed), "-C", str(copy)], check=True)


def cp(root: Path, copy: Path) -> None:
    """The whole folder, what is derived in it, too; what vanishes meanwhile is complained of and left out."""
    made = subprocess.run(["cp", "-r", str(root), str(copy)], capture_output=True, text=True, check=False)
    complaints = made.stderr.splitlines()
    assert all("No such file or directory" in line for line in complaints), complaints


class Talk(threading.Thread):
    """Tells one thing after the other, with an older one replaced now and then; `told` are those that were acknowledged."""

    def __init__(self, store: Embedded) -> None:
        super().__init__(name="talk")
        self._store = store
        self.told: list[str] = []
        self.ended = threading.Event()
        self.grown = threading.Condition()

    def run(self) -> None:
        number = 0
        while not self.ended.is_set():
            number += 1
            words = f"Neighbour {number} is called Ada{number} and lives in house {number + 3}."
            if number % 5 == 0:
                words = f"My sister lives in {TOWNS[number % 7]} now."
            capture_id = send(self._store, IngestRequest(text=words))
            with self.grown:
                self.told.append(capture_id)
                self.grown.notify_all()
            if number % 3 == 0:
                finished(self._store, capture_id)

    def wait_for(self, more: int) -> None:
        with self.grown:
            wanted = len(self.told) + more
            assert self.grown.wait_for(lambda: len(self.told) >= wanted, PATIENCE)


@pytest.mark.slow
@pytest.mark.parametrize("copied", [tar, cp])
def test_a_copy_made_while_it_is_written_to_has_all_that_was_kept_before(
    copied: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    chance = random.Random(7)
    kept: dict[Path, list[str]] = {}
    with started(tmp_path / "data") as store:
        talk = Talk(store)
        talk.start()
        try:
            for number in range(COPIES):
                talk.wait_for(chance.randint(1, 12))
                copy = tmp_path / f"copy-{number}"
                kept[copy] = list(talk.told)
                copied(tmp_path / "data", copy)
        finally:
            talk.ended.set()
            talk.join()
    for copy, told in kept.items():
        with open_store(copy) as restored:
            restored.start()
            for capture_id in told:
                assert finished(restored, capture_id).state in ("stored", "duplicate")
            for capture_id in restored.stores.worklog.open_ids():  # what came while it was copied
                finished(restored, capture_id)
            contents = [atom.content for atom in atoms_of(restored).values()]
            assert len(contents) >= len(told) * 0.8
            unique = [content for content in contents if content.startswith("Neighbour")]
            assert len(unique) == len(set(unique))
        with inspect(copy) as inspection:
            assert inspection.examine(lambda *_: None, exact_limit=100_000).findings == ()

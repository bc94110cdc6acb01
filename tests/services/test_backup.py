"""A copy of the folder is a backup, also one made while it is written to (RELIABILITY G22)."""

from __future__ import annotations

import random
import subprocess
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.files.backup_archive import back_up, restore
from lattice_common.capture.request import IngestRequest
from lattice_common.inspection import inspect
from lattice_common.wiring import Embedded

from tests.pipeline.living import PATIENCE, atoms_of, finished, open_store, say, send, started

COPIES = 4
YEAR = str(datetime.now(UTC).year)
NOT_COPIED = ("--exclude=data/index", "--exclude=data/graph")
TOWNS = ("Turin", "Ghent", "Oslo", "Riga", "Porto", "Lyon", "Graz")


def tar(root: Path, copy: Path) -> None:
    """As docs/operations.md has it."""
    packed = copy.with_suffix(".tar")
    for what in (["-cf", packed, "data/journal"], ["--exclude=data/journal", *NOT_COPIED, "-rf", packed, "data"]):
        made = subprocess.run(["tar", "-C", root.parent, *what], capture_output=True, text=True, check=False)
        # 1: files changed or vanished while they were read, which is what this is about.
        assert made.returncode in (0, 1), made.stderr
    copy.mkdir()
    subprocess.run(["tar", "-xf", packed, "-C", copy, "--strip-components=1"], check=True)


def backed_up(root: Path, copy: Path) -> None:
    """As `lattice backup` and `lattice restore` do it."""
    packed = copy.with_suffix(".tar.gz")
    with packed.open("wb") as out:
        back_up(root, out, lambda *_: None)
    restore(packed, copy, lambda *_: None)


def in_order(*first: str) -> Callable[[Path, Path], None]:
    """These parts of the journal, each with time for the writer to get on with what was unfinished, then the rest."""

    def copied(root: Path, copy: Path) -> None:
        (copy / "journal").mkdir(parents=True)
        for part in first:
            copy_of(root / "journal" / part, copy / "journal" / part)
            wait_until_closed(root / "journal" / "open")
        rest = [
            *(root / "journal").iterdir(),
            *(each for each in root.iterdir() if each.name not in ("journal", "index", "graph")),
        ]
        for each in rest:
            if not (copy / each.relative_to(root)).exists():
                copy_of(each, copy / each.relative_to(root))

    return copied


def copy_of(source: Path, target: Path) -> None:
    made = subprocess.run(["cp", "-r", source, target], capture_output=True, text=True, check=False)
    complaints = made.stderr.splitlines()
    assert all("No such file or directory" in line for line in complaints), complaints  # it vanished meanwhile


def wait_until_closed(marks: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    unfinished = set(marks.iterdir())
    while unfinished & set(marks.iterdir()):
        assert time.monotonic() < deadline, "the writer does not get on"


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
@pytest.mark.parametrize(
    "copied",
    [tar, backed_up, in_order(YEAR, "open"), in_order("open", YEAR)],
    ids=["tar", "lattice backup", "entries first", "marks first"],
)
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
            say(restored, "ok")  # waits for the repair; what has its receipt already waits for nothing
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

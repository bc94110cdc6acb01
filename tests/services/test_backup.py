"""A copy of the folder is a backup, also one made while it is written to (docs/guarantees.md, G22)."""

from __future__ import annotations

import errno
import os
import random
import re
import subprocess
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from lattice_api.backups import Backups
from lattice_common.adapters.files.backup_archive import back_up, restore
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded
from lattice_common.errors import InvalidInput, Unavailable
from lattice_common.inspection import inspect

from tests.pipeline.living import PATIENCE, atoms_of, finished, open_store, say, send, started
from tests.services.door import opened

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


def test_a_backup_that_is_asked_for_over_http_restores_all_and_is_noted(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        door.tell("My sister Philippa plays the cello.")
        given = door.http.post("/api/backup")
        seen = door.http.get("/api/ops").json()
    named = re.search(r'filename="(lattice-\d{8}T\d{6}Z\.tar\.gz)"', given.headers["content-disposition"])
    assert named is not None
    assert seen["backup"] is not None
    packed = tmp_path / named[1]
    packed.write_bytes(given.content)
    made = restore(packed, tmp_path / "copy", lambda *_: None)
    assert (made.atoms, made.unreadable) == (1, ())
    assert "My sister Philippa plays the cello." in "".join(each.read_text() for each in (tmp_path / "copy").rglob("*.md"))


def test_a_backup_over_http_is_sealed_where_there_is_a_passphrase(tmp_path: Path) -> None:
    with opened(tmp_path / "data", backup_passphrase="a long walk") as door:
        (door.root / "journal").mkdir()
        given = door.http.post("/api/backup")
    assert given.headers["content-disposition"].endswith('.tar.gz.sealed"')
    packed = tmp_path / "sealed"
    packed.write_bytes(given.content)
    with pytest.raises(InvalidInput):
        restore(packed, tmp_path / "copy", lambda *_: None, passphrase="a short walk")
    assert restore(packed, tmp_path / "copy", lambda *_: None, passphrase="a long walk").files > 0


def test_whoever_stops_reading_a_backup_ends_it(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        (door.root / "journal").mkdir()
        (door.root / "logs").mkdir(exist_ok=True)
        for number in range(4):  # of no use to gzip, and more than a pipe holds
            (door.root / "logs" / f"noise-{number}").write_bytes(random.Random(number).randbytes(100_000))
        archives: Backups = door.app.state.backups
        pieces = archives.stream(archives.now())
        assert next(pieces)
        [writer] = [each for each in threading.enumerate() if each.name == "lattice-backup-download"]
        pieces.close()
        writer.join(PATIENCE)
        assert not writer.is_alive()
        assert door.http.get("/api/ops").json()["backup"] is None


def test_there_is_no_backup_of_nothing_and_one_that_cannot_be_finished_breaks_off(tmp_path: Path) -> None:
    with opened(tmp_path / "data", start=False) as door:
        refused = door.http.post("/api/backup")
        assert (refused.status_code, "nothing to back up" in refused.json()["detail"]) == (422, True)
        (door.root / "journal").mkdir()
        archives: Backups = door.app.state.backups
        pieces = archives.stream(archives.now())
        (door.root / "journal").rmdir()
        with pytest.raises(InvalidInput, match="no data folder"):
            list(pieces)


def test_a_backup_over_http_that_would_lack_a_file_breaks_off_and_is_not_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opens = os.open

    def refusing(path: Any, flags: int, *more: Any, **named: Any) -> int:
        """As a file of another user does; to root, who may run this, the disk refuses none."""
        if str(path).endswith("theirs.json"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opens(path, flags, *more, **named)

    with opened(tmp_path / "data", start=False) as door:
        (door.root / "journal").mkdir()
        (door.root / "journal" / "theirs.json").write_text("{}")
        archives: Backups = door.app.state.backups
        monkeypatch.setattr(os, "open", refusing)
        with pytest.raises(Unavailable, match=r"no backup: journal/theirs\.json"):
            list(archives.stream(archives.now()))
        assert door.http.get("/api/ops").json()["backup"] is None

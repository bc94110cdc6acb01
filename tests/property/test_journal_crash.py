"""Wherever the process dies: what was acknowledged is there, nothing is torn, nothing is in limbo, and going on ends well."""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.journal import STALE_MARK_SECONDS, FileJournal
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.domain.capture import Capture, Original
from lattice_common.domain.reading import Reading
from lattice_common.domain.receipt import FinalState, Receipt
from lattice_common.errors import Unavailable
from lattice_common.language.dates.reading import with_reading
from lattice_common.ports.journal import Plan, Tally

from tests.dying import Died, dying_at

CLOCK = FixedClock()
KEYED = Capture(CLOCK.new_id(), CLOCK.now(), "I live in Lisbon.", CLOCK.now(), idempotency_key="k", body_hash="h")
PLAIN = Capture(CLOCK.new_id(), CLOCK.now(), "I play the piano.", CLOCK.now())

CONTENT = b"%PDF-1.7 The rent is 900 euros."
ORIGINAL = Original("lease.pdf", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
LEASE = Capture(
    CLOCK.new_id(), CLOCK.now(), "", CLOCK.now(), source="document", trust="document", original=ORIGINAL, idempotency_key="lease",
    body_hash=ORIGINAL.sha256,
)  # fmt: skip
READING = Reading("pdf", "The rent is 900 euros.", title="Lease")


@dataclass
class Life:
    """One process: does the whole job, from wherever an earlier one left it, and remembers what it was promised."""

    root: Path
    promised: list[Capture] = field(default_factory=list)
    retried: bool = False

    def live(self) -> None:
        journal = FileJournal(self.root)
        journal.recover()
        for capture in (KEYED, PLAIN, LEASE):
            if replace(capture, capture_id="") in [replace(each, capture_id="") for each in self.promised]:
                continue
            found = self.send(journal, replace(capture, capture_id=CLOCK.new_id()) if capture.idempotency_key else capture)
            self.promised.append(replace(capture, capture_id=found))
        for entry_id in journal.open_ids():
            self.work(journal, entry_id, "dead" if entry_id == PLAIN.capture_id and not self.retried else "stored")
        if not self.retried:
            journal.retry(PLAIN.capture_id)
            self.retried = True
        for entry_id in journal.open_ids():
            self.work(journal, entry_id, "stored")

    def send(self, journal: FileJournal, capture: Capture) -> str:
        if capture.original is None:
            return journal.append(capture)[0]
        upload = journal.upload()
        upload.write(CONTENT[:9])
        upload.write(CONTENT[9:])
        try:
            return journal.append(capture, upload)[0]
        except Died:
            os.close(upload._descriptor or -1)  # the kernel lets go of the lock, and nobody removes the file
            upload._descriptor = None
            raise
        finally:
            upload.close()

    def work(self, journal: FileJournal, entry_id: str, state: FinalState) -> None:
        if journal.receipt(entry_id) is None:
            attempt = journal.begin(entry_id)
            if journal.original_path(entry_id) is not None:
                journal.write_reading(entry_id, READING)
            if journal.read_plan(entry_id) is None:
                journal.write_plan(Plan(entry_id, 0, 1, 1, (), (), (), (), (), Tally()))
            journal.finish(Receipt(entry_id, state, CLOCK.now(), attempts=attempt))
        journal.close_entry(entry_id)


def steps_of_a_life(tmp_path: Path) -> int:
    with dying_at(0) as passed:
        Life(tmp_path / "counted").live()
    return len(passed)


def check(life: Life) -> None:
    journal = FileJournal(life.root)
    for capture in life.promised:
        found = journal.read(capture.capture_id)
        assert found is not None
        if capture.original is not None:
            path = journal.original_path(capture.capture_id)
            assert path is not None
            assert path.read_bytes() == CONTENT
            reading = journal.read_reading(capture.capture_id)
            assert reading in (None, READING)
            capture = with_reading(capture, reading) if reading else capture
        assert replace(found, received_at=capture.received_at) == capture
    unfinished = set(journal.open_ids())
    for entry_id in journal.entries():
        assert journal.read(entry_id) is not None
        assert (journal.receipt(entry_id) is not None) or entry_id in unfinished, "neither in the work list nor ended"
        assert journal.status(entry_id) is not None


def test_no_moment_to_die_loses_tears_or_doubles_anything(tmp_path: Path) -> None:
    total = steps_of_a_life(tmp_path)
    assert total > 40
    for step in range(1, total + 1):
        life = Life(tmp_path / str(step))
        with dying_at(step), contextlib.suppress(Died):
            life.live()
        check(life)
        with dying_at(3), contextlib.suppress(Died):  # and the recovery dies as well
            life.live()
        check(life)
        life.live()
        journal = FileJournal(life.root)
        assert journal.open_ids() == []
        ends = {entry_id: journal.receipt(entry_id) for entry_id in journal.entries()}
        assert len(ends) == 3
        assert {receipt.state for receipt in ends.values() if receipt} == {"stored"}
        assert [journal.read_plan(entry_id) for entry_id in ends] == [None] * 3
        assert list(journal.recover()) == []
        assert list((life.root / "journal" / "spool").iterdir()) == []


def test_bytes_without_an_envelope_go_once_their_sender_is_dead_and_the_mark_when_it_is_old(tmp_path: Path) -> None:
    def hook(name: str) -> None:
        if name == "journal.append.original":
            raise Died

    durable.set_failpoint(hook)
    try:
        with pytest.raises(Died):
            Life(tmp_path).send(FileJournal(tmp_path), LEASE)
    finally:
        durable.set_failpoint(None)
    journal = FileJournal(tmp_path)
    assert list((tmp_path / "journal").rglob("*.original.pdf"))
    journal.recover()
    assert list((tmp_path / "journal").rglob("*.original.pdf")) == []
    mark = tmp_path / "journal" / "open" / LEASE.capture_id
    assert mark.exists(), "its append may be in flight"
    then = mark.stat().st_mtime - STALE_MARK_SECONDS - 1
    os.utime(mark, (then, then))
    journal.recover()
    assert not mark.exists()
    assert journal.open_ids() == []


def test_bytes_that_somebody_is_sending_stay(tmp_path: Path) -> None:
    def hook(name: str) -> None:
        if name == "journal.append.original":
            durable.set_failpoint(None)
            FileJournal(tmp_path).recover()

    durable.set_failpoint(hook)
    try:
        Life(tmp_path).send(FileJournal(tmp_path), LEASE)
    finally:
        durable.set_failpoint(None)
    path = FileJournal(tmp_path).original_path(LEASE.capture_id)
    assert path is not None
    assert path.read_bytes() == CONTENT


@pytest.mark.parametrize("key", [None, "k"])
def test_a_full_disk_at_any_step_of_an_append_is_refused_and_leaves_nothing_behind(tmp_path: Path, key: str | None) -> None:
    capture = replace(KEYED, idempotency_key=key)
    with dying_at(0) as passed:
        FileJournal(tmp_path / "counted").append(capture)
    for step in range(1, len(passed) - 1):
        journal = FileJournal(tmp_path / str(step))
        seen = iter(range(1, step + 1))

        def full(_: str, seen: Iterator[int] = seen, step: int = step) -> None:
            if next(seen, None) == step:
                raise OSError(28, "No space left on device")

        durable.set_failpoint(full)
        try:
            with pytest.raises((Unavailable, OSError)):
                journal.append(capture)
        finally:
            durable.set_failpoint(None)
        entry_id, created = journal.append(replace(capture, capture_id=CLOCK.new_id()))
        assert len(list(journal.entries())) == len(journal.open_ids())
        assert entry_id in journal.open_ids()
        assert created or list(journal.entries()) == [entry_id]


def test_a_mark_without_envelope_is_passed_over_and_dropped_once_it_is_old(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    journal.append(PLAIN)
    mark = tmp_path / "journal" / "open" / CLOCK.new_id()
    mark.touch()
    assert journal.open_ids() == [PLAIN.capture_id]
    journal.recover()
    assert mark.exists(), "its append may be in flight"
    then = mark.stat().st_mtime - STALE_MARK_SECONDS - 1
    os.utime(mark, (then, then))
    journal.recover()
    assert not mark.exists()
    assert journal.open_ids() == [PLAIN.capture_id]


def test_an_entry_whose_mark_a_backup_missed_is_opened_again(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    journal.append(PLAIN)
    (tmp_path / "journal" / "open" / PLAIN.capture_id).unlink()
    assert journal.recover() == [PLAIN.capture_id]
    assert journal.open_ids() == [PLAIN.capture_id]
    assert journal.recover() == []


def test_folders_are_the_owners_only(tmp_path: Path) -> None:
    FileJournal(tmp_path).append(KEYED)
    for path in (tmp_path / "journal").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


PREPARE = """
import sys
from pathlib import Path
from datetime import datetime, UTC
from ulid import ULID
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.domain.capture import Capture
def said(key):
    now = datetime.now(UTC)
    return Capture(str(ULID()).lower(), now, "I live in Lisbon.", now, idempotency_key=key, body_hash="h")
journal = FileJournal(Path(sys.argv[1]))
"""


def start(root: Path, code: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", PREPARE + code, str(root)], stdout=subprocess.PIPE, text=True)


def test_processes_that_append_one_key_at_once_make_one_entry(tmp_path: Path) -> None:
    appending = [start(tmp_path, "print(*[journal.append(said('k'))[0] for _ in range(50)])") for _ in range(4)]
    ids = {entry_id for process in appending for entry_id in process.communicate()[0].split()}
    assert len(ids) == 1
    assert list(FileJournal(tmp_path).entries()) == list(ids)


@pytest.mark.parametrize("acknowledged", [1, 7, 30])
def test_what_a_killed_process_acknowledged_is_there(tmp_path: Path, acknowledged: int) -> None:
    code = "n = 0\nwhile True:\n    n += 1\n    print(journal.append(said(str(n) if n % 2 else None))[0], flush=True)"
    with start(tmp_path, code) as process:
        assert process.stdout is not None
        first = [process.stdout.readline().strip() for _ in range(acknowledged)]
        process.kill()
        rest = process.stdout.read().split("\n")[:-1]
    journal = FileJournal(tmp_path)
    for entry_id in first + rest:
        assert journal.read(entry_id) is not None
    assert sorted(first + rest) == sorted(set(journal.open_ids()) & set(first + rest))
    for entry_id in journal.entries():
        assert journal.read(entry_id) is not None

"""The writer outlives what goes wrong beside its work: at the start, with nothing to do, with what hands have done."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.atom_files import usual_place
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.atom import atom_id_for
from lattice_common.domain.capture import Capture, DeleteAtom, EditAtom, UndoChange
from lattice_common.errors import Conflict
from lattice_common.ingest.pace import Pace

from tests.pipeline.living import AT_ONCE, atom_saying, change, current, finished, open_store, say, send, started
from tests.working import until


@pytest.fixture(autouse=True)
def _whole_disk() -> Iterator[None]:
    yield
    durable.set_failpoint(None)


def test_a_disk_that_is_full_during_the_repair_at_the_start_only_delays_it(tmp_path: Path) -> None:
    with started(tmp_path, pace=AT_ONCE) as store:
        say(store, "My sister lives in Turin.")
    shutil.rmtree(tmp_path / "graph")
    failures = 0

    def full(step: str) -> None:
        nonlocal failures
        if step == "durable.write.before_rename" and failures < 3:
            failures += 1
            raise OSError(errno.ENOSPC, "No space left on device")

    with open_store(tmp_path, pace=AT_ONCE) as store:
        waiting = send(store, IngestRequest(text="My brother lives in Oslo."))
        durable.set_failpoint(full)
        store.start()
        assert finished(store, waiting).state == "stored"
        assert failures == 3
        assert store.lattice.readiness().ready


def test_a_defect_in_a_step_at_the_start_is_told_in_words_and_tried_again(tmp_path: Path) -> None:
    with started(tmp_path, pace=AT_ONCE) as store:
        say(store, "My sister lives in Turin.")
    shutil.rmtree(tmp_path / "graph")

    def broken(_step: str) -> None:
        raise ValueError("My sister lives in Turin.")

    with open_store(tmp_path, pace=Pace(pause_seconds=0.05)) as store:
        durable.set_failpoint(broken)
        store.start()
        until("the pause to be said", lambda: store.writer.state().paused is not None)
        said = store.writer.state().paused
        assert said == "a step at the start or between two captures failed (the log says where); it is tried again"
        durable.set_failpoint(None)
        assert say(store, "My brother lives in Oslo.").state == "stored"
        assert store.writer.state().paused is None


def test_a_snapshot_of_the_subjects_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "subjects.json").mkdir()
    with started(tmp_path, pace=AT_ONCE) as store:
        say(store, "My sister lives in Turin.")
        assert say(store, "My brother lives in Oslo.").state == "stored"
        assert store.lattice.readiness().ready
    with started(tmp_path, pace=AT_ONCE) as store:  # the lock was given back
        assert len(current(store)) == 2


def test_a_damaged_journal_entry_is_dead_until_it_is_restored_and_stops_no_other(tmp_path: Path) -> None:
    with open_store(tmp_path, pace=AT_ONCE) as store:
        damaged = send(store, IngestRequest(text="My sister lives in Turin."))
        sound = send(store, IngestRequest(text="My brother lives in Oslo."))
    [envelope] = (tmp_path / "journal").rglob(f"{damaged}.json")
    was = envelope.read_bytes()
    envelope.write_bytes(was.replace(b"Turin", b"Milan"))
    with started(tmp_path, pace=AT_ONCE) as store:
        assert finished(store, sound).state == "stored"
        receipt = finished(store, damaged)
        assert receipt.state == "dead"
        assert "restore" in (receipt.reason or "")
        assert "Milan" not in (receipt.reason or "")
        envelope.write_bytes(was)
        store.lattice.retry(damaged)
        assert finished(store, damaged).state == "stored"


def test_undoing_a_deletion_that_hands_undid_already_stops_nothing(tmp_path: Path) -> None:
    with started(tmp_path, pace=AT_ONCE) as store:
        say(store, "My sister lives in Turin.")
        gone = change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
        [trashed] = (tmp_path / "trash").rglob("*.md")
        target = tmp_path / "atoms" / trashed.relative_to(tmp_path / "trash")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(trashed, target)
        change(store, UndoChange(gone))
        assert say(store, "My brother lives in Oslo.").state == "stored"
        assert store.lattice.readiness().ready
    with started(tmp_path, pace=AT_ONCE) as store:  # reads what the hand put there
        say(store, "ok")
        assert len(current(store)) == 2


def test_an_edit_that_no_file_can_hold_is_refused_and_stops_nothing(tmp_path: Path) -> None:
    with started(tmp_path, pace=AT_ONCE) as store:
        say(store, "My sister lives in Turin.")
        atom_id = atom_saying(store, "Turin").atom_id
        with pytest.raises(Conflict, match="larger"):
            change(store, EditAtom(atom_id, {"content": "x" * 300_000}, None))
        assert say(store, "My brother lives in Oslo.").state == "stored"
        assert atom_saying(store, "Turin").content == "My sister lives in Turin."


def test_what_nobody_rang_for_is_found_though_others_ring_all_the_time(tmp_path: Path) -> None:
    with started(tmp_path, pace=Pace(sweep_seconds=0.1)) as store:
        said = store.stores.worklog.read(say(store, "My sister lives in Turin.").capture_id)
        assert isinstance(said, Capture)
        forgotten = replace(said, capture_id=store.stores.clock.new_id())
        store.stores.worklog.append(forgotten)
        for number in range(2_000):
            say(store, f"Neighbour {number} is called Ada{number}.")
            if store.lattice.capture(forgotten.capture_id).receipt is not None:
                return
        pytest.fail("it was never found")


def test_a_plan_that_cannot_be_written_is_dead_after_three_attempts_and_stops_no_other(tmp_path: Path) -> None:
    with open_store(tmp_path, pace=AT_ONCE) as store:
        ids = [send(store, IngestRequest(text=text, priority="bulk")) for text in ("I own a kayak.", "My brother lives in Oslo.")]
        in_the_way = tmp_path / usual_place(atom_id_for(ids[0], 0))
        in_the_way.mkdir(parents=True)
        store.start()
        receipts = [finished(store, each) for each in ids]
        assert [(each.state, each.attempts) for each in receipts] == [("dead", 3), ("stored", 2)]
        assert "could not be written 3 times (Is a directory); look at the log" in (receipts[0].reason or "")
        assert str(tmp_path) not in (receipts[0].reason or "")
        assert receipts[0].atom_ids == ()
        assert say(store, "My sister lives in Turin.").state == "stored"
        in_the_way.rmdir()
        store.lattice.retry(ids[0])
        assert finished(store, ids[0]).state == "stored"
        assert atom_saying(store, "kayak").atom_id == atom_id_for(ids[0], 0)


def test_a_change_that_cannot_be_written_is_dead_and_says_so(tmp_path: Path) -> None:
    with started(tmp_path, pace=AT_ONCE) as store:
        say(store, "My sister lives in Turin.")
        atom_id = atom_saying(store, "Turin").atom_id
        in_the_way = tmp_path / usual_place(atom_id).replace("atoms/", "trash/")
        in_the_way.mkdir(parents=True)
        with pytest.raises(Conflict, match="Is a directory"):
            change(store, DeleteAtom(atom_id))
        assert say(store, "My brother lives in Oslo.").state == "stored"
        assert len(current(store)) == 2

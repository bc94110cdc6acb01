"""Folders and files that belong to somebody else: what may be read of them is, and what may not be written waits and is said."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.capture.request import IngestRequest
from lattice_common.ingest.pace import Pace
from lattice_common.inspection import inspect

from tests.pipeline.living import current, finished, say, send, started
from tests.rights import of_a_user
from tests.working import until

NOBODY = 65534


@pytest.fixture(autouse=True)
def _rights() -> Iterator[None]:
    with of_a_user():
        yield


def given_away(folder: Path) -> None:
    """All of it is another user's, who lets it be read; who is not root can give nothing away, and lets it be read alone."""
    for each in (*folder.rglob("*"), folder):
        each.chmod(0o555 if each.is_dir() else 0o444)
        if os.geteuid() == 0:
            os.chown(each, NOBODY, NOBODY)


def taken_back(folder: Path) -> None:
    for each in (folder, *folder.rglob("*")):
        if os.geteuid() == 0:
            os.chown(each, 0, 0)
        each.chmod(0o700 if each.is_dir() else 0o600)


def with_a_foreign_memory(root: Path) -> Path:
    with started(root) as store:
        receipt = say(store, "I live in Turin.")
    [memory] = (root / "atoms").rglob(f"{receipt.atom_ids[0]}.md")
    folder = root / "atoms" / "theirs"
    folder.mkdir()
    memory.rename(folder / memory.name)
    given_away(folder)
    return folder


def test_memories_in_a_folder_of_another_user_are_served_and_others_are_stored_beside_them(tmp_path: Path) -> None:
    folder = with_a_foreign_memory(tmp_path)
    with started(tmp_path) as store:
        until("the look at the start", lambda: not store.writer.state().starting)
        assert say(store, "My brother plays the oboe.").state == "stored"
        assert set(current(store)) == {"I live in Turin.", "My brother plays the oboe."}
    with inspect(tmp_path) as inspection:
        assert not [each for each in inspection.examine(lambda *_: None, exact_limit=100_000).findings if each.area == "file"]
    taken_back(folder)


def test_what_changes_a_memory_of_another_user_waits_says_so_and_is_carried_out_once_it_may(tmp_path: Path) -> None:
    folder = with_a_foreign_memory(tmp_path)
    with started(tmp_path, pace=Pace(pause_seconds=0.02)) as store:
        until("the look at the start", lambda: not store.writer.state().starting)
        moved = send(store, IngestRequest(text="I moved from Turin to Bonn."), "moved")
        later = send(store, IngestRequest(text="My brother plays the oboe."), "later")
        until("it to be said", lambda: "check who owns the data folder" in (store.writer.state().paused or ""))
        until("the status to say it", lambda: "check who owns the data folder" in store.lattice.status().writer)
        until("it not to be ready", lambda: not store.lattice.readiness().ready)
        taken_back(folder)
        assert finished(store, moved).state == "stored"
        assert finished(store, later).state == "stored"
        assert "I live in Turin." not in current(store)
        assert store.writer.state().paused is None

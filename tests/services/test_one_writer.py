"""One process writes: the second is refused, one that lost its lock stops, a dead one is followed at once.

docs/guarantees.md, G11.
"""

from __future__ import annotations

import multiprocessing
import os
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Command, EditAtom
from lattice_common.errors import Conflict
from lattice_common.ingest.commit import write_plans
from lattice_common.ingest.stores import Written
from lattice_common.ports.journal import Plan
from lattice_common.upkeep.commands import plan_command

from tests.pipeline.living import PATIENCE, atoms_of, finished, open_store, say, send, started


def hold(root: Path, held: Connection) -> None:
    """Open the folder, say so, and never let go."""
    with started(root) as store:
        send(store, IngestRequest(text="My sister lives in Turin."), "first")
        held.send(os.getpid())
        held.recv()


def edit_of(store: Embedded) -> Plan:
    action = EditAtom(next(iter(atoms_of(store))), {"content": "My sister lives in a tent."})
    plan = plan_command(Command(store.stores.clock.new_id(), store.stores.clock.now(), action), store.stores, 9)
    assert isinstance(plan, Plan)
    return plan


def test_a_second_writer_is_refused_and_told_who_holds_the_folder(tmp_path: Path) -> None:
    with open_store(tmp_path), pytest.raises(Conflict, match=f"pid {os.getpid()} "):
        open_store(tmp_path)
    open_store(tmp_path).close()


def test_a_killed_writer_is_followed_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("forkserver")
    here, there = context.Pipe()
    process = context.Process(target=hold, args=(tmp_path, there))
    process.start()
    try:
        assert here.poll(PATIENCE)
        with pytest.raises(Conflict, match=f"pid {here.recv()} "):
            open_store(tmp_path)
    finally:
        process.kill()
        process.join()
    with started(tmp_path) as store:
        assert finished(store, send(store, IngestRequest(text="My sister lives in Turin."), "first")).state == "stored"
        assert len(atoms_of(store)) == 1


def test_after_its_lock_file_was_made_anew_a_writer_commits_nothing_more(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin.")
    with open_store(tmp_path) as store:
        plan = edit_of(store)
        (tmp_path / ".writer.lock").unlink()
        with open_store(tmp_path) as newer:
            assert newer.stores.lock.epoch > store.stores.lock.epoch
            with pytest.raises(Conflict, match="was replaced"):
                write_plans(store.stores, [plan], Written())
        assert "Turin" in next(tmp_path.glob("atoms/**/*.md")).read_text()


def test_without_the_check_a_lost_writer_would_write_on(tmp_path: Path) -> None:
    class Unchecked:
        epoch = 1

        def check(self) -> None:
            """Look at nothing."""

        def release(self) -> None:
            """Hold nothing."""

    with started(tmp_path) as store:
        say(store, "My sister lives in Turin.")
    with open_store(tmp_path) as store:
        plan = edit_of(store)
        (tmp_path / ".writer.lock").unlink()
        write_plans(replace(store.stores, lock=Unchecked()), [plan], Written())
        assert "tent" in next(tmp_path.glob("atoms/**/*.md")).read_text()

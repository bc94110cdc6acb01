"""A folder of memories that cannot be read costs what is in it, until it can be read again, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.domain.receipt import Receipt
from lattice_common.inspection import inspect

from tests.pipeline.living import current, open_store, say, started
from tests.rights import of_a_user
from tests.working import until


@pytest.fixture(autouse=True)
def _rights(tmp_path: Path) -> Iterator[None]:
    with of_a_user():
        yield
    for folder in (tmp_path / "atoms").rglob("*"):
        if folder.is_dir():
            folder.chmod(0o700)


def locked(root: Path, name: str) -> Path:
    folder = root / "atoms" / name
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0)
    return folder


def test_a_store_starts_beside_a_folder_that_cannot_be_read_and_names_it(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin.")
    folder = locked(tmp_path, "private")
    with started(tmp_path) as store:
        assert say(store, "My brother lives in Oslo.").state == "stored"
        assert len(current(store)) == 2
        assert store.lattice.readiness().ready
        until("the folder to be named", lambda: any("atoms/private" in each for each in store.lattice.status().degraded))
    with inspect(tmp_path) as inspection:
        [finding] = inspection.examine(lambda *_: None, exact_limit=100_000).findings
    assert (finding.area, finding.thing) == ("file", "atoms/private")
    assert "Permission denied" in finding.problem
    with open_store(tmp_path) as store:
        assert store.rebuild(lambda *_: None).read == 2
    folder.chmod(0o700)


def test_a_disks_lost_and_found_is_nothing_to_speak_of(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin.")
    locked(tmp_path, "lost+found")
    with started(tmp_path) as store:
        say(store, "My brother lives in Oslo.")
        assert store.lattice.status().degraded == ()
    with inspect(tmp_path) as inspection:
        assert not inspection.examine(lambda *_: None, exact_limit=100_000).findings


def test_memories_in_a_folder_that_cannot_be_read_for_a_while_are_back_afterwards(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        receipt: Receipt = say(store, "My sister lives in Turin.")
    [memory] = (tmp_path / "atoms").rglob(f"{receipt.atom_ids[0]}.md")
    memory.parent.chmod(0)
    with started(tmp_path) as store:
        until("the look at the start", lambda: not store.writer.state().starting)
        assert current(store) == []
    memory.parent.chmod(0o700)
    with started(tmp_path) as store:
        until("the look at the start", lambda: not store.writer.state().starting)
        assert current(store) == ["My sister lives in Turin."]
        memory.parent.chmod(0)
        store.writer.queue.touched([memory.relative_to(tmp_path).as_posix()])
        assert store.writer.queue.caught_up(30)
        assert current(store) == []
        memory.parent.chmod(0o700)
        store.writer.queue.touched([memory.relative_to(tmp_path).as_posix()])
        assert store.writer.queue.caught_up(30)
        assert current(store) == ["My sister lives in Turin."]

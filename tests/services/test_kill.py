"""kill -9 at any moment: after a restart nothing is lost and nothing doubled (docs/guarantees.md, G1, G4).

Kills fall at random into starts, their repairs, and work; the state at the end is that of a run which nobody disturbed.
"""

from __future__ import annotations

import multiprocessing
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from lattice_common.inspection import inspect

from tests.services.importing import open_store, send

State: TypeAlias = tuple[str, dict[str, tuple[object, ...]]]

ENTRIES = {"talk": 24, "changes": 24, "long": 6}
"""How many conversations a stream has: a second of work or two."""

KILLS = 15
"""Of each stream, 45 in all; a machine that is done before it was killed so often begins again in a fresh folder."""


def run(root: Path, stream: str, *, kill_after: float | None) -> int | None:
    """A stream in a process of its own; its exit code (-9 when it was killed)."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.importing"])
    process = context.Process(target=send, args=(root, stream, ENTRIES[stream]))
    process.start()
    process.join(kill_after)
    process.kill()
    process.join()
    return process.exitcode


def state_of(root: Path) -> State:
    """The state hash and every receipt, without what says when or by whom."""
    with open_store(root) as embedded:
        journal = embedded.stores.worklog
        receipts = {}
        for entry_id in journal.entries():
            receipt = journal.receipt(entry_id)
            assert receipt is not None, f"{entry_id} has no receipt"
            changed = (receipt.changes, receipt.trashed, receipt.restored)
            receipts[entry_id] = (receipt.state, receipt.atom_ids, *changed, receipt.duplicates_skipped, receipt.rejected)
        return embedded.state_hash(), receipts


def kill_until_done(root: Path, stream: str, chance: random.Random, most: int) -> int:
    """How often it was killed before it came to its end, which nobody disturbs after `most` times."""
    killed = 0
    # A start takes about 0.1 s on a quiet machine, and the whole stream one: kills fall into both.
    while killed < most and run(root, stream, kill_after=chance.uniform(0.02, 0.5)) != 0:
        killed += 1
    assert run(root, stream, kill_after=None) == 0
    return killed


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], State]:
    """The state that a stream comes to when nobody disturbs it."""
    known: dict[str, State] = {}

    def of(stream: str) -> State:
        if stream not in known:
            root = tmp_path_factory.mktemp(stream)
            assert run(root, stream, kill_after=None) == 0
            known[stream] = state_of(root)
        return known[stream]

    return of


@pytest.mark.slow
@pytest.mark.parametrize(("stream", "seed"), [("talk", 1), ("changes", 2), ("long", 3)])
def test_a_stream_killed_again_and_again_ends_in_the_same_state(
    stream: str, seed: int, tmp_path: Path, undisturbed: Callable[[str], State]
) -> None:
    chance = random.Random(seed)
    killed = 0
    while killed < KILLS:
        root = Path(tempfile.mkdtemp(dir=tmp_path))
        killed += kill_until_done(root, stream, chance, KILLS - killed)
        expected_hash, expected_receipts = undisturbed(stream)
        found_hash, found_receipts = state_of(root)
        assert found_receipts == expected_receipts
        assert found_hash == expected_hash
        with inspect(root) as inspection:
            assert inspection.examine(lambda *_: None, exact_limit=100_000).findings == ()

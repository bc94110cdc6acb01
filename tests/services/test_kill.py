"""kill -9 at any moment of an import: after a restart nothing is lost and nothing doubled (RELIABILITY G1, G4)."""

from __future__ import annotations

import multiprocessing
import random
from pathlib import Path

import pytest
from lattice_common.domain.receipt import Receipt

from tests.services.importing import import_conversations, open_store

CONVERSATIONS = 40
KILLS = 40
SEEDS = (1, 2, 3)


def run(root: Path, *, kill_after: float | None) -> int | None:
    """An import in a process of its own; its exit code (−9 when it was killed)."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.importing"])
    process = context.Process(target=import_conversations, args=(root, CONVERSATIONS))
    process.start()
    process.join(kill_after)
    process.kill()
    process.join()
    return process.exitcode


def state_of(root: Path) -> tuple[str, dict[str, Receipt]]:
    """The state hash and every receipt, without what says when or by whom."""
    with open_store(root) as embedded:
        journal = embedded.stores.worklog
        receipts = {}
        for entry_id in journal.entries():
            receipt = journal.receipt(entry_id)
            assert receipt is not None, f"{entry_id} has no receipt"
            receipts[entry_id] = (receipt.state, receipt.atom_ids, receipt.changes, receipt.duplicates_skipped, receipt.rejected)
        return embedded.state_hash(), receipts


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Receipt]]:
    root = tmp_path_factory.mktemp("undisturbed")
    assert run(root, kill_after=None) == 0
    return state_of(root)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_an_import_killed_again_and_again_ends_in_the_same_state(
    seed: int, tmp_path: Path, undisturbed: tuple[str, dict[str, Receipt]]
) -> None:
    chance = random.Random(seed)
    killed = 0
    for _ in range(KILLS):
        # Imports take about a second here: most kills fall into work, some into the opening.
        code = run(tmp_path, kill_after=chance.uniform(0.02, 0.6))
        killed += code == -9
        if code == 0:
            break
    assert run(tmp_path, kill_after=None) == 0
    expected_hash, expected_receipts = undisturbed
    found_hash, found_receipts = state_of(tmp_path)
    assert found_receipts == expected_receipts
    assert found_hash == expected_hash
    assert killed >= 15, "the import was over before it was killed often enough to prove anything"

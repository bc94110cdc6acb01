"""What was shortened is found by the word in full, and the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.domain.recall import Query

from tests.pipeline.living import say, started


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Zuna acct no ZN-558201", "account"),
        ("My account at Zuna is ZN-558201", "what is my acct"),
        ("Zuna acct no ZN-558201", "acct"),
        ("talked to ines at lunch", "Ines"),
        ("Talked to Ines at lunch", "when did i talk to ines"),
    ],
)
def test_it_is_found_either_way(tmp_path: Path, told: str, asked: str) -> None:
    with started(tmp_path) as store:
        say(store, "The bins go out on Tuesdays.")
        (atom_id,) = say(store, told).atom_ids
        assert store.lattice.select(Query(asked)).atoms[0].atom.atom_id == atom_id

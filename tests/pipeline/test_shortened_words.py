"""What was shortened is found by the word in full, and the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest
from lattice_common.domain.recall import Query

from tests.pipeline.living import say, started

OTHERS = (
    "The bins go out on Tuesdays.",
    "Tom lives in Leeds.",
    "Bread is in the freezer.",
    "The boiler was serviced.",
    "Our cat sleeps upstairs.",
    "The fence needs paint.",
    "Choir sings on Mondays.",
    "Gran bakes scones.",
)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("Zuna acct no ZN-558201", "account"),
        ("Zuna acct no ZN-558201", "acct"),
    ],
)
def test_it_is_found_either_way(tmp_path: Path, told: str, asked: str) -> None:
    with started(tmp_path) as store:
        for other in OTHERS:
            say(store, other)
        (atom_id,) = say(store, told).atom_ids
        assert store.lattice.select(Query(asked)).atoms[0].atom.atom_id == atom_id

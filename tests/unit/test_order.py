"""The order of candidates does not depend on the rows that they have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
from lattice_common.ports.catalogue import Columns
from lattice_common.recall.order import best_first


def ordered(scores: list[float], atom_ids: list[str]) -> list[str]:
    columns = cast("Columns", SimpleNamespace(atom_ids=atom_ids))
    return [atom_ids[place] for place in best_first(np.array(scores), np.arange(len(scores)), columns)]


def test_the_highest_comes_first_and_of_equal_ones_the_newest() -> None:
    assert ordered([1.0, 3.0, 1.0, 2.0, 3.0], ["c", "a", "d", "e", "b"]) == ["b", "a", "e", "d", "c"]
    assert ordered([], []) == []
    assert ordered([0.0], ["a"]) == ["a"]


def test_candidates_that_stand_in_other_rows_are_in_the_same_order() -> None:
    scores, atom_ids = [0.5, 0.5, 0.5, 0.25, 0.25], ["b", "a", "c", "e", "d"]
    assert ordered(scores[::-1], atom_ids[::-1]) == ordered(scores, atom_ids)

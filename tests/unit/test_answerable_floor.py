"""The floor below which nothing answers rises with how much is known, between what was measured."""

from __future__ import annotations

import pytest
from lattice_common.recall.answerable import floor_of
from lattice_common.recall.weights import load_weights

FLOORS = ((10, -2.0), (1_000, 0.0))


def test_between_two_sizes_it_is_by_the_order_of_magnitude() -> None:
    assert floor_of(FLOORS, 100) == pytest.approx(-1.0)


def test_beyond_them_it_stays() -> None:
    assert [floor_of(FLOORS, count) for count in (0, 1, 10)] == [-2.0] * 3
    assert floor_of(FLOORS, 1_000_000) == 0.0


def test_the_packaged_floors_ascend() -> None:
    sureness = load_weights().sureness
    assert sureness is not None
    for floors in (sureness.judged_floors, sureness.unjudged_floors):
        sizes = [size for size, _ in floors]
        assert sizes == sorted(set(sizes))

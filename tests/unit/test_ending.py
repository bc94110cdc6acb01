"""What one piece of news ends is read from all that it was compared with."""

from __future__ import annotations

import numpy as np
import pytest
from lattice_common.adapters.models.ending import FEATURES, Ending, features
from lattice_common.domain.judgement import Relatedness


def found(updates: float, adds: float = 0.1) -> Relatedness:
    rest = (1 - updates) * (1 - adds)
    return Relatedness(updates=updates, adds=(1 - updates) * adds, same=rest * 0.1, unrelated=rest * 0.9)


def ending(**weights: float) -> Ending:
    return Ending(np.array([weights.get(name, 0.0) for name in FEATURES]), bias=0.0, typical=1.0)


def test_the_same_sureness_means_less_where_the_news_fits_something_else_as_well() -> None:
    read = ending(updates=0.5, surer=1.0)
    (alone,) = read.probabilities([found(0.8)], [0.5], whole=True)
    first, second = read.probabilities([found(0.8), found(0.8)], [0.5, 0.5], whole=True)
    assert first == pytest.approx(second)
    assert first < alone


def test_of_news_that_sounds_so_beside_everything_the_surest_stands_out_less() -> None:
    read = ending(others=-1.0)
    clear = read.probabilities([found(0.9), found(0.05), found(0.05)], [0.5] * 3, whole=True)
    noisy = read.probabilities([found(0.9), found(0.7), found(0.7)], [0.5] * 3, whole=True)
    assert noisy[0] < clear[0]


def test_what_is_not_known_to_be_all_it_was_compared_with_counts_as_having_a_usual_rival() -> None:
    read = ending(surer=1.0)
    (whole,) = read.probabilities([found(0.8)], [0.5], whole=True)
    (part,) = read.probabilities([found(0.8)], [0.5], whole=False)
    assert part < whole


def test_a_rival_that_is_surer_than_usual_counts_as_it_is() -> None:
    pair = [found(0.8), found(0.95)]
    surer = FEATURES.index("surer")
    assert features(pair, [0.5, 0.5], typical=1.0)[0, surer] == features(pair, [0.5, 0.5])[0, surer]


def test_the_order_of_the_statements_changes_nothing() -> None:
    read = ending(updates=1.0, adds=0.2, alike=1.0, surer=0.5, others=-0.3, nearer=0.7, adds_elsewhere=-0.1)
    shown, alike = [found(0.2), found(0.9, 0.5), found(0.6)], [0.1, 0.7, 0.3]
    forwards = read.probabilities(shown, alike, whole=True)
    assert read.probabilities(shown[::-1], alike[::-1], whole=True) == pytest.approx(forwards[::-1])


def test_probabilities_of_nought_and_one_are_finite_and_nothing_found_is_nothing() -> None:
    rows = features([found(0.0), found(1.0)], [0.0, 1.0])
    assert np.isfinite(rows).all()
    assert ending().probabilities([], [], whole=True) == []

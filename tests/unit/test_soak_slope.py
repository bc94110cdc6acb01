"""How much memory grows is told from noise: with what it lies between."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from bench.soak import Look, of_each, slope


def looks(minutes: int, grows: float, noise: float, seed: int = 1) -> list[Look]:
    """A look every five seconds at memory that grows by `grows` MB an hour, wavers, and peaks now and then."""
    chance = random.Random(seed)
    found = []
    for step in range(minutes * 12):
        at = 5.0 * step
        wave = math.sin(at / 40) + chance.gauss(0, 1) + (30 if chance.random() < 0.02 else 0)
        found.append(Look(at, int(300e6 + grows * 1e6 * at / 3600 + noise * 1e6 * wave), 20, 60))
    return found


@pytest.mark.parametrize("grows", [0.0, 0.8, 5.0, 22.0])
def test_what_grows_lies_within_what_is_said_of_it(grows: float) -> None:
    within = 0
    for seed in range(40):
        low, found, high = slope(looks(20, grows, 0.2, seed))
        assert low <= found <= high
        within += low <= grows <= high
    assert within >= 34, "of an interval of 95 %"


def test_peaks_and_noise_pass_for_no_growth_and_a_leak_for_no_noise() -> None:
    assert slope(looks(20, 0.0, 0.1))[0] <= 1 < slope(looks(20, 22.0, 0.1))[0]


def test_a_short_look_says_that_it_cannot_tell() -> None:
    low, _, high = slope(looks(4, 0.5, 1.0))
    assert low < 1 < high


def drifting(minutes: int, seed: int) -> list[Look]:
    """A look every five seconds at memory that grows by nothing, and goes a little up or down from where it was each minute, as
    where free pieces lie between used ones."""
    chance, at, drift = random.Random(seed), 0.0, 0.0
    found = []
    for step in range(minutes * 12):
        at = 5.0 * step
        if step % 12 == 0:
            drift = 0.8 * drift + chance.gauss(0, 1)
        found.append(Look(at, int(300e6 + 1e6 * drift + chance.gauss(0, 1e5)), 20, 60))
    return found


def test_what_drifts_up_and_down_is_rarely_taken_for_growth() -> None:
    intervals = [slope(drifting(40, seed)) for seed in range(60)]
    assert sum(low > 1 or high < -1 for low, _, high in intervals) <= 8, "a minute is like the one before: fewer of them count"


def test_where_nothing_moves_there_is_no_slope() -> None:
    assert slope([Look(5.0 * step, 300_000_000, 20, 60) for step in range(120)]) == (0.0, 0.0, 0.0)


def test_of_a_process_that_was_killed_no_slope_is_told_and_of_others_it_is() -> None:
    steady = looks(20, 0.0, 0.1)
    killed = [replace(each, process=int(each.at) // 300) for each in steady]
    table = of_each({"API": steady, "worker": killed, "new": steady[-1:]}, 120.0)
    starts, grows = (list(table.columns[column].cells) for column in (1, 4))
    assert (starts, grows[1]) == (["1", "4"], "killed")
    assert "to" in str(grows[0])
    assert list(table.columns[0].cells) == ["API", "worker"], "one look is too few to say anything"

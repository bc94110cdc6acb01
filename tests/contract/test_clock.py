"""The contract of `ports.clock`, on every adapter."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.ports.clock import Clock
from ulid import ULID

SOME_TIME = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def fixed(at: datetime) -> Clock:
    return FixedClock(at)


def system(at: datetime) -> Clock:
    return SystemClock()


@pytest.fixture(params=[fixed, system])
def clock_at(request: pytest.FixtureRequest) -> Callable[[datetime], Clock]:
    """Makes a clock that shows the given time, in a machine that shows it too."""
    made: Callable[[datetime], Clock] = request.param
    return made


@time_machine.travel(SOME_TIME, tick=False)
def test_the_time_carries_an_offset(clock_at: Callable[[datetime], Clock]) -> None:
    now = clock_at(SOME_TIME).now()
    assert now.utcoffset() is not None
    assert now == SOME_TIME


@time_machine.travel(SOME_TIME, tick=False)
def test_ids_are_ulids_in_lower_case_of_the_clocks_time(clock_at: Callable[[datetime], Clock]) -> None:
    given = clock_at(SOME_TIME).new_id()
    assert re.fullmatch("[0-7][0-9a-hjkmnp-tv-z]{25}", given)
    assert ULID.from_str(given.upper()).datetime == SOME_TIME


@time_machine.travel(SOME_TIME, tick=False)
def test_ids_grow_while_the_time_stands_still(clock_at: Callable[[datetime], Clock]) -> None:
    clock = clock_at(SOME_TIME)
    ids = [clock.new_id() for _ in range(1000)]
    assert ids == sorted(set(ids))


def test_ids_grow_when_the_clock_goes_back(clock_at: Callable[[datetime], Clock]) -> None:
    with time_machine.travel(SOME_TIME, tick=False) as machine:
        clock = clock_at(SOME_TIME)
        before = clock.new_id()
        machine.shift(timedelta(days=-1))
        if isinstance(clock, FixedClock):
            clock.advance(timedelta(days=-1))
        after = [clock.new_id() for _ in range(3)]
    assert [before, *after] == sorted({before, *after})


@pytest.mark.parametrize("back", [timedelta(seconds=1), timedelta(days=1), timedelta(days=40)])
def test_time_does_not_go_back_with_the_machines_clock_unless_that_was_wrong_by_days(
    clock_at: Callable[[datetime], Clock], back: timedelta
) -> None:
    at = SOME_TIME + timedelta(days=700)
    with time_machine.travel(at, tick=False) as machine:
        clock = clock_at(at)
        before = clock.now()
        machine.shift(-back)
        if isinstance(clock, FixedClock):
            clock.advance(-back)
        assert clock.machine() == at - back
        assert (clock.now() > before) is (back < timedelta(days=2))
        assert clock.ahead() == (None if back < timedelta(days=2) else before)
        machine.shift(back)
        if isinstance(clock, FixedClock):
            clock.advance(back)
        clock.now()
        assert clock.ahead() is None


@time_machine.travel(SOME_TIME, tick=False)
def test_threads_never_get_the_same_id(clock_at: Callable[[datetime], Clock]) -> None:
    clock = clock_at(SOME_TIME)
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda _: clock.new_id(), range(2000)))
    assert len(set(ids)) == len(ids)

"""The contract of `ports.queue`, on every adapter, and what the one in memory adds for tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.queue import ImmediateQueue
from lattice_common.domain.capture import Command, RemoveSource
from lattice_common.errors import Unavailable
from lattice_common.ports.queue import Queue
from lattice_common.settings import Settings
from lattice_common.wiring import Embedded, Model, open_embedded

PATIENCE = 30.0
"""Seconds that a test waits at most; it takes milliseconds."""


class House(Protocol):
    """A doorbell, and whoever may answer it."""

    @property
    def bell(self) -> Queue: ...

    def somebody_comes_home(self) -> None: ...

    def work(self) -> str:
        """The id of something to be done."""
        ...

    def is_done(self, entry_id: str) -> bool:
        """Whether it was done, waiting for it."""
        ...


class MemoryHouse:
    def __init__(self) -> None:
        self.bell = ImmediateQueue()
        self._clock = FixedClock()
        self._done: set[str] = set()

    def somebody_comes_home(self) -> None:
        self.bell.answer = self._done.add

    def work(self) -> str:
        return self._clock.new_id()

    def is_done(self, entry_id: str) -> bool:
        return entry_id in self._done


@dataclass
class ThreadHouse:
    """The writer's thread of the product."""

    embedded: Embedded

    @property
    def bell(self) -> Queue:
        return self.embedded.writer

    def somebody_comes_home(self) -> None:
        self.embedded.start()

    def work(self) -> str:
        clock = self.embedded.stores.clock
        entry_id, _ = self.embedded.stores.worklog.append(Command(clock.new_id(), clock.now(), RemoveSource("nothing")))
        return entry_id

    def is_done(self, entry_id: str) -> bool:
        return self.embedded.lattice.wait_for(entry_id, PATIENCE).receipt is not None


@pytest.fixture(params=["memory", "writer thread"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    if request.param == "memory":
        yield MemoryHouse()
        return
    with open_embedded(Settings(data_dir=tmp_path, embed_model="none"), clock=FixedClock(), model=Model(None)) as embedded:
        yield ThreadHouse(embedded)


def test_what_is_rung_for_is_done(house: House) -> None:
    house.somebody_comes_home()
    entry_id = house.work()
    assert house.bell.ring(entry_id, "interactive")
    assert house.is_done(entry_id)


def test_a_doorbell_that_nobody_hears_says_so(house: House) -> None:
    assert not house.bell.ring(house.work(), "bulk")


def test_ringing_twice_is_no_trouble(house: House) -> None:
    house.somebody_comes_home()
    entry_id = house.work()
    assert [house.bell.ring(entry_id, priority) for priority in ("interactive", "bulk")] == [True, True]
    assert house.is_done(entry_id)


def test_a_ring_for_what_is_not_there_stops_nobody(house: House) -> None:
    house.somebody_comes_home()
    house.bell.ring("01jd5k0000abcdefghjkmnpqrs", "interactive")
    house.bell.ring("no id at all", "bulk")
    entry_id = house.work()
    assert house.bell.ring(entry_id, "interactive")
    assert house.is_done(entry_id)


def test_a_ring_is_answered_before_it_returns() -> None:
    done: list[str] = []
    queue = ImmediateQueue(done.append)
    assert queue.ring("a", "interactive")
    assert done == ["a"]


def test_what_nobody_heard_is_remembered() -> None:
    queue = ImmediateQueue()
    queue.ring("a", "bulk")
    assert queue.rung == [("a", "bulk")]


def test_a_doorbell_never_raises_and_rings_again_after_a_failure() -> None:
    done: list[str] = []

    def work(entry_id: str) -> None:
        if entry_id == "bad":
            raise Unavailable("the disk is full")
        done.append(entry_id)

    queue = ImmediateQueue(work)
    queue.ring("bad", "interactive")
    queue.ring("good", "interactive")
    assert done == ["good"]
    assert [str(failure) for failure in queue.failures] == ["the disk is full"]


def test_work_that_rings_is_answered_after_it_and_not_inside_it() -> None:
    order: list[str] = []

    def work(entry_id: str) -> None:
        order.append(f"begin {entry_id}")
        if entry_id == "a":
            queue.ring("b", "interactive")
        order.append(f"end {entry_id}")

    queue = ImmediateQueue(work)
    queue.ring("a", "interactive")
    assert order == ["begin a", "end a", "begin b", "end b"]

"""The contract of `ports.queue`."""

from __future__ import annotations

from lattice_common.adapters.memory.queue import ImmediateQueue
from lattice_common.errors import Unavailable


def test_a_ring_is_answered_before_it_returns() -> None:
    done: list[str] = []
    queue = ImmediateQueue(done.append)
    assert queue.ring("a", "interactive")
    assert done == ["a"]


def test_a_doorbell_nobody_hears_says_so() -> None:
    queue = ImmediateQueue()
    assert not queue.ring("a", "bulk")
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

"""What is done again and again in a thread of its own."""

from __future__ import annotations

import threading

import pytest
from lattice_common.periodic import Periodic

PATIENCE = 30.0


def test_it_is_done_again_and_again_until_it_is_stopped_and_then_no_more() -> None:
    thrice, done = threading.Event(), []

    def step() -> float:
        done.append(threading.current_thread().name)
        if len(done) == 3:
            thrice.set()
        return 0.001

    periodic = Periodic("again", step)
    periodic.start()
    assert thrice.wait(PATIENCE)
    periodic.stop()
    counted = len(done)
    periodic.stop()
    assert (len(done), set(done)) == (counted, {"again"})
    with pytest.raises(RuntimeError):
        periodic.start()


def test_stopping_waits_for_what_is_being_done_and_for_no_pause() -> None:
    begun, ended = threading.Event(), threading.Event()
    going = threading.Event()

    def step() -> float:
        begun.set()
        going.wait(PATIENCE)
        ended.set()
        return 3600.0

    periodic = Periodic("slow", step)
    periodic.start()
    assert begun.wait(PATIENCE)
    threading.Timer(0.05, going.set).start()
    periodic.stop()
    assert ended.is_set()


def test_what_is_to_begin_later_and_is_stopped_before_is_never_done() -> None:
    done: list[int] = []

    def step() -> float:
        done.append(1)
        return 3600.0

    periodic = Periodic("late", step, after=3600.0)
    periodic.start()
    periodic.stop()
    assert not done

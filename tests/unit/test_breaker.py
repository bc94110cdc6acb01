"""A server that is away is not waited for again and again, and one that came back is used soon."""

from __future__ import annotations

import threading

from lattice_common.adapters.server.breaker import OPENS_AFTER, TRY_AGAIN_SECONDS, Breaker


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Clock) -> Breaker:
    breaker = Breaker(clock)
    for _ in range(OPENS_AFTER):
        breaker.failed()
    return breaker


def test_a_failure_or_two_stop_nobody() -> None:
    breaker = Breaker(Clock())
    for _ in range(OPENS_AFTER - 1):
        breaker.failed()
        assert breaker.lets_through()


def test_after_three_failures_in_a_row_nobody_is_sent_there() -> None:
    breaker = opened(Clock())
    assert not breaker.lets_through()


def test_failures_with_a_success_between_them_are_not_in_a_row() -> None:
    breaker = Breaker(Clock())
    for _ in range(OPENS_AFTER * 3):
        breaker.failed()
        breaker.succeeded()
    assert breaker.lets_through()


def test_after_a_while_one_is_let_through_and_the_others_still_are_not() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += TRY_AGAIN_SECONDS
    assert [breaker.lets_through() for _ in range(5)] == [True, False, False, False, False]


def test_what_that_one_meets_decides() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += TRY_AGAIN_SECONDS
    assert breaker.lets_through()
    breaker.failed()
    assert not breaker.lets_through()
    clock.now += TRY_AGAIN_SECONDS
    assert breaker.lets_through()
    breaker.succeeded()
    assert all(breaker.lets_through() for _ in range(5))


def test_one_that_never_comes_back_with_an_answer_blocks_nobody_for_ever() -> None:
    """Whoever was let through may have died on the way."""
    clock = Clock()
    breaker = opened(clock)
    for _ in range(3):
        clock.now += TRY_AGAIN_SECONDS
        assert breaker.lets_through()


def test_of_many_threads_one_is_let_through() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += TRY_AGAIN_SECONDS
    together, answers = threading.Barrier(8), []

    def ask() -> None:
        together.wait()
        answers.append(breaker.lets_through())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [False] * 7 + [True]

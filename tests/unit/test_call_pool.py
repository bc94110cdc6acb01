"""Places for calls: never more at once than there are, and none kept while an answer is made out."""

from __future__ import annotations

import threading

from lattice_common.ingest.extract.model.pool import CallPool


def test_the_next_call_begins_while_the_answer_to_the_one_before_is_made_out() -> None:
    pool, made_out, began = CallPool(1), threading.Event(), threading.Event()

    def slow_to_make_out() -> bool:
        with pool.calling():
            pass
        return made_out.wait(10)

    def next_one() -> None:
        with pool.calling():
            began.set()

    first = pool.submit(slow_to_make_out, urgent=False)
    second = pool.submit(next_one, urgent=False)
    assert began.wait(10)
    second.result(10)
    made_out.set()
    assert first.result(10)
    pool.close(1)


def test_there_are_never_more_calls_at_once_than_places_though_jobs_call_again() -> None:
    pool, counting, most, now = CallPool(3), threading.Lock(), 0, 0

    def job() -> None:
        nonlocal most, now
        for _ in range(3):
            with pool.calling():
                with counting:
                    now += 1
                    most = max(most, now)
                threading.Event().wait(0.001)
                with counting:
                    now -= 1

    for future in [pool.submit(job, urgent=number % 2 == 0) for number in range(40)]:
        future.result(10)
    assert most == 3
    pool.close(1)

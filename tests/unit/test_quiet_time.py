"""When the writer may turn to work of its own."""

from __future__ import annotations

from lattice_common.adapters.embedded.quiet_time import PUT_OFF_SECONDS, QuietTime

QUIET_SECONDS = 1.0


class Seconds:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_one_that_waited_alone_puts_nothing_off() -> None:
    quiet = QuietTime(Seconds(), QUIET_SECONDS)
    quiet.served(1)
    assert quiet.left() == 0.0


def test_many_that_waited_put_it_off_until_it_was_quiet_for_a_moment() -> None:
    seconds = Seconds()
    quiet = QuietTime(seconds, QUIET_SECONDS)
    quiet.served(2)
    assert quiet.left() == QUIET_SECONDS
    seconds.now += QUIET_SECONDS / 2
    quiet.served(50)
    assert quiet.left() == QUIET_SECONDS
    seconds.now += QUIET_SECONDS
    assert quiet.left() == 0.0


def test_who_never_stops_asking_does_not_keep_it_from_its_own_work_for_ever() -> None:
    seconds = Seconds()
    quiet = QuietTime(seconds, QUIET_SECONDS)
    pieces = 0
    for _ in range(1000):
        quiet.served(50)
        if quiet.left() == 0.0:
            pieces += 1
            quiet.worked()
        seconds.now += PUT_OFF_SECONDS / 100
    assert pieces == 9

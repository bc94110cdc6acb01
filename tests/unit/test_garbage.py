"""What limits garbage collection disturbs nobody else, and keeps what is left of an import out of it."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from lattice_common.adapters.embedded.garbage import COMMITS, SURVIVORS, LongLived

SECONDS = 2.0


@pytest.fixture
def long_lived() -> Iterator[LongLived]:
    thresholds = gc.get_threshold()
    made = LongLived()
    made.loaded()
    yield made
    made.closed()
    gc.set_threshold(*thresholds)


def test_a_tuple_that_is_made_while_the_writer_collects_is_made(long_lived: LongLived) -> None:
    """Where the writer looked at all objects, it failed with a `SystemError`, and the request with 500."""
    ends, failed = time.monotonic() + SECONDS, list[str]()

    def makes_tuples() -> None:
        while time.monotonic() < ends and not failed:
            try:
                tuple(each for each in range(40) if each % 3)
            except SystemError as error:
                failed.append(str(error))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=makes_tuples) for _ in range(2)]
        for each in threads:
            each.start()
        while time.monotonic() < ends and not failed:
            long_lived.committed()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(interval)
    assert failed == []


def test_what_an_import_leaves_is_frozen_and_a_little_is_not(long_lived: LongLived) -> None:
    before = gc.get_freeze_count()
    for _ in range(COMMITS):
        long_lived.committed()
    assert gc.get_freeze_count() == before
    left = [[str(number)] for number in range(SURVIVORS)]
    for _ in range(COMMITS):
        long_lived.committed()
    assert gc.get_freeze_count() >= before + len(left)

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from lattice_common.adapters.embedded.spare_memory import EVERY_SECONDS, SpareMemory


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux" or "musl" in sys.version, reason="what it mends is glibc's")
def test_what_is_free_between_things_that_stay_is_given_back_now_and_then() -> None:
    now = [0.0]
    spare = SpareMemory(lambda: now[0])
    held = [bytes(20_000) for _ in range(10_000)]
    kept = held[::100]
    del held
    before = resident()
    spare.now_and_then()
    assert resident() > before - 50_000_000
    now[0] += EVERY_SECONDS
    spare.now_and_then()
    assert resident() < before - 100_000_000
    assert len(kept) == 100

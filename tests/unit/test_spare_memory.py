from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from lattice_common.adapters.embedded.spare_memory import EVERY_SECONDS, SpareMemory

MOST_FAULTS = 100
"""Of one commit in two: it has seven, and 3,500 where all its memory is asked for anew. Some have more, as segments merge."""

COMMITTED = """
import resource, sys
from itertools import pairwise
from pathlib import Path
from lattice_common.adapters.embedded.spare_memory import limit_malloc
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from tests.contract.index_writer import store

limit_malloc()
index = TantivyLexicalIndex(Path(sys.argv[1]))
faults = []
for number in range(20):
    store(index, range(number, number + 1))
    index.commit()
    faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
index.close()
print(sorted(after - before for before, after in pairwise(faults[9:]))[5])
"""


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


@pytest.mark.skipif(sys.platform != "linux" or "musl" in sys.version, reason="what it mends is glibc's")
def test_a_commit_does_not_ask_the_system_for_all_its_memory_again(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COMMITTED, str(tmp_path)]
    told = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True)
    assert int(told.stdout) < MOST_FAULTS

"""What the models keep of memory when very many ask at the same time."""

from __future__ import annotations

import subprocess
import sys

import pytest
from lattice_common.adapters.models.runs_at_once import processors, runs_at_once

MOST_OF_ONE = 20_000_000
"""Bytes of a run of 8 pairs of 60 words: 14 MB of the layers', and what is put in and comes out."""
SLACK = 60_000_000
"""What the C library keeps for forty threads, and of words."""

ASKED = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from lattice_common.adapters.embedded.spare_memory import limit_malloc, give_back
from lattice_common.adapters.models.onnx_judge import OnnxJudge

def private():
    rollup = Path("/proc/self/smaps_rollup").read_text(encoding="ascii")
    return sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_Dirty:")) * 1024

limit_malloc()
judge = OnnxJudge(threads=1)
pairs = [("the copper lamp of my sister " * 5, "a winter coat for the garden " * 5)] * 8
judge.relations(pairs)
before = private()
with ThreadPoolExecutor(40) as pool:
    list(pool.map(lambda _: judge.relations(pairs), range(80)))
give_back()
print(private() - before)
"""


def test_as_many_run_at_once_as_there_are_processors_or_threads_for_one_call() -> None:
    for threads in (1, 64):
        gate = runs_at_once(threads)
        taken = [gate.acquire(blocking=False) for _ in range(max(threads, processors()) + 1)]
        assert taken == [True] * (len(taken) - 1) + [False]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_forty_who_ask_at_once_leave_no_memory_for_forty() -> None:
    told = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, timeout=300, check=True)
    assert int(told.stdout) < processors() * MOST_OF_ONE + SLACK

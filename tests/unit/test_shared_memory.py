"""All sessions of models take the memory of their runs from one arena of the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from lattice_common.adapters.models.exact_sessions import PRODUCT, exact_text_embedding, share_memory

RUNS = """
import json, sys
import numpy as np
import onnxruntime
from lattice_common.adapters.models.exact_sessions import PRODUCT, share_memory

def own():
    with open("/proc/self/smaps_rollup") as lines:
        return sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous:")) // 1024

sessions = []
for _ in range(8):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    if sys.argv[1] == "shared":
        share_memory(options)
    sessions.append(onnxruntime.InferenceSession(PRODUCT, options, providers=["CPUExecutionProvider"]))
before = own()
a, b = np.ones((1024, 1024), np.uint8), np.ones((1024, 4096), np.int8)
sums = {int(session.run(None, {"a": a, "b": b})[0][0, 0]) for session in sessions}
print(json.dumps([own() - before, sorted(sums)]))
"""


def kept(how: str) -> tuple[int, list[int]]:
    """Return the megabytes that eight sessions keep after a run each of 16 MB, and what the runs came to."""
    found = subprocess.run([sys.executable, "-c", RUNS, how], capture_output=True, text=True, check=True, env=os.environ)
    megabytes, sums = json.loads(found.stdout)
    return megabytes, sums


@pytest.mark.skipif(sys.platform != "linux", reason="/proc/self/smaps_rollup is of Linux")
def test_what_many_sessions_keep_is_what_one_run_took() -> None:
    together, sums = kept("shared")
    apart, _ = kept("apart")
    assert sums == [1024]
    assert together < apart / 2


def test_options_of_every_session_name_the_arena() -> None:
    import onnxruntime

    for share in (share_memory, lambda options: exact_text_embedding().add_extra_session_options(options, {})):
        options = onnxruntime.SessionOptions()
        share(options)
        assert options.get_session_config_entry("session.use_env_allocators") == "1"
        assert onnxruntime.InferenceSession(PRODUCT, options, providers=["CPUExecutionProvider"])

"""Measures one system on one collection: `python -m bench.peers.measure SYSTEM TASK FOLDER`, in a process of its own, so that its
memory is its own. Prints one line of JSON. `bench.peers` calls it.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.peers.system import System, Told

LIMIT = 20
WARM_UP = 5
"""Questions that are asked again at the start, and not counted."""


def opened(name: str, folder: Path, task: dict[str, Any]) -> System:
    """The system of this name. Imports only what it needs: what is measured is its memory, and peers may not be installed."""
    return _OPENING[name](folder, task)


def _bm25(folder: Path, _: dict[str, Any]) -> System:
    from bench.peers.plain import Bm25

    return Bm25(folder)


def _dense(folder: Path, _: dict[str, Any]) -> System:
    from bench.peers.plain import Dense

    return Dense(folder)


def _fused(folder: Path, _: dict[str, Any]) -> System:
    from bench.peers.plain import Fused

    return Fused(folder)


def _lattice(folder: Path, task: dict[str, Any]) -> System:
    from lattice_common.capture.request import IngestRequest

    from bench.peers.lattice_product import Lattice

    return Lattice(folder, [IngestRequest.model_validate(each) for each in task["requests"]])


def _mem0(folder: Path, _: dict[str, Any]) -> System:
    from bench.peers.mem0_memory import Mem0

    return Mem0(folder)


def _basic_memory(folder: Path, _: dict[str, Any]) -> System:
    from bench.peers.basic_memory_notes import BasicMemory

    return BasicMemory(folder)


_OPENING: dict[str, Callable[[Path, dict[str, Any]], System]] = {
    "Lattice": _lattice,
    "Lattice, text by text": _lattice,
    "BM25": _bm25,
    "dense": _dense,
    "RRF": _fused,
    "mem0": _mem0,
    "basic-memory": _basic_memory,
}


def measured(system: System, texts: list[Told], questions: list[str]) -> dict[str, Any]:
    """What telling and asking took, and what was found; times in seconds."""
    start, busy = time.perf_counter(), time.process_time()
    system.tell(texts)
    told = time.perf_counter() - start
    system.settle()
    settled, settled_busy = time.perf_counter() - start, time.process_time() - busy
    for question in questions[:WARM_UP]:
        system.find(question, LIMIT)
    took, took_busy, found = [], [], []
    for question in questions:
        start, busy = time.perf_counter(), time.process_time()
        found.append(system.find(question, LIMIT))
        took.append(time.perf_counter() - start)
        took_busy.append(time.process_time() - busy)
    return {
        "version": system.version(),
        "python": platform.python_version(),
        "told_s": told,
        "settled_s": settled,
        "settled_cpu_s": settled_busy,
        "find_s": took,
        "find_cpu_s": took_busy,
        "found": found,
    }


def disk_bytes(folder: Path) -> int:
    """What a folder takes on its disk."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))


def main() -> None:
    name, task_path, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    task = json.loads(task_path.read_text(encoding="utf-8"))
    with contextlib.redirect_stdout(sys.stderr):  # of peers that print
        system = opened(name, folder, task)
        values = measured(system, [Told(**each) for each in task["texts"]], task["questions"])
        values["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        system.close()
        values["disk_mb"] = disk_bytes(folder) / 1e6
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()
    os._exit(0)  # some peers leave threads behind that would wait for the network


if __name__ == "__main__":
    main()

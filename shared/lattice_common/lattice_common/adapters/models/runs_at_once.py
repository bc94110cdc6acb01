"""How many runs of a model go on at the same time: as many as there are processors.

onnxruntime keeps the memory of a run for the next one, 14 MB for a batch of the judge, and of as many as ever went on at the same
time: forty clients that asked in one moment left 570 MB; one
more than ever before took more, hours after the start. Runs that share processors are no quicker than runs that take turns.
"""

from __future__ import annotations

import os
from threading import BoundedSemaphore


def runs_at_once(threads: int) -> BoundedSemaphore:
    """Return what a run of a model holds meanwhile; `threads` are those that one call may use by itself."""
    return BoundedSemaphore(max(threads, processors()))


def processors() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS
    return len(affinity(0)) if affinity else os.cpu_count() or 1

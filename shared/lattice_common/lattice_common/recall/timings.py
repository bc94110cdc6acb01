"""Durations of questions, stage by stage, since the process started: the last few thousand, numbers only."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import quantiles

KEPT = 2_000
"""Latest durations of each kind that a distribution is made of."""
TRACED = 256
"""Questions whose stages are kept for a trace, which is written when their answer ends."""


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds by stage, counts, and the missing legs (`lexical`, `dense`), of one question."""

    stages: Mapping[str, float] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Latency:
    """In milliseconds, of the latest `KEPT`; `count` is of all since the start."""

    count: int
    p50: float
    p95: float
    longest: float


def legs_of(degraded: Iterable[str]) -> tuple[str, ...]:
    """Return the missing legs, by name alone (`lexical`, `dense`, …): the reasons may quote addresses and names of files."""
    return tuple(dict.fromkeys(each.partition(":")[0] for each in degraded))


class Timings:
    """Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timed: OrderedDict[str, Timed] = OrderedDict()
        self._took: dict[str, deque[float]] = {}
        self._counts: dict[str, int] = {}

    def question(self, trace_id: str, timed: Timed) -> None:
        """Keep what one question took."""
        with self._lock:
            self._timed[trace_id] = timed
            while len(self._timed) > TRACED:
                self._timed.popitem(last=False)
        for stage, milliseconds in timed.stages.items():
            self.took(stage, milliseconds)

    def of(self, trace_id: str) -> Timed:
        """Return the timings of a question, while they are kept."""
        with self._lock:
            return self._timed.get(trace_id, Timed())

    def took(self, kind: str, milliseconds: float) -> None:
        """Record a duration: of a stage, or of a whole `select` or `answer`."""
        with self._lock:
            self._took.setdefault(kind, deque(maxlen=KEPT)).append(milliseconds)
            self._counts[kind] = self._counts.get(kind, 0) + 1

    def latencies(self) -> dict[str, Latency]:
        """Return latencies by kind, in the order in which they were first seen."""
        with self._lock:
            kept = {kind: sorted(values) for kind, values in self._took.items()}
            counts = dict(self._counts)
        return {kind: _latency(counts[kind], values) for kind, values in kept.items()}


def latency_of(milliseconds: Sequence[float]) -> Latency | None:
    """Return the latency of durations in any order; None where there are none."""
    return _latency(len(milliseconds), sorted(milliseconds)) if milliseconds else None


def _latency(count: int, values: list[float]) -> Latency:
    """Return the latency of sorted `values`; there is at least one."""
    if len(values) == 1:
        return Latency(count, *(round(values[0], 2) for _ in range(3)))
    cuts = quantiles(values, n=20, method="inclusive")
    return Latency(count, round(cuts[9], 2), round(cuts[18], 2), round(values[-1], 2))

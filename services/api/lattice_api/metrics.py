"""Numbers for Prometheus, in a registry of the app's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lattice_common.upkeep.status import Status
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"})
"""Anybody may send a method of their own making; each would be a time series for ever."""


class _Store(Collector):
    """Asks the product when it is asked."""

    def __init__(self, status: Callable[[], Status]) -> None:
        self._status = status

    def collect(self) -> Iterator[Metric]:
        status = self._status()
        yield GaugeMetricFamily("lattice_atoms", "Atoms in the store", value=status.atoms)
        captures = GaugeMetricFamily("lattice_captures", "Unfinished and dead captures", labels=["state"])
        for state, count in status.captures.items():
            captures.add_metric([state], count)
        yield captures


class Metrics:
    """What `/metrics` shows."""

    def __init__(self, status: Callable[[], Status]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Store(status))
        self._requests = Counter(
            "lattice_requests", "Requests by route and status", ["method", "route", "status"], registry=self._registry
        )
        self._seconds = Histogram(
            "lattice_request_seconds",
            "Time to answer",
            ["method", "route"],
            registry=self._registry,
            buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30),
        )

    def count_request(self, method: str, route: str, status: int, seconds: float) -> None:
        method = method if method in METHODS else "OTHER"
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self) -> bytes:
        """Prometheus' text format."""
        return generate_latest(self._registry)

"""Numbers for Prometheus, in a registry of the app's own. The bot's stand in its heartbeat: it has no address of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import orjson
from lattice_common.upkeep.status import Status
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"})
"""Anybody may send a method of their own making; each would be a time series for ever."""


class _Store(Collector):
    """Asks the product when it is asked."""

    def __init__(self, status: Callable[[], Status], failures: Callable[[], Mapping[str, int]]) -> None:
        self._status = status
        self._failures = failures

    def collect(self) -> Iterator[Metric]:
        status = self._status()
        yield GaugeMetricFamily("lattice_atoms", "Atoms in the store", value=status.atoms)
        captures = GaugeMetricFamily("lattice_captures", "Unfinished and dead captures", labels=["state"])
        for state, count in status.captures.items():
            captures.add_metric([state], count)
        yield captures
        failed = CounterMetricFamily("lattice_failures", "What went wrong for whoever used memory", labels=["kind"])
        for kind, count in self._failures().items():
            failed.add_metric([kind], count)
        yield failed


class _Bot(Collector):
    """What the Telegram bot last said of itself; nothing where there is none, or where its file says something else."""

    def __init__(self, heartbeat: Path) -> None:
        self._heartbeat = heartbeat

    def collect(self) -> Iterator[Metric]:
        try:
            said = orjson.loads(self._heartbeat.read_bytes())
            at, strangers, waiting = float(said["at"]), int(said["strangers"]), int(said["waiting"])
        except (OSError, ValueError, KeyError, TypeError):
            return
        yield GaugeMetricFamily("lattice_telegram_heartbeat_timestamp_seconds", "When the bot last said it goes on", value=at)
        yield CounterMetricFamily("lattice_telegram_strangers", "Messages of strangers, all ignored", value=strangers)
        yield GaugeMetricFamily("lattice_telegram_waiting", "Messages of the owner's that are not answered yet", value=waiting)


class Metrics:
    """What `/metrics` shows. `bot` is the heartbeat of the Telegram bot, which need not be there."""

    def __init__(self, status: Callable[[], Status], failures: Callable[[], Mapping[str, int]], bot: Path) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Store(status, failures))
        self._registry.register(_Bot(bot))
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

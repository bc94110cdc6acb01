"""Numbers for Prometheus, in a registry of the app's own. The bot's stand in its heartbeat: it has no address of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import orjson
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from lattice_api.operations import Operations

METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"})
"""Anybody may send a method of their own making; each would be a time series for ever."""


class _Store(Collector):
    """Looks when it is asked."""

    def __init__(self, look: Callable[[], Operations]) -> None:
        self._look = look

    def collect(self) -> Iterator[Metric]:
        seen = self._look()
        yield GaugeMetricFamily("lattice_atoms", "Atoms in the store", value=seen.atoms)
        yield _by("lattice_captures", "Unfinished and dead captures", "state", seen.captures)
        yield GaugeMetricFamily(
            "lattice_capture_longest_wait_seconds", "Since when the capture waits that waits longest", value=seen.longest_wait
        )
        today = seen.days[0]
        yield GaugeMetricFamily("lattice_told_today", "Captures and commands that were taken in today", value=today.told)
        yield GaugeMetricFamily("lattice_ended_today", "Those of them that have their receipt", value=today.ended)
        yield _by("lattice_captures_ended", "How the latest 200 captures ended", "state", seen.ended)
        yield _by("lattice_rejected", "The latest 200 candidates that were not believed", "reason", seen.rejected)
        failed = CounterMetricFamily("lattice_failures", "What went wrong for whoever used memory", labels=["kind"])
        for kind, count in seen.failures.items():
            failed.add_metric([kind], count)
        yield failed
        yield GaugeMetricFamily("lattice_writer_up", "Whether captures are being worked on", value=int(seen.writer_up))
        yield _by("lattice_degraded", "What answers go without", "part", dict.fromkeys(seen.degraded, 1))
        yield GaugeMetricFamily("lattice_started_timestamp_seconds", "When this process started", value=seen.since.timestamp())
        yield from _took(seen)
        yield from _spent(seen)
        yield GaugeMetricFamily("lattice_disk_free_bytes", "Room on the data folder's disk", value=seen.disk.free)
        yield GaugeMetricFamily("lattice_disk_total_bytes", "The data folder's disk", value=seen.disk.total)
        if seen.backup is not None:
            yield GaugeMetricFamily(
                "lattice_backup_timestamp_seconds", "When the last backup was made", value=seen.backup.timestamp()
            )


def _by(name: str, help_: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, help_, labels=[label])
    for each, value in values.items():
        family.add_metric([each], value)
    return family


def _took(seen: Operations) -> Iterator[Metric]:
    """Yield distributions of the latest durations, which `/api/usage/stats` shows in milliseconds."""
    seconds = GaugeMetricFamily("lattice_recall_seconds", "How long the latest questions took", labels=["stage", "quantile"])
    counted = CounterMetricFamily("lattice_recall", "Questions, and stages of them", labels=["stage"])
    for stage, each in seen.latencies.items():
        counted.add_metric([stage], each.count)
        seconds.add_metric([stage, "0.5"], each.p50 / 1000)
        seconds.add_metric([stage, "0.95"], each.p95 / 1000)
    yield seconds
    yield counted
    if (found := seen.found_after) is not None:
        after = GaugeMetricFamily("lattice_found_after_seconds", "From told to found, of the latest", labels=["quantile"])
        after.add_metric(["0.5"], found.p50 / 1000)
        after.add_metric(["0.95"], found.p95 / 1000)
        yield after


def _spent(seen: Operations) -> Iterator[Metric]:
    """Yield what language models cost since midnight."""
    calls = GaugeMetricFamily("lattice_model_calls_today", "Calls to language models", labels=["model", "purpose"])
    read = GaugeMetricFamily("lattice_model_tokens_today", "Tokens of them", labels=["model", "purpose", "kind"])
    cost = GaugeMetricFamily("lattice_model_cost_today", "What they cost, at the owner's prices", labels=["model", "purpose"])
    for each in seen.model:
        calls.add_metric([each.model, each.purpose], each.calls)
        read.add_metric([each.model, each.purpose, "prompt"], each.prompt)
        read.add_metric([each.model, each.purpose, "completion"], each.completion)
        cost.add_metric([each.model, each.purpose], each.cost)
    yield from (calls, read, cost)


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

    def __init__(self, look: Callable[[], Operations], bot: Path) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Store(look))
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
        """Return the metrics in Prometheus' text format."""
        return generate_latest(self._registry)

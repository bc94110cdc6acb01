"""How Lattice runs, in numbers and our own words: what `/ops`, `/metrics` and the log's `vitals` show, from one snapshot.

In a deployment the writer is in another container: its last failures come with its heartbeat, everything else is in the data
folder, which both see.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
from lattice_common.adapters.files.backup_archive import BACKUPS
from lattice_common.adapters.files.egress_log import EGRESS
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.files.per_day import Day, PerDay
from lattice_common.adapters.files.token_ledger import Spent
from lattice_common.adapters.models.open_language_model import open_ledger
from lattice_common.domain.receipt import seconds_since
from lattice_common.lattice import Lattice
from lattice_common.logs import RECENT
from lattice_common.ports.clock import Clock
from lattice_common.recall.timings import Latency, latency_of, legs_of
from lattice_common.settings import Settings

DAYS = 7
"""Days that the page looks back."""
LOOKED_AT = 200
"""The latest captures, and quarantined candidates, that are counted."""
SHOWN = 50
"""Lines of a log."""


@dataclass(frozen=True, slots=True)
class Disk:
    """The data folder's disk, in bytes."""

    free: int
    total: int

    @property
    def free_percent(self) -> float:
        return round(100.0 * self.free / self.total, 2) if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Operations:
    """One snapshot. `longest_wait` is in seconds; `days` are the last ones, today first; `ended` counts the latest captures by
    state, `found_after` is how many milliseconds the stored ones took; `latencies` and `failures` are since the start; `left`
    is what was last sent to models on other machines, `events` are the last failures, both newest first."""

    at: datetime
    since: datetime
    parts: Mapping[str, str]
    degraded: tuple[str, ...]
    atoms: int
    captures: Mapping[str, int]
    longest_wait: float
    days: Sequence[Day]
    ended: Mapping[str, int]
    found_after: Latency | None
    rejected: Mapping[str, int]
    latencies: Mapping[str, Latency]
    failures: Mapping[str, int]
    model: Sequence[Spent]
    disk: Disk
    backup: datetime | None
    left: Sequence[Mapping[str, Any]]
    events: Sequence[Mapping[str, Any]]

    @property
    def writer_up(self) -> bool:
        """Return whether captures are being worked on."""
        return self.parts.get("writer") == "up"

    @property
    def asked(self) -> int:
        """Return how many questions were asked."""
        return self.latencies["answer"].count if "answer" in self.latencies else 0

    @property
    def unanswered(self) -> int:
        """Return how many of them had no answer."""
        return self.failures.get("no_answer", 0)


class Looking:
    """Takes snapshots on request. Safe to use from several threads."""

    def __init__(self, product: Lattice, settings: Settings, clock: Clock, space: str = "") -> None:
        self._product = product
        self._root = settings.data_dir
        self._space = space
        self._clock = clock
        self._ledger = open_ledger(settings, clock)
        self._per_day = PerDay(settings.data_dir, self._ledger)
        self._backups = FileLineLog(settings.data_dir, BACKUPS)
        self._egress = FileLineLog(settings.data_dir, EGRESS)

    def look(self) -> Operations:
        """Return a snapshot. Raise as `Lattice` does."""
        status, readiness, stats = self._product.status(), self._product.readiness(), self._product.stats()
        latest, _ = self._product.captures(state=None, limit=LOOKED_AT, cursor=None)
        took = [
            1000.0 * seconds_since(each.capture_id, each.receipt.finished_at)
            for each in latest
            if each.receipt is not None and each.state == "stored"
        ]
        return Operations(
            at=self._clock.now(),
            since=stats.since,
            parts=readiness.parts,
            degraded=legs_of(status.degraded),
            atoms=status.atoms,
            captures=status.captures,
            longest_wait=self._product.longest_wait(),
            days=self._per_day.last(DAYS, self._clock.now()),
            ended=Counter(each.state for each in latest if each.receipt is not None),
            found_after=latency_of(took),
            rejected=Counter(each.reason for each in self._product.rejected(LOOKED_AT)),
            latencies=stats.latencies,
            failures=stats.failures,
            model=self._ledger.today(),
            disk=self._disk(),
            backup=self._last_backup(),
            left=list(islice(self._egress.readable(), SHOWN)),
            events=self._events(),
        )

    def _disk(self) -> Disk:
        found = shutil.disk_usage(self._root)
        return Disk(found.free, found.total)

    def _last_backup(self) -> datetime | None:
        for line in self._backups.readable():
            try:
                return datetime.fromisoformat(str(line["ts"])).astimezone(UTC)
            except (KeyError, ValueError, OverflowError):
                continue
        return None

    def _events(self) -> list[dict[str, Any]]:
        """Return the events of this process and of the worker's; where there are several owners, those of this memory."""
        try:
            beat: dict[str, Any] = dict(orjson.loads((self._root / Path("index", "writer.json")).read_bytes()))
        except (OSError, ValueError, TypeError):
            beat = {}  # embedded there is none, and a worker that never started has told nothing
        told: list[dict[str, Any]] = [*RECENT.lines(self._space), *beat.get("recent", ())]
        # A worker of an earlier version tells those of all, and of none whose they are.
        ours = [line for line in told if not self._space or line.get("space") == self._space]
        lines = sorted(ours, key=lambda line: -float(line["at"]))[:SHOWN]
        return [{**_without_space(line), "at": datetime.fromtimestamp(float(line["at"]), UTC).isoformat()} for line in lines]


def _without_space(line: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in line.items() if name != "space"}

"""What memory is like and how it does, in numbers only: how its memories are distributed, how long questions take, what failed.

Nothing here is a word of anybody's: kinds are those that the product makes itself, all others count as `other`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import KINDS
from lattice_common.domain.judgement import STATUSES
from lattice_common.domain.score import SECONDS_PER_DAY
from lattice_common.ports.catalogue import Columns
from lattice_common.recall.timings import Latency, Timings

OTHER = "other"
PERSISTENCE = ("ephemeral", "short_term", "long_term")
"""In the order of `ports.catalogue.Columns.persistence`."""
TRUSTS = ("user", "assistant", "document", "web")
"""In the order of `ports.catalogue.Columns.trust`."""
AGES = {"a day": 1.0, "a week": 7.0, "a month": 30.0, "half a year": 182.0, "a year": 365.0, "five years": 1826.0}
"""Up to how many days."""
OLDER = "older"
BANDS = (0.2, 0.4, 0.6, 0.8, 1.0)
QUALITIES = (0.5, 0.9, 1.0, 1.1, 1.5, 2.0)


@dataclass(frozen=True, slots=True)
class Stats:
    """`since` the process started: `latencies` in milliseconds by kind (`answer`, `select`, and each stage), and `failures`, by a
    closed list. `distributions` are of the memories that are there."""

    since: datetime
    latencies: Mapping[str, Latency]
    failures: Mapping[str, int]
    distributions: Mapping[str, Mapping[str, int]]


def stats_of(since: datetime, now: datetime, timings: Timings, failures: Mapping[str, int], columns: Columns) -> Stats:
    """Return how memories are distributed, how long questions take and what failed, as of `now`."""
    return Stats(since, timings.latencies(), failures, distributions(columns, now))


def distributions(columns: Columns, now: datetime) -> dict[str, dict[str, int]]:
    """Return how many memories there are of each kind, status, trust, persistence, standing, age, confidence, quality, and number
    of recalls. About ten milliseconds at 100,000."""
    rows = columns.living()
    current = ~columns.superseded[rows]
    age = (now.timestamp() - columns.observed_at[rows]) / SECONDS_PER_DAY
    aside = columns.archived[rows]
    return {
        "standing": {
            "current": int(np.count_nonzero(current & ~aside)),
            "replaced": int(np.count_nonzero(~current)),
            "archived": int(np.count_nonzero(current & aside)),
        },
        "kind": _kinds(columns, rows),
        "status": _named(columns.status[rows], STATUSES),
        "trust": _named(columns.trust[rows], TRUSTS),
        "persistence": _named(columns.persistence[rows], PERSISTENCE),
        "age": _ages(age),
        "confidence": _bands(columns.confidence[rows].astype(np.float64), BANDS),
        "quality": _bands(columns.quality[rows].astype(np.float64), QUALITIES),
        "recalls": _recalls(columns.recall_count[rows]),
    }


def _kinds(columns: Columns, rows: npt.NDArray[np.int64]) -> dict[str, int]:
    numbers = columns.kind[rows]
    found = {kind: int(np.count_nonzero(numbers == columns.kinds[kind])) for kind in KINDS if kind in columns.kinds}
    other = len(rows) - sum(found.values())
    return {kind: number for kind, number in {**found, OTHER: other}.items() if number}


def _named(numbers: npt.NDArray[np.integer], names: tuple[str, ...]) -> dict[str, int]:
    counts = np.bincount(numbers[numbers >= 0].astype(np.int64), minlength=len(names))
    return {name: int(counts[at]) for at, name in enumerate(names) if counts[at]}


def _ages(days: npt.NDArray[np.float64]) -> dict[str, int]:
    at = np.searchsorted(np.array(list(AGES.values())), days)
    counts = np.bincount(at, minlength=len(AGES) + 1)
    return {name: int(counts[place]) for place, name in enumerate((*AGES, OLDER)) if counts[place]}


def _bands(values: npt.NDArray[np.float64], ends: tuple[float, ...]) -> dict[str, int]:
    at = np.minimum(np.searchsorted(np.array(ends), np.round(values, 6)), len(ends) - 1)
    counts = np.bincount(at, minlength=len(ends))
    return {f"to {end:g}": int(counts[place]) for place, end in enumerate(ends) if counts[place]}


def _recalls(counts: npt.NDArray[np.int32]) -> dict[str, int]:
    groups = {"never": counts == 0, "once": counts == 1, "to ten times": (counts > 1) & (counts <= 10), "more": counts > 10}
    return {name: int(np.count_nonzero(of_it)) for name, of_it in groups.items() if of_it.any()}

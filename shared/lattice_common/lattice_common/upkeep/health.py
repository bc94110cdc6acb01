"""The health of a memory, as one number with its parts.

A part is a kind of thing that the doctor checks, and its share is how many of those are sound. The number is the share of the
weakest part, in percent, rounded down: 100 is a memory without findings, and an index that is away makes it 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lattice_common.upkeep.doctor import Area, Examined


@dataclass(frozen=True, slots=True)
class Part:
    """`unwell` of the `looked_at` things of an area have a finding; `percent` are sound, rounded down to a tenth."""

    area: Area
    looked_at: int
    unwell: int
    percent: float


@dataclass(frozen=True, slots=True)
class Health:
    """`percent` is that of the weakest part."""

    percent: float
    parts: tuple[Part, ...]


WHOLE = frozenset(("the index", "the file", "the files", "the service", "the graph"))
"""Things that stand for their whole area in a finding: what cannot be checked cannot be called sound."""


def health_of(examined: Examined) -> Health:
    """Return the health that a deep look comes to."""
    parts = tuple(_part(area, count, examined) for area, count in examined.looked_at.items())
    return Health(min((part.percent for part in parts), default=100.0), parts)


def _part(area: Area, count: int, examined: Examined) -> Part:
    found = {each.thing for each in examined.findings if each.area == area}
    # There may be more things than were counted: an entry of an index without a file is one, too.
    of_all = max(count, len(found))
    unwell = of_all if found & WHOLE else len(found)
    share = 1.0 if of_all == 0 else 1.0 - unwell / of_all
    return Part(area, of_all, unwell, math.floor(1000 * share) / 10)

"""How well a memory is, as one number with its parts.

A part is a kind of thing that the doctor looks at, and its share is how many of those are well. The number is the share of the
weakest part, in percent, rounded down: 100 is a memory in which nothing was found, and an index that is away makes it 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lattice_common.upkeep.doctor import Area, Examined


@dataclass(frozen=True, slots=True)
class Part:
    """`unwell` of the `looked_at` things of an area have a finding; `percent` are well, rounded down to a tenth."""

    area: Area
    looked_at: int
    unwell: int
    percent: float


@dataclass(frozen=True, slots=True)
class Health:
    """`percent` is that of the weakest part."""

    percent: float
    parts: tuple[Part, ...]


WHOLE = frozenset(("the index", "the file", "the service", "the graph"))
"""Things that stand for all of their area in a finding: what cannot be asked cannot be called well."""


def health_of(examined: Examined) -> Health:
    """Return the health that a deep look comes to."""
    parts = tuple(_part(area, count, examined) for area, count in examined.looked_at.items())
    return Health(min((part.percent for part in parts), default=100.0), parts)


def _part(area: Area, count: int, examined: Examined) -> Part:
    found = {each.thing for each in examined.findings if each.area == area}
    # More things than were looked at: what is in an index and has no file is one, too.
    of_all = max(count, len(found))
    unwell = of_all if found & WHOLE else len(found)
    share = 1.0 if of_all == 0 else 1.0 - unwell / of_all
    return Part(area, of_all, unwell, math.floor(1000 * share) / 10)

"""The time that a question names by an event, by the memory of that event: "before I changed jobs", "the week after the wedding".

The clause is looked up like a question of its own; the best memory that tells it, or contains most of its words, gives the time.
Without one, the time is unknown, and the question is answered without it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.language.dates.periods import midnight
from lattice_common.language.questions.anchor import Anchor
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.ports.catalogue import Columns

HITS = 6
"""Memories that are considered."""
AROUND = 60 * 86_400.0
"""Seconds on each side of a momentary event that count as "when" it happened."""
OF_ONE_STAY = timedelta(days=30)
"""How far from the best memory of a stay others may lie that tell of the same one."""
_DAY = timedelta(days=1)


def anchored(anchor: Anchor, found: Sequence[Atom], columns: Columns, today: date) -> AskedPeriod | None:
    """Return the time given by the memory of the event: the best of `found` (best first) that is about it. `today`: from
    where a yearly day is seen."""
    about = [atom for atom in found if anchor.tells(atom.content)]
    if anchor.yearly:
        days = (anchor.day_in(each.content, each.observed_at.date(), today) for each in about)
        day = next((each for each in days if each is not None), None)
        return None if day is None else _days(anchor, datetime(day.year, day.month, day.day, tzinfo=UTC))
    if not about:
        return None
    if anchor.days is not None:
        return _days(anchor, midnight(_began(about[0])))
    if anchor.side == "on":
        begins = midnight(_began(about[0]))
        return AskedPeriod(begins.timestamp(), (begins + _DAY).timestamp(), anchor.only)
    if anchor.stay and len(about) > 1:
        return _stay(anchor, about)
    return _beside(anchor, about[0], columns)


def _began(atom: Atom) -> datetime:
    return atom.valid_from or atom.observed_at


def _days(anchor: Anchor, day: datetime) -> AskedPeriod:
    """Return so many days before or after a day, or around it."""
    days = anchor.days or 1
    match anchor.side:
        case "before":
            begins, ends = day - days * _DAY, day
        case "after":
            begins, ends = day + _DAY, day + (1 + days) * _DAY
        case _:
            begins, ends = day - (days // 2) * _DAY, day + (days - days // 2) * _DAY
    return AskedPeriod(begins.timestamp(), ends.timestamp(), anchor.only, within=True)


def _stay(anchor: Anchor, about: Sequence[Atom]) -> AskedPeriod:
    """Return from the first to the last day of which something tells of one stay."""
    best = _began(about[0])
    days = [midnight(_began(each)) for each in about if abs(_began(each) - best) <= OF_ONE_STAY]
    return AskedPeriod(min(days).timestamp(), (max(days) + _DAY).timestamp(), anchor.only)


def _beside(anchor: Anchor, atom: Atom, columns: Columns) -> AskedPeriod:
    begins = _began(atom).timestamp()
    if anchor.side == "before":
        return AskedPeriod(-math.inf, begins)
    if anchor.side == "after":
        return AskedPeriod(begins, math.inf)
    row = columns.row_of[atom.atom_id]
    over = np.nanmin([columns.valid_until[row], columns.superseded_at[row], math.inf])
    return AskedPeriod(begins, float(over)) if math.isfinite(over) else AskedPeriod(begins - AROUND, begins + AROUND)

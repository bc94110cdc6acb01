"""The confidence in a memory long after it was told: it halves with time, at a rate that depends on the memory's persistence.

It is computed from the file whenever it is needed, and nothing is written for it, so that a memory that is told again is as sure
as before. It decides what is offered for the archive, never what may be cited.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import Atom, Persistence
from lattice_common.domain.last_said import said_at
from lattice_common.domain.score import SECONDS_PER_DAY

Floats = npt.NDArray[np.float64]

HALF_LIFE_DAYS: Mapping[Persistence, float] = {"ephemeral": 180.0, "short_term": 365.0, "long_term": 1825.0}
"""Days in which confidence halves. A memory that was told once (0.8) falls below `FAINT` after eight months, a year and five
months, or seven years."""
CITABLE = 0.2
"""Confidence never falls below this by age alone: an old memory can still be found and cited."""
FAINT = 0.3
"""Below this, a memory that was not recalled is offered for the archive."""
UNRECALLED = timedelta(days=90)
EPHEMERAL_UNRECALLED = timedelta(days=270)
"""How long no answer may have cited a memory that is offered: any faint one, and an ephemeral one however sure."""

_PERSISTENCE: tuple[Persistence, ...] = ("ephemeral", "short_term", "long_term")
"""In the order of `ports.catalogue.Columns.persistence`."""
_HALF_LIVES = np.array([HALF_LIFE_DAYS[each] for each in _PERSISTENCE])


def decayed(confidence: float, persistence: Persistence, age: timedelta) -> float:
    """Return `confidence` after `age`; never below `CITABLE`, unless it was before."""
    after = float(confidence * 2.0 ** (-max(age.total_seconds(), 0.0) / SECONDS_PER_DAY / HALF_LIFE_DAYS[persistence]))
    return max(after, min(confidence, CITABLE))


def decayed_each(confidence: Floats, persistence: npt.NDArray[np.int8], age_days: Floats) -> Floats:
    """Return the same of many; `persistence` as columns number it."""
    after = confidence * np.exp2(-np.maximum(age_days, 0.0) / _HALF_LIVES[persistence])
    return np.asarray(np.maximum(after, np.minimum(confidence, CITABLE)))


def last_used(atom: Atom) -> datetime:
    """Return when the atom was last told or recalled."""
    said = said_at(atom)
    return max(said, atom.last_recalled_at) if atom.last_recalled_at else said


def is_faded(atom: Atom, now: datetime) -> bool:
    """Return whether nobody has used it for long, and it is faint or was of its day only."""
    unused = now - last_used(atom)
    if atom.persistence == "ephemeral" and unused >= EPHEMERAL_UNRECALLED:
        return True
    return unused >= UNRECALLED and decayed(atom.confidence, atom.persistence, now - said_at(atom)) < FAINT

"""How settled a memory is: of the moment (`stm`), an event (`episodic`), or lasting (`semantic`).

The file names the lasting tier, or `stm` for what concerns its day only. What was said within the last 48 hours is `stm`,
whatever the file names: that is computed when it is needed, so that no file is written because time passes. Use settles a memory:
being told again, or recalled by an answer.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from lattice_common.domain.atom import Atom, Tier

SETTLES_AFTER = timedelta(hours=48)

TOLD = "told"
"""Metadata key: how often the owner has told it, from the second time on."""


def times_told(atom: Atom) -> int:
    """Return how often the owner has told it; 1 for what was told once."""
    told = atom.metadata.get(TOLD)
    return told if isinstance(told, int) and not isinstance(told, bool) and told > 1 else 1


def settled_tier(atom: Atom) -> Tier:
    """Return the tier of an atom once it has been used or is old enough."""
    if atom.tier != "stm":
        return atom.tier
    return "semantic" if atom.memory_type == "semantic" else "episodic"


def tier_at(atom: Atom, now: datetime) -> Tier:
    """Return the tier of an atom at a time."""
    if atom.recall_count or times_told(atom) > 1:
        return settled_tier(atom)
    return "stm" if now - atom.observed_at < SETTLES_AFTER else atom.tier

"""How settled a memory is: of the moment (`stm`), something that happened (`episodic`), or how things are (`semantic`).

The file names what a memory is for good, or `stm` for what is of its day only. What was said within the last 48 hours is of the
moment, too, whatever the file names: that is worked out whenever it is asked for, so that no file is written because time passes.
Using it settles it: told again, or recalled by an answer.
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
    """Return what it is once it is used or old enough."""
    if atom.tier != "stm":
        return atom.tier
    return "semantic" if atom.memory_type == "semantic" else "episodic"


def tier_at(atom: Atom, now: datetime) -> Tier:
    """Return what it is now."""
    if atom.recall_count or times_told(atom) > 1:
        return settled_tier(atom)
    return "stm" if now - atom.observed_at < SETTLES_AFTER else atom.tier

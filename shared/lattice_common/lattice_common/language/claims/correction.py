"""Corrections inside one sentence: "Tom moved here from York, not Leeds." denies what "Tom moved here from Leeds." says."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.text import analyze

_DENIED = lazy_regex(
    # ", not Leeds", "(nicht Köln)", " - pas le mardi"
    r"[,;(—–-]\s*(?:and |und |et )?(?:not|nicht|pas|non|niet|não|nie)\s+"
    r"(?:(?:from|in|at|on|to|the|a|an|my|our|aus|in|am|der|die|das|de|le|la|les|di|da|van|het|do|em|z|w)\s+)?([\w'’.-]+)",
    re.IGNORECASE,
)
LEAST_SHARED = 0.5
"""Share of the older statement's other words that the newer one must contain, so that both are about the same."""


def corrects(newer: str, older: str) -> bool:
    """Return whether `newer` denies a word of `older` and says another in its place, of the same thing."""
    found = _DENIED.search(newer)
    if found is None:
        return False
    denied, said = set(analyze(found[1])), set(analyze(newer[: found.start()] + " " + newer[found.end() :]))
    before = set(analyze(older))
    rest = before - denied
    if not denied or not denied <= before or denied & said or not rest:
        return False
    return len(rest & said) >= LEAST_SHARED * len(rest) and bool(said - before)

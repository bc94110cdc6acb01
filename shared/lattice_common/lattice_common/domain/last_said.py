"""When a memory was last said: at first, or again since."""

from __future__ import annotations

from datetime import datetime

from lattice_common.domain.atom import Atom

LAST_SAID = "last_said_at"
"""Metadata key: when a fact was last said again, ISO 8601. Only what is newer than that may retire the fact."""


def said_at(atom: Atom) -> datetime:
    """Return when the fact was last said, as far as is known."""
    last = atom.metadata.get(LAST_SAID)
    if not isinstance(last, str):
        return atom.observed_at
    try:
        parsed = datetime.fromisoformat(last)
    except ValueError:  # a hand may have written anything there
        return atom.observed_at
    return max(parsed, atom.observed_at) if parsed.tzinfo else atom.observed_at

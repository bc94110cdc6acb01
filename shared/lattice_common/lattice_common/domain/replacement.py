"""What changed when a newer memory took the place of an older one, for people: old → new, and since which day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from lattice_common.domain.atom import Atom

UNKNOWN = "none"
"""What a reason says of an older statement that names no value."""

_APPOINTED = frozenset(("event", "reminder", "goal"))
"""Kinds whose date is that of what is going to happen, not that from which on something holds."""

_VALUES = re.compile(r" \((?P<slot>[^():]+): (?:no longer (?P<ended>.+)|(?P<before>.+?) → (?P<after>.+))\)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Change:
    """Of "I live in Berlin" and "I moved to Lisbon": Berlin and Lisbon. `after` is None where it only ended."""

    before: str
    after: str | None


def reason_of(content: str, slot: str, before: str, after: str | None) -> str:
    """Why a memory was replaced, as it stands in its file; `change_in` reads the values out of it again."""
    values = f"{before or UNKNOWN} → {after}" if after is not None else f"no longer {before}"
    return f"replaced by “{content}” ({slot}: {values})"


def change_in(reason: str | None) -> Change | None:
    """The values that a reason names; None where it names none, or not both of them."""
    found = _VALUES.search(reason or "")
    if found is None:
        return None
    if found["ended"]:
        return Change(found["ended"], None)
    return Change(found["before"], found["after"]) if found["before"] != UNKNOWN else None


def without_values(reason: str | None) -> str | None:
    """A reason as a sentence, without the name of what was compared and its values."""
    return _VALUES.sub("", reason) if reason else reason


def changed_on(newer: Atom, older: Atom) -> datetime:
    """Since when `newer` holds in the place of `older`: an appointment is another since the day on which that was said, not
    since the new one's."""
    since = None if {newer.kind, older.kind} & _APPOINTED else newer.valid_from
    return since or newer.observed_at

"""What changed when a newer memory superseded an older one, for people: old → new."""

from __future__ import annotations

import re
from dataclasses import dataclass

SHOWN = 60
"""Characters of a memory that a reason quotes."""

UNKNOWN = "none"
"""What a reason gives for an older statement that names no value."""

_VALUES = re.compile(r" \((?P<slot>[^():]+): (?:no longer (?P<ended>.+)|(?P<before>.+?) → (?P<after>.+))\)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Change:
    """The values of two statements: for "I live in Berlin" and "I moved to Lisbon", Berlin and Lisbon. `after` is None where it
    only ended."""

    before: str
    after: str | None


def quoted(content: str) -> str:
    """Return a memory as a reason quotes it: the beginning of a long one."""
    return f"“{content if len(content) <= SHOWN else content[: SHOWN - 1].rstrip() + '…'}”"


def replaced_by(content: str) -> str:
    """Return why a memory was replaced, for people."""
    return f"replaced by {quoted(content)}"


def reason_of(content: str, slot: str, before: str, after: str | None) -> str:
    """Return why a memory was replaced, as it stands in its file; `change_in` reads the values out of it again."""
    values = f"{before or UNKNOWN} → {after}" if after is not None else f"no longer {before}"
    return f"{replaced_by(content)} ({slot}: {values})"


def change_in(reason: str | None) -> Change | None:
    """Return the values that a reason names; None where it names none, or not both of them."""
    found = _VALUES.search(reason or "")
    if found is None:
        return None
    if found["ended"]:
        return Change(found["ended"], None)
    return Change(found["before"], found["after"]) if found["before"] != UNKNOWN else None


def without_values(reason: str | None) -> str | None:
    """Return a reason as a sentence, without the name of what was compared and its values."""
    return _VALUES.sub("", reason) if reason else reason

"""Whether a change was taken back since, and by what: for whoever shows it, in whichever window, and offers to put it back.

Undoing is a change itself, and can be undone. The log has `{ts, undone, by}` for each; a change stands where an even number of
them follow from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from lattice_common.ports.clock import Clock
from lattice_common.ports.line_log import LineLog

LOOKED_BACK = 5_000


@dataclass(frozen=True, slots=True)
class Standing:
    """How a change stands: whether it is `undone` now, and the change that turns this round if it is undone."""

    undone: bool
    change_id: str


def note_undo(lines: LineLog, clock: Clock, undone: str, by: str) -> None:
    """Note that one change took back another. Raise `Unavailable` (507) when the disk takes no line."""
    lines.append([{"ts": clock.now().isoformat(), "undone": undone, "by": by}])


def standing(lines: LineLog, change_ids: Iterable[str]) -> dict[str, Standing]:
    """Return how changes stand, by their ids; those that were never undone are left out."""
    followed: dict[str, str] = {}
    for line in islice(lines.newest(), LOOKED_BACK):
        undone, by = line.get("undone"), line.get("by")
        if isinstance(undone, str) and isinstance(by, str):
            followed.setdefault(undone, by)
    found = {}
    for change_id in change_ids:
        last, turned = change_id, False
        seen = {change_id}
        while (following := followed.get(last)) is not None and following not in seen:
            last, turned = following, not turned
            seen.add(last)
        if last != change_id:
            found[change_id] = Standing(turned, last)
    return found

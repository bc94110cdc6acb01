"""Whether everything told through any door is being saved by itself, and when it last was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from lattice_common.domain.capture import Capture
from lattice_common.domain.chat import ChatTurn
from lattice_common.ports.journal import Journal, whole_entry, whole_receipt
from lattice_common.upkeep.status import Readiness, Status

LOOKED_BACK = 2_000
"""Turns of the conversation that are read: today's, and those that show when a door was last heard from."""
ENTRIES_LOOKED_AT = 20
"""Entries of the journal that are read, newest first; few of them are no captures."""


@dataclass(frozen=True, slots=True)
class SavedThrough:
    """What came through one door: when its last capture was saved, and how many were today."""

    last_saved_at: datetime
    today: int


@dataclass(frozen=True, slots=True)
class AutoSave:
    """`enabled` while captures are processed; else `reason` says why they wait: they are kept all the same, and processed later.
    `waiting` are kept and not read yet, `dead` could not be read; `inbox` counts files, as in `Status`. Imports are deliberate,
    and counted in `last_saved_at` only."""

    enabled: bool
    reason: str | None
    waiting: int
    dead: int
    last_saved_at: datetime | None
    saved_today: int
    by_channel: Mapping[str, SavedThrough]
    inbox: Mapping[str, int]


def auto_save(turns: Iterable[ChatTurn], journal: Journal, status: Status, readiness: Readiness, now: datetime) -> AutoSave:
    """Return whether everything told is being saved. `turns` are those of the conversation, newest first; what was told is among
    them once it is saved."""
    found: dict[str, SavedThrough] = {}
    for turn in islice(turns, LOOKED_BACK):
        if not turn.told:
            continue
        door = turn.channel or "unknown"
        known = found.get(door, SavedThrough(turn.ts, 0))
        is_todays = turn.ts.astimezone(now.tzinfo).date() == now.date()
        found[door] = SavedThrough(max(known.last_saved_at, turn.ts), known.today + is_todays)
    by_channel = dict(sorted(found.items(), key=lambda each: each[1].last_saved_at, reverse=True))
    lasts = [each.last_saved_at for each in by_channel.values()]
    journaled = _last_in(journal)
    return AutoSave(
        enabled=readiness.ready,
        reason=None if readiness.ready else readiness.parts.get("writer", status.writer),
        waiting=status.captures.get("waiting", 0),
        dead=status.captures.get("dead", 0),
        last_saved_at=max([*lasts, *([journaled] if journaled else [])], default=None),
        saved_today=sum(each.today for each in by_channel.values()),
        by_channel=by_channel,
        inbox=status.inbox,
    )


def _last_in(journal: Journal) -> datetime | None:
    """Return when the newest capture was finished: the log of the conversation has no imports, and may have been cleared."""
    for entry_id in islice(journal.entries(), ENTRIES_LOOKED_AT):
        receipt = whole_receipt(journal, entry_id)
        if receipt is None or receipt.state not in ("stored", "duplicate"):
            continue
        if isinstance(whole_entry(journal, entry_id), Capture):
            return receipt.finished_at
    return None

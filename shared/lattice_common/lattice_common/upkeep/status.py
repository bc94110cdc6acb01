"""How the store is, in a few numbers."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np

from lattice_common.ports.atoms import Unreadable
from lattice_common.ports.catalogue import CatalogueReader, Columns
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import Journal
from lattice_common.recall.in_review import count_in_review

TOP_SUBJECTS = 10
NAMED = 3
"""Files that are named of those that cannot be read."""


@dataclass(frozen=True, slots=True)
class Status:
    """`captures` counts unfinished and dead captures by state; `degraded` names what recall goes without, and why."""

    atoms: int
    captures: Mapping[str, int]
    subjects: Mapping[str, int]
    """The ten subjects with most atoms."""
    streak: int
    """Days in a row, up to today or yesterday, on which something was remembered."""
    engines: Mapping[str, str]
    model: str | None
    versions: Mapping[str, str]
    degraded: tuple[str, ...]
    writer: str
    inbox: Mapping[str, int] = field(default_factory=dict)
    """Files in the inbox, see `capture.inbox.InboxState`."""
    language_model: Mapping[str, str | int | bool | None] = field(default_factory=dict)
    """What is asked, whether it answers, and what it has cost today; see `adapters.models.open_language_model`."""
    reflection: Mapping[str, bool | int] = field(default_factory=dict)
    """Whether it may look over the memory (`consolidate`, `serendipity`), its `calls` in the last day and their `limit`."""
    migration: Mapping[str, int] = field(default_factory=dict)
    """What older memories are brought up to date in: its number, `looked_at` and `of`; empty while there is none under way."""
    in_review: int = 0
    """Pairs of memories of which the newer may have made the older untrue, which their owner has not settled."""
    judging_behind: int = 0
    """Memories, most of them of an import, that have not been compared yet with what they may make untrue."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """`ready` when questions are answered and captures kept; `parts` says of each part `up`, or what is the matter."""

    ready: bool
    parts: Mapping[str, str]


def status_of(catalogue: CatalogueReader, journal: Journal, clock: Clock) -> Status:
    """Return what the store itself knows; engines, model and writer are the composition root's to fill in."""
    open_ids = journal.open_ids()
    dead, _ = journal.listing(state="dead", limit=1000, cursor=None)
    top = heapq.nsmallest(TOP_SUBJECTS, catalogue.subjects().items(), key=lambda each: (-each[1], each[0]))
    return Status(
        atoms=catalogue.count(),
        captures={"waiting": len(open_ids), "dead": len(dead)},
        subjects=dict(top),
        streak=streak(catalogue.columns(), clock.now()),
        engines={},
        model=None,
        versions={},
        degraded=(),
        writer="",
        in_review=count_in_review(catalogue, clock.now()),
    )


def unread(broken: Sequence[Unreadable]) -> tuple[str, ...]:
    """Return what recall goes without because files of memories cannot be read; nothing where all can."""
    if not broken:
        return ()
    named = ", ".join(each.path for each in broken[:NAMED]) + (", …" if len(broken) > NAMED else "")
    return (f"memories: {len(broken)} of their files cannot be read ({named}); `lattice doctor` says why",)


def unread_folders(places: Collection[str]) -> tuple[str, ...]:
    """Return what recall goes without because folders of memories cannot be read; nothing where all can."""
    if not places:
        return ()
    named = ", ".join(sorted(places)[:NAMED]) + (", …" if len(places) > NAMED else "")
    return (f"memories: what is in {named} cannot be read; let the user that Lattice runs as read it",)


def slow_work(busy_seconds: float, files: int, slow_seconds: float) -> tuple[str, ...]:
    """Return what has been worked on for `slow_seconds` or longer: it may go on, and the owner should know."""
    slow = []
    if busy_seconds >= slow_seconds:
        slow.append(f"writer: one part has taken more than {int(busy_seconds // 60)} min so far")
    if files:
        slow.append(f"files: {files} have been read for more than a minute without a page done")
    return tuple(slow)


def streak(columns: Columns, now: datetime) -> int:
    """Return days in a row with something remembered, counted back from today, or from yesterday while today has nothing yet."""
    seconds = columns.observed_at[columns.living()]
    days = {datetime.fromtimestamp(second, now.tzinfo).date() for second in np.unique(seconds // 3600 * 3600)}
    day = now.date()
    if day not in days:
        day -= timedelta(days=1)
    length = 0
    while day in days:
        length += 1
        day -= timedelta(days=1)
    return length

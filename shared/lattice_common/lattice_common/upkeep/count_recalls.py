"""Adds counts of recalls to the memories' files: seldom, many at once, and as a change like any other.

Answers append to `logs/usage.jsonl` what they cited. In idle time the writer makes one command of these lines: once the oldest
has waited for an hour, or there are 500. A command's key contains the position where its lines begin, so that a crash between the
command and the mark of how far it reached counts nothing twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from lattice_common.domain.capture import Command, CountRecalls, JsonValue
from lattice_common.domain.receipt import AtomChange
from lattice_common.domain.tier import settled_tier
from lattice_common.errors import Unavailable
from lattice_common.logs import logger
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import Journal
from lattice_common.ports.line_log import Logs
from lattice_common.upkeep.usage import atom_ids_in, moment_of

log = logger(__name__)

AFTER = timedelta(hours=1)
AT_ONCE = 500


class RecallCounting:
    """`ring` is called with each command's id."""

    def __init__(self, journal: Journal, logs: Logs, clock: Clock, ring: Callable[[str], object]) -> None:
        self._journal = journal
        self._logs = logs
        self._clock = clock
        self._ring = ring

    def look(self) -> None:
        """Make a command, if it is time."""
        position = self._position()
        lines, up_to = self._logs.usage.since(position)
        if not lines or not self._is_due(lines):
            return
        action = CountRecalls(_counted(lines), up_to)
        key = f"recalls:{position}:{lines[0].get('trace_id')}"
        command = Command(self._clock.new_id(), self._clock.now(), action, idempotency_key=key, body_hash="recalls")
        entry_id, created = self._journal.append(command)
        if not created and isinstance(before := self._journal.read(entry_id), Command):
            up_to = before.action.up_to if isinstance(before.action, CountRecalls) else up_to
        try:
            self._logs.folded.append([{"ts": self._clock.now().isoformat(), "up_to": up_to}])
        except Unavailable:
            log.warning("log_not_written", log="usage-folded")
        if created:
            self._ring(entry_id)

    def _position(self) -> int:
        last = next(self._logs.folded.newest(), {})
        up_to = last.get("up_to")
        return up_to if isinstance(up_to, int) and up_to >= 0 else 0

    def _is_due(self, lines: Sequence[Mapping[str, JsonValue]]) -> bool:
        oldest = moment_of(lines[0])
        return len(lines) >= AT_ONCE or oldest is None or self._clock.now() - oldest >= AFTER


def _counted(lines: Sequence[Mapping[str, JsonValue]]) -> dict[str, JsonValue]:
    """Return how often each atom was recalled, and when last, by id."""
    counts: dict[str, int] = {}
    last: dict[str, str] = {}
    for line in lines:
        moment = moment_of(line)
        for atom_id in atom_ids_in(line) if moment else ():
            counts[atom_id] = counts.get(atom_id, 0) + 1
            last[atom_id] = str(line["ts"])
    return {atom_id: {"count": count, "last": last[atom_id]} for atom_id, count in counts.items()}


def recounted(counting: CountRecalls, catalogue: CatalogueReader) -> tuple[AtomChange, ...]:
    """Return the counters of the memories that are still there. A later recall that a file knows of stays."""
    changes = []
    for atom in catalogue.get(list(counting.recalls)):
        recall = counting.recalls[atom.atom_id]
        if not isinstance(recall, dict) or not isinstance(count := recall.get("count"), int):
            continue
        known = atom.last_recalled_at
        last = datetime.fromisoformat(str(recall.get("last")))
        before: dict[str, JsonValue] = {
            "recall_count": atom.recall_count,
            "last_recalled_at": known.isoformat() if known else None,
        }
        after: dict[str, JsonValue] = {
            "recall_count": atom.recall_count + count,
            "last_recalled_at": max(last, known or last).isoformat(),
        }
        if atom.tier != (settled := settled_tier(atom)):
            before["tier"], after["tier"] = atom.tier, settled
        changes.append(AtomChange(atom.atom_id, before, after))
    return tuple(changes)

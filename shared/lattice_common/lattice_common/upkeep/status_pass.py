"""Migration 1: memories from before there was a status get theirs, in the background, newest first.

When the writer has nothing else to do it looks at some of them beside what they were said in, and makes one command of those
that are not simply so. How far it came stands in `logs/migrations.jsonl`, so that it goes on after a restart; a command's key
names where it begins, so that a crash between the two changes nothing twice. What a hand wrote, and what was changed meanwhile,
stays as it is. Read by rules alone, memories are looked through once more when there is a judge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from lattice_common.domain.capture import Command, JsonValue, SetStatuses
from lattice_common.domain.receipt import AtomChange
from lattice_common.errors import Unavailable
from lattice_common.logs import logger
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import Journal
from lattice_common.ports.judge import Judge
from lattice_common.ports.line_log import LineLog
from lattice_common.upkeep.status_reading import StatusReading, status_of

log = logger(__name__)

NUMBER = 1
BY_RULES = "rules"


class Ring(Protocol):
    """Tells the writer of a command's id."""

    def __call__(self, command_id: str, /) -> object: ...


class StatusPass:
    """One thread calls it, the writer's; `progress` may be asked by any."""

    def __init__(
        self,
        catalogue: CatalogueReader,
        journal: Journal,
        done: LineLog,
        clock: Clock,
        judge: Judge | None,
        ring: Ring,
        *,
        at_once: int,
    ) -> None:
        """`at_once` is how many memories a look takes (`Pace.migrated_at_once`)."""
        self._catalogue = catalogue
        self._journal = journal
        self._log = done
        self._clock = clock
        self._judge = judge
        self._reading = StatusReading(journal, judge)
        self._ring = ring
        self._at_once = at_once
        self._line: Mapping[str, JsonValue] | None = None

    def begin(self) -> None:
        """Begin the pass, once, at the start, when the catalogue is there and before anything new is written: what is there now
        is looked at."""
        last = newest_line(self._log)
        by = BY_RULES if self._judge is None else self._judge.model_id
        if not last or (last.get("finished") and last.get("by") == BY_RULES != by):
            through, of = self._catalogue.last_seq(), self._catalogue.count()
            last = {"migration": NUMBER, "by": by, "through": through, "of": of, "looked_at": 0, "at": None, "finished": not of}
            self._note(last)
        self._line = last

    def look(self) -> bool:
        """Look at some more; return whether there is more to look at."""
        line = self._line
        if line is None or line.get("finished"):
            return False
        at = line.get("at")
        # What was deleted meanwhile is no place to go on from: then it begins again, and finds nothing to change until there.
        before = at if isinstance(at, str) and self._catalogue.get([at]) else None
        atoms = self._catalogue.recent(self._at_once, before=before)
        looked_at = (_count(line, "looked_at") if before else 0) + len(atoms)
        through = _count(line, "through")
        found = self._reading.not_simply_so([atom for atom in atoms if atom.seq <= through])
        if found:
            key = f"status:{NUMBER}:{line.get('by')}:{before}"
            action = SetStatuses(found)
            command = Command(self._clock.new_id(), self._clock.now(), action, idempotency_key=key, body_hash="status")
            entry_id, created = self._journal.append(command)
            if created:
                self._ring(entry_id)
        finished = len(atoms) < self._at_once
        place = atoms[-1].atom_id if atoms else at
        self._line = {**line, "at": place, "looked_at": looked_at, "finished": finished}
        self._note(self._line)
        return not finished

    def _note(self, line: Mapping[str, JsonValue]) -> None:
        try:
            self._log.append([{**line, "ts": self._clock.now().isoformat()}])
        except Unavailable:
            log.warning("log_not_written", log="migrations")


def newest_line(done: LineLog) -> Mapping[str, JsonValue]:
    """Return how far the migration is, as it was noted last; empty where it was never begun."""
    return next((line for line in done.newest() if line.get("migration") == NUMBER), {})


def progress_of(done: LineLog) -> dict[str, int]:
    """Return `looked_at` of `of` memories, while the migration is under way; else nothing."""
    line = newest_line(done)
    if not line or line.get("finished"):
        return {}
    return {"migration": NUMBER, "looked_at": min(_count(line, "looked_at"), _count(line, "of")), "of": _count(line, "of")}


def with_statuses(setting: SetStatuses, catalogue: CatalogueReader) -> tuple[AtomChange, ...]:
    """Return the changes of what is still there, still as it was read, and still without a status of its own."""
    changes = []
    for atom in catalogue.get(list(setting.statuses)):
        read = setting.statuses[atom.atom_id]
        if not isinstance(read, dict) or atom.status != "asserted" or atom.content_hash != read.get("content_hash"):
            continue
        if (status := status_of(read)) is not None:
            changes.append(AtomChange(atom.atom_id, {"status": atom.status}, {"status": status}))
    return tuple(changes)


def _count(line: Mapping[str, JsonValue], name: str) -> int:
    value = line.get(name)
    return value if isinstance(value, int) else 0

"""Migration 1: memories from before there was a status get theirs, in the background, newest first.

When the writer has nothing else to do it looks at some of them beside what they were said in, and makes one command of those
that are not simply so. How far it came stands in `logs/migrations.jsonl`, so that it goes on after a restart; a command's key
names where it begins, so that a crash between the two changes nothing twice. What a hand wrote, and what was changed meanwhile,
stays as it is. Read by rules alone, memories are looked through once more when there is a judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture, Command, JsonValue, SetStatuses
from lattice_common.domain.derived import is_derived
from lattice_common.domain.judgement import STATUSES, Status
from lattice_common.domain.receipt import AtomChange
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ingest.extract.status import with_status
from lattice_common.ingest.segment import segment
from lattice_common.logs import logger
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import Journal
from lattice_common.ports.judge import Judge
from lattice_common.ports.line_log import LineLog

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
        self._ring = ring
        self._at_once = at_once
        self._line: Mapping[str, JsonValue] | None = None

    def begin(self) -> None:
        """Once, at the start, when the catalogue is there and before anything new is written: what is there now is looked at."""
        last = newest_line(self._log)
        by = BY_RULES if self._judge is None else self._judge.model_id
        if not last or (last.get("finished") and last.get("by") == BY_RULES != by):
            through, of = self._catalogue.last_seq(), self._catalogue.count()
            last = {"migration": NUMBER, "by": by, "through": through, "of": of, "looked_at": 0, "at": None, "finished": not of}
            self._note(last)
        self._line = last

    def look(self) -> bool:
        """Look at some more; whether there is more to look at."""
        line = self._line
        if line is None or line.get("finished"):
            return False
        at = line.get("at")
        # What was deleted meanwhile is no place to go on from: then it begins again, and finds nothing to change until there.
        before = at if isinstance(at, str) and self._catalogue.get([at]) else None
        atoms = self._catalogue.recent(self._at_once, before=before)
        looked_at = (_count(line, "looked_at") if before else 0) + len(atoms)
        through = _count(line, "through")
        found = self._found([atom for atom in atoms if atom.seq <= through])
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

    def _found(self, atoms: Sequence[Atom]) -> dict[str, JsonValue]:
        """Atom id → its status and the hash of the content that it was read from, for what is not simply so."""
        by_capture: dict[str, list[Atom]] = {}
        for atom in atoms:
            if atom.status == "asserted" and atom.extractor != "user" and not is_derived(atom):
                by_capture.setdefault(atom.capture_id, []).append(atom)
        found: dict[str, JsonValue] = {}
        for capture_id, own in by_capture.items():
            capture = self._capture(capture_id)
            if capture is None:
                continue
            for atom, status in self._read(capture, own):
                if status not in (None, "asserted"):
                    found[atom.atom_id] = {"status": status, "content_hash": atom.content_hash}
        return found

    def _read(self, capture: Capture, atoms: Sequence[Atom]) -> Iterator[tuple[Atom, Status | None]]:
        """Yield atoms of a capture, each with how it is meant; those that stand nowhere in it are left out."""
        pieces = list(segment(capture))
        places: list[tuple[Segment, tuple[Candidate, ...]]] = []
        placed: list[Atom] = []
        for atom in atoms:
            piece = next((each for each in pieces if each.start <= atom.source_span.start < each.end), None)
            if piece is not None:
                places.append((piece, (_candidate(atom),)))
                placed.append(atom)
        for atom, (_, (candidate,)) in zip(placed, with_status(capture, places, self._judge), strict=True):
            yield atom, candidate.status

    def _capture(self, capture_id: str) -> Capture | None:
        try:
            said = self._journal.read(capture_id)
        except Corrupt:
            return None  # `lattice doctor` names it
        return said if isinstance(said, Capture) and said.text else None


def _candidate(atom: Atom) -> Candidate:
    return Candidate(
        atom.content,
        atom.source_quote,
        atom.kind,
        atom.subject,
        atom.segment_id or "",
        atom.source_span.start,
        atom.source_span.end,
        metadata=atom.metadata,
    )


def newest_line(done: LineLog) -> Mapping[str, JsonValue]:
    """Return how far the migration is, as it was noted last; empty where it was never begun."""
    return next((line for line in done.newest() if line.get("migration") == NUMBER), {})


def progress_of(done: LineLog) -> dict[str, int]:
    """`looked_at` of `of` memories, while the migration is under way; else nothing."""
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
        status: Status | None = next((each for each in STATUSES if each == read.get("status")), None)
        if status is not None:
            changes.append(AtomChange(atom.atom_id, {"status": atom.status}, {"status": status}))
    return tuple(changes)


def _count(line: Mapping[str, JsonValue], name: str) -> int:
    value = line.get(name)
    return value if isinstance(value, int) else 0

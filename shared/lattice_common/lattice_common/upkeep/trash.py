"""What was deleted leaves the trash for good after the days that the owner set, also where Lattice is never restarted.

What the owner deleted is forgotten then (`upkeep.forget`), by a command of the product's own; what lies there for another reason
(a reading that was replaced, an import that was taken back) leaves the trash, and its words stay in the journal."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import Command, ForgetAtoms, RemoveSource, UndoChange
from lattice_common.errors import Corrupt
from lattice_common.ingest.deletions import Deletions
from lattice_common.logs import logger
from lattice_common.ports.atoms import AtomReader, AtomWriter, FileMark, Unreadable
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import WorkLog, whole_entry, whole_receipt
from lattice_common.ports.trash_index import TrashIndex

log = logger(__name__)

TRASH = "trash"
"""The channel of what is forgotten because its days in the trash are over."""

LOOK_SECONDS = 3600.0
"""Between two looks into the trash, in quiet moments."""


class TrashEmptying:
    """For the writer's thread. `keep` is how long what was deleted can be brought back; `forget` journals a command."""

    def __init__(
        self,
        atoms: AtomWriter,
        worklog: WorkLog,
        clock: Clock,
        keep: timedelta,
        forget: Callable[[ForgetAtoms], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._atoms = atoms
        self._worklog = worklog
        self._forget = forget
        self._clock = clock
        self._keep = keep
        self._monotonic = monotonic
        self._looked_at: float | None = None

    def now_and_then(self) -> None:
        """Empty it, unless that was less than `LOOK_SECONDS` ago."""
        if self._looked_at is None or self._monotonic() - self._looked_at >= LOOK_SECONDS:
            self.empty()

    def empty(self) -> None:
        """Remove what has lain there for too long. See `ports.atoms.AtomWriter.expired`."""
        self._looked_at = self._monotonic()
        expired = set(self._atoms.expired(self._clock.now(), self._keep))
        damaged = False
        for command_id, barred in self._worklog.deleted().items():
            try:
                receipt = self._worklog.receipt(command_id)
            except Corrupt:
                damaged = True
                continue
            trashed = set(receipt.trashed) if receipt is not None else set()
            if due := trashed & expired:
                self._forget(ForgetAtoms(tuple(sorted(due)), now=True, barred=barred))
                expired -= due
            elif receipt is not None and not self._atoms.in_trash(trashed):
                self._worklog.clear_deleted(command_id)  # brought back, or forgotten by now
        # What no receipt names is removed from here alone; where one cannot be read, that may be what it named, whose words
        # have to go from the journal too: it stays until the receipt is mended.
        emptied = self._atoms.empty_trash(sorted(expired)) if expired and not damaged else 0
        if emptied:
            log.info("trash_emptied", atoms=emptied)


@dataclass(frozen=True, slots=True)
class Trashed:
    """What one deletion moved to the trash and still lies there. An undo of `change_id` brings it back, until `until`."""

    change_id: str
    deleted_at: datetime
    until: datetime
    atoms: tuple[Atom, ...]
    count: int


class Trash:
    """What the owner deleted and may still bring back, for looking at; nothing is moved by looking. Thread-safe."""

    def __init__(self, atoms: AtomReader, worklog: WorkLog, keep: timedelta, index: TrashIndex, *, shown: int) -> None:
        """`keep` is how long what was deleted can be brought back; `index` is for this alone; `shown` is how many memories
        of each deletion are listed."""
        self._atoms = atoms
        self._worklog = worklog
        self._keep = keep
        self._shown = shown
        self._deletions = Deletions(atoms, worklog, index)
        self._taken_back = _TakenBack(worklog)

    def listed(self, limit: int) -> list[Trashed]:
        """Return the newest deletions first, at most `limit`; a memory is listed with the last that moved it here. Looks for
        the memories of these deletions alone; through all of the trash only where one is not where its deletion put it."""
        seen: set[str] = set()
        scan = cache(lambda: dict(self._atoms.trashed()))
        found: list[Trashed] = []
        for command_id in reversed(self._worklog.deleted_ids()):
            receipt = whole_receipt(self._worklog, command_id)
            if receipt is None:
                continue
            here = [(each, self._atoms.lying(each) or scan().get(each)) for each in receipt.trashed if each not in seen]
            marks = [mark for _, mark in here if mark is not None]
            seen.update(each for each, mark in here if mark is not None)
            if not marks:
                continue
            known = self._read(marks[: self._shown])
            found.append(Trashed(command_id, receipt.finished_at, receipt.finished_at + self._keep, known, len(marks)))
            if len(found) == limit:
                break
        return found

    def rest(self, command_id: str, start: int, limit: int) -> tuple[Atom, ...]:
        """Return memories of one deletion that `listed` counts, from the place `start` on, at most `limit`; none for a change of
        which nothing lies here."""
        deletions = self._worklog.deleted_ids()
        if command_id not in deletions:
            return ()
        later = {each for other in deletions[deletions.index(command_id) + 1 :] for each in self._moved_by(other)}
        marks = dict(self._atoms.trashed())
        lying = [each for each in self._moved_by(command_id) if each in marks and each not in later]
        return self._read([marks[each] for each in lying[start : start + limit]])

    def _moved_by(self, command_id: str) -> tuple[str, ...]:
        receipt = whole_receipt(self._worklog, command_id)
        return receipt.trashed if receipt is not None else ()

    def _read(self, marks: Sequence[FileMark]) -> tuple[Atom, ...]:
        read = (self._atoms.read_file(mark) for mark in marks)
        return tuple(each for each in read if not isinstance(each, Unreadable))

    def memories(self) -> Iterator[Atom]:
        """Return all that can be read of what lies here, whoever moved it here."""
        read = (self._atoms.read_file(mark) for _, mark in self._atoms.trashed())
        return (each for each in read if not isinstance(each, Unreadable))

    def spans_of(self, capture_id: str) -> list[Span]:
        """Return the stretches of a capture whose memories lie here: nobody who looks at another memory of it is shown their
        words."""
        return self._deletions.spans_of(capture_id)

    def was_taken_back(self, atom_ids: Sequence[str]) -> bool:
        """Return whether memories that are not there any more went with the import that brought them, and not because the owner
        deleted them; also once they have left the trash."""
        lying = [each for each in atom_ids if self._atoms.lying(each) is not None]
        return not lying or self._taken_back.has_any(lying)


class _TakenBack:
    """Which of what lies in the trash went with all of its source. Read anew where there was another deletion. Thread-safe."""

    def __init__(self, worklog: WorkLog) -> None:
        self._worklog = worklog
        self._lock = threading.Lock()
        self._version: int | None = None
        self._atom_ids: frozenset[str] = frozenset()

    def has_any(self, atom_ids: Sequence[str]) -> bool:
        with self._lock:
            version = self._worklog.deletions_version()
            if version is None or version != self._version:
                self._atom_ids, self._version = self._read(), version
            return not self._atom_ids.isdisjoint(atom_ids)

    def _read(self) -> frozenset[str]:
        found: set[str] = set()
        for command_id in self._worklog.deleted_ids():
            receipt = whole_receipt(self._worklog, command_id)
            moved = receipt.trashed if receipt is not None else ()
            # The last deletion of a memory is why it lies there.
            (found.update if self._is_of_source(command_id) else found.difference_update)(moved)
        return frozenset(found)

    def _is_of_source(self, command_id: str) -> bool:
        said = whole_entry(self._worklog, command_id)
        while isinstance(said, Command) and isinstance(said.action, UndoChange):
            said = whole_entry(self._worklog, said.action.change_id)  # what is undone is always older
        return isinstance(said, Command) and isinstance(said.action, RemoveSource)

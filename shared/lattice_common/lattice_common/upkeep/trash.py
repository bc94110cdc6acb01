"""What was deleted leaves the trash for good after the days that the owner set, also where Lattice is never restarted.

What the owner deleted is forgotten then (`upkeep.forget`), by a command of the product's own; what lies there for another reason
(a reading that was replaced, an import that was taken back) leaves the trash, and its words stay in the journal."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import TypeAlias

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import ForgetAtoms
from lattice_common.domain.derived import is_derived
from lattice_common.errors import Corrupt
from lattice_common.logs import logger
from lattice_common.ports.atoms import AtomReader, AtomWriter, FileMark, Unreadable
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import WorkLog, whole_receipt

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

    def __init__(self, atoms: AtomReader, worklog: WorkLog, keep: timedelta, *, shown: int) -> None:
        """`keep` is how long what was deleted can be brought back; `shown` how many memories of each deletion are listed."""
        self._atoms = atoms
        self._worklog = worklog
        self._keep = keep
        self._shown = shown
        self._deletions = _Deletions(atoms, worklog)

    def listed(self, limit: int) -> list[Trashed]:
        """Return the newest deletions first, at most `limit`; a memory is listed with the last that moved it here. Looks through
        the folder of the trash once."""
        marks = dict(self._atoms.trashed())
        found: list[Trashed] = []
        for command_id in reversed(self._worklog.deleted_ids()):
            receipt = whole_receipt(self._worklog, command_id)
            lying = [each for each in receipt.trashed if each in marks] if receipt is not None else []
            if receipt is None or not lying:
                continue
            theirs = [marks.pop(each) for each in lying]
            read = [self._atoms.read_file(mark) for mark in theirs[: self._shown]]
            known = tuple(each for each in read if not isinstance(each, Unreadable))
            found.append(Trashed(command_id, receipt.finished_at, receipt.finished_at + self._keep, known, len(lying)))
            if len(found) == limit:
                break
        return found

    def memories(self) -> Iterator[Atom]:
        """Return all that can be read of what lies here, whoever moved it here."""
        read = (self._atoms.read_file(mark) for _, mark in self._atoms.trashed())
        return (each for each in read if not isinstance(each, Unreadable))

    def spans_of(self, capture_id: str) -> list[Span]:
        """Return the stretches of a capture whose memories lie here: nobody who looks at another memory of it is shown their
        words."""
        return self._deletions.spans_of(capture_id)


_Scan: TypeAlias = Callable[[], Mapping[str, FileMark]]
"""Looks through the whole trash, once for all that one look asks."""


class _Deletions:
    """Which memories of a capture were deleted. Thread-safe.

    Asked for every memory that is looked at, with months of deletions in the trash: a look costs one at a folder, and the files
    of this capture's memories. After a change the names of the deletions are listed once; of those that are new the receipt is
    read, and each file once. Of what lies here only ids are remembered.
    """

    def __init__(self, atoms: AtomReader, worklog: WorkLog) -> None:
        self._atoms = atoms
        self._worklog = worklog
        self._lock = threading.Lock()
        self._version: int | None = None
        self._moved: dict[str, tuple[str, ...]] = {}
        self._of_capture: dict[str, dict[str, None]] = {}
        self._elsewhere: dict[str, FileMark] = {}
        """What a hand moved within the trash."""

    def spans_of(self, capture_id: str) -> list[Span]:
        with self._lock:
            self._follow()
            lying = [(atom_id, self._read(atom_id, self._scan)) for atom_id in self._of_capture.get(capture_id, ())]
            for atom_id, atom in lying:
                if atom is None:
                    # It went back: what deletes it again is another change, which names it again.
                    del self._of_capture[capture_id][atom_id]
            return [atom.source_span for _, atom in lying if isinstance(atom, Atom)]

    def _follow(self) -> None:
        """Take in the deletions that are new, and let go of those that left the trash."""
        version = self._worklog.deletions_version()
        if version is not None and version == self._version:
            return
        command_ids = self._worklog.deleted_ids()
        if not self._moved.keys() <= set(command_ids):
            self._let_go(command_ids)
        scan = cache(self._scan)
        taken = [self._take_in(each, scan) for each in command_ids if each not in self._moved]
        self._version = version if all(taken) else None

    def _take_in(self, command_id: str, scan: _Scan) -> bool:
        """Read what a deletion moved; return false while it has no receipt, which comes after its mark."""
        receipt = whole_receipt(self._worklog, command_id)
        if receipt is None:
            return False
        self._moved[command_id] = receipt.trashed
        for atom_id in receipt.trashed:
            atom = self._read(atom_id, scan)
            # What was concluded has no words of its own.
            if isinstance(atom, Atom) and not is_derived(atom):
                self._of_capture.setdefault(atom.capture_id, {})[atom_id] = None
        return True

    def _let_go(self, command_ids: Sequence[str]) -> None:
        there = set(command_ids)
        self._moved = {command_id: moved for command_id, moved in self._moved.items() if command_id in there}
        deleted = {atom_id for moved in self._moved.values() for atom_id in moved}
        left = {capture_id: [each for each in of if each in deleted] for capture_id, of in self._of_capture.items()}
        self._of_capture = {capture_id: dict.fromkeys(of) for capture_id, of in left.items() if of}
        self._elsewhere = {atom_id: mark for atom_id, mark in self._elsewhere.items() if atom_id in deleted}

    def _read(self, atom_id: str, scan: _Scan) -> Atom | Unreadable | None:
        """Return a memory that lies here; None where it does not. Looks through the trash only for what is not where its deletion
        put it."""
        if (mark := self._atoms.lying(atom_id)) is not None:
            return self._atoms.read_file(mark)
        if (mark := self._elsewhere.get(atom_id)) is not None and isinstance(found := self._atoms.read_file(mark), Atom):
            return found
        self._elsewhere.pop(atom_id, None)
        if (mark := scan().get(atom_id)) is None:
            return None
        self._elsewhere[atom_id] = mark
        return self._atoms.read_file(mark)

    def _scan(self) -> dict[str, FileMark]:
        return dict(self._atoms.trashed())

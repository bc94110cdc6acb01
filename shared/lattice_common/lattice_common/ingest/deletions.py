"""What the owner deleted and may still bring back, by the capture that it was made of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.derived import is_derived
from lattice_common.ports.atoms import AtomReader, FileMark, Unreadable
from lattice_common.ports.journal import WorkLog, whole_receipt

_Scan: TypeAlias = Callable[[], Mapping[str, FileMark]]
"""Looks through the whole trash, once for all that one look asks."""


class Deletions:
    """Which memories of a capture were deleted. Thread-safe.

    Asked for every memory that is looked at and every document that is told, with months of deletions in the trash: a look costs
    one at a folder, and the files of this capture's memories. After a change the names of the deletions are listed once; of those
    that are new the receipt is read, and each file once. Of what lies here only ids are remembered.
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
        """Return the stretches of a capture whose memories were deleted and may still be brought back."""
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
        """Read what a deletion moved; return false while that cannot be: its receipt comes after its mark, and a disk may not
        give a file."""
        receipt = whole_receipt(self._worklog, command_id)
        if receipt is None:
            return False
        read = [(atom_id, self._read(atom_id, scan)) for atom_id in receipt.trashed]
        for atom_id, atom in read:
            # What was concluded has no words of its own.
            if isinstance(atom, Atom) and not is_derived(atom):
                self._of_capture.setdefault(atom.capture_id, {})[atom_id] = None
        if any(isinstance(atom, Unreadable) for _, atom in read):
            return False
        self._moved[command_id] = receipt.trashed
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

"""What the owner deleted and may still bring back, by the capture that it was made of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeAlias

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.ports.atoms import AtomReader, FileMark, Unreadable
from lattice_common.ports.journal import WorkLog, whole_receipt
from lattice_common.ports.trash_index import TrashIndex

_Scan: TypeAlias = Callable[[], Mapping[str, FileMark]]
"""Looks through the whole trash, once for all that one look asks."""


class Deletions:
    """Which memories of a capture were deleted. Thread-safe.

    Asked for every memory that is looked at and every document that is told, with months of deletions in the trash: a look costs
    one at a folder, and the files of this capture's memories. After a change the names of the deletions are listed once; of those
    that are new the receipt is read, and each file once. Of what lies here only ids are remembered, in `index`, which is for this
    alone.
    """

    def __init__(self, atoms: AtomReader, worklog: WorkLog, index: TrashIndex) -> None:
        self._atoms = atoms
        self._worklog = worklog
        self._index = index
        self._lock = threading.Lock()
        self._version: int | None = None
        self._known: tuple[int, int] | None = None
        self._newest = ""
        """How many deletions are remembered with a number that others hardly have, and the last of them: mostly only later ones
        are new, and to look all others up, or only to list them, would take a megabyte for some thousands, at each look behind a
        deletion."""
        self._elsewhere: dict[str, FileMark] = {}
        """What a hand moved within the trash."""

    def spans_of(self, capture_id: str) -> list[Span]:
        """Return the stretches of a capture whose memories were deleted and may still be brought back."""
        with self._lock:
            self._follow()
            lying = [(atom_id, self._read(atom_id, self._scan)) for atom_id in self._index.of_capture(capture_id)]
            # What deletes one again that went back is another change, which names it again.
            self._index.went_back(capture_id, [atom_id for atom_id, atom in lying if atom is None])
            return [atom.source_span for _, atom in lying if isinstance(atom, Atom)]

    def _follow(self) -> None:
        """Take in the deletions that are new, and let go of those that left the trash."""
        version = self._worklog.deletions_version()
        if version is not None and version == self._version:
            return
        known, later = self._listed(self._newest)
        if known == self._known:
            new, newest = later, max(later, default=self._newest)
            known = known[0] + len(later), known[1] + sum(map(hash, later))
        else:
            command_ids = self._worklog.deleted_ids()
            new, newest = self._unknown(command_ids), max(command_ids, default="")
            known = len(command_ids), sum(map(hash, command_ids))
        scan = cache(self._scan)
        taken = [self._take_in(each, scan) for each in new]
        whole = all(taken)
        self._known, self._newest = (known, newest) if whole else (None, "")
        self._version = version if whole else None

    def _listed(self, newest: str) -> tuple[tuple[int, int], list[str]]:
        """Return what the deletions up to this one come to, and those after it, the oldest first."""
        count, total, later = 0, 0, list[str]()
        for each in self._worklog.each_deleted():
            if each > newest:
                later.append(each)
            else:
                count, total = count + 1, total + hash(each)
        return (count, total), sorted(later)

    def _unknown(self, command_ids: Sequence[str]) -> list[str]:
        """Return the deletions that are not remembered, and let go of those that left the trash."""
        known = self._index.known()
        if gone := known.difference(command_ids):
            self._index.let_go(gone)
            self._elsewhere.clear()
        return [each for each in command_ids if each not in known]

    def _take_in(self, command_id: str, scan: _Scan) -> bool:
        """Read what a deletion moved; return false while that cannot be: its receipt comes after its mark, and a disk may not
        give a file."""
        receipt = whole_receipt(self._worklog, command_id)
        if receipt is None:
            return False
        read = [(atom_id, self._read(atom_id, scan)) for atom_id in receipt.trashed]
        # What was concluded has no words of its own.
        memories = [(atom.capture_id, atom_id) for atom_id, atom in read if isinstance(atom, Atom) and not is_conclusion(atom)]
        whole = not any(isinstance(atom, Unreadable) for _, atom in read)
        self._index.add(command_id, memories, whole=whole)
        return whole

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

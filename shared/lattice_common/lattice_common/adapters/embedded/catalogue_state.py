"""What a catalogue keeps in memory beside its columns: who superseded whom, and how many current atoms a subject has.

An atom's own file says whether it is superseded. Where hands have made a circle of it (a supersedes b supersedes a), the newest
of the circle stays current, so that no fact is lost to readers.
"""

from __future__ import annotations

import math

from lattice_common.adapters.embedded.columns import ColumnStore, Elements, elements_of, seconds
from lattice_common.domain.atom import Atom
from lattice_common.ports.catalogue import Columns

_LONGEST_CIRCLE = 64
"""Steps along `superseded_by` after which a chain is taken for one that ends."""


class CatalogueState:
    """Changed by one thread at a time; `columns` and `subjects` may be called by any."""

    def __init__(self) -> None:
        self.store = ColumnStore()
        self.fresh: list[tuple[str, int, str]] = []
        """(space, number, text) of what got a number since the owner emptied this list."""
        self._superseded: dict[str, tuple[str | None, int]] = {}
        self._subject_names: list[str] = []
        self._subjects: dict[str, int] = {}
        self._given: dict[str, int] | None = None

    def columns(self) -> Columns:
        return self.store.columns()

    def subjects(self) -> dict[str, int]:
        """A copy, made again only after a change."""
        given = self._given
        if given is None:
            given = self._given = self._subjects.copy()
        return given

    def is_superseded(self, atom_id: str) -> bool:
        """Whether the atom is superseded, circles resolved."""
        own = self._superseded.get(atom_id)
        if own is None:
            return False
        newest, (by, _) = (own[1], atom_id), own
        for _ in range(_LONGEST_CIRCLE):
            if by == atom_id:
                return newest != (own[1], atom_id)
            following = self._superseded.get(by) if by is not None else None
            if by is None or following is None:
                return True
            newest = max(newest, (following[1], by))
            by = following[0]
        return True

    def elements(self, atom: Atom) -> Elements:
        """The atom's elements as they are stored: superseded by its own word, at the time known without its successor."""
        row = self.store.row(atom.atom_id)
        return elements_of(
            atom,
            self._number,
            superseded=atom.is_superseded,
            superseded_at=seconds(atom.valid_until or atom.ingested_at) if atom.is_superseded else math.nan,
            first_seq=atom.seq if row is None else self.store.first_seq(row),
        )

    def put(self, atom: Atom, elements: Elements) -> list[str]:
        """Add or change an atom; ids of all whose being superseded may have changed with it."""
        affected = dict.fromkeys([atom.atom_id, *self._chain(atom.atom_id)])
        for atom_id in affected:
            self._count(atom_id, -1)
        self._remember(atom.atom_id, atom.superseded_by, atom.seq, superseded=atom.is_superseded)
        self.store.put(atom.atom_id, elements)
        for atom_id in self._chain(atom.atom_id):
            if atom_id not in affected:
                affected[atom_id] = None
                self._count(atom_id, -1)
        for atom_id in affected:
            self._settle(atom_id)
            self._count(atom_id, +1)
        for old in atom.supersedes:
            self._settle(old)
        return list(affected)

    def remove(self, atom_id: str) -> None:
        self._count(atom_id, -1)
        self._superseded.pop(atom_id, None)
        self.store.remove(atom_id)

    def publish(self) -> None:
        """Let readers see what changed."""
        self.store.publish()
        self._given = None

    def load_names(self, rows: list[tuple[str, int, str]]) -> None:
        """(space, number, text) of everything that has a number, in order of the numbers."""
        for space, number, text in rows:
            self.store.interned[space][text] = number
            if space == "name":
                self._subject_names.append(text)

    def load_superseded(self, rows: list[tuple[str, str | None, int]]) -> None:
        """(atom id, superseded by, seq) of every superseded atom, after the columns were loaded."""
        for atom_id, by, seq in rows:
            self._remember(atom_id, by, seq, superseded=True)
        for atom_id, _, _ in rows:
            self._settle(atom_id)

    def count_subjects(self) -> None:
        """Count anew, from the columns."""
        columns = self.store.columns()
        rows = slice(columns.count)
        current = columns.subject[rows][columns.alive[rows] & ~columns.superseded[rows]]
        self._subjects = {}
        for number in current[current >= 0].tolist():
            name = self._subject_names[number]
            self._subjects[name] = self._subjects.get(name, 0) + 1
        self._given = None

    def _number(self, space: str, text: str) -> int:
        numbers = self.store.interned[space]
        number = numbers.get(text)
        if number is None:
            number = len(numbers)
            if space == "name":
                self._subject_names.append(text)
            numbers[text] = number
            self.fresh.append((space, number, text))
        return number

    def _remember(self, atom_id: str, by: str | None, seq: int, *, superseded: bool) -> None:
        if superseded:
            self._superseded[atom_id] = (by, seq)
        else:
            self._superseded.pop(atom_id, None)

    def _chain(self, atom_id: str) -> list[str]:
        """The atoms that superseded it, one after the other, that are superseded themselves."""
        chain: list[str] = []
        own = self._superseded.get(atom_id)
        while own is not None and own[0] is not None and own[0] != atom_id and len(chain) < _LONGEST_CIRCLE:
            by = own[0]
            own = self._superseded.get(by)
            if own is not None:
                chain.append(by)
        return list(dict.fromkeys(chain))

    def _settle(self, atom_id: str) -> None:
        """Bring an atom's `superseded` and `superseded_at` in line with what is known of its successor."""
        row = self.store.row(atom_id)
        if row is None:
            return
        own = self._superseded.get(atom_id)
        if own is None or not self.is_superseded(atom_id):
            self.store.set_superseded(row, False, math.nan)
            return
        successor = self.store.row(own[0]) if own[0] is not None else None
        at = self.store.superseded_at(row) if successor is None else self.store.observed_at(successor)
        self.store.set_superseded(row, True, at)

    def _count(self, atom_id: str, change: int) -> None:
        row = self.store.row(atom_id)
        subject = self.store.current_subject(row) if row is not None else -1
        if subject >= 0:
            name = self._subject_names[subject]
            count = self._subjects.get(name, 0) + change
            if count:
                self._subjects[name] = count
            else:
                del self._subjects[name]

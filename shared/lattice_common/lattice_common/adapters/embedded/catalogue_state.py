"""What a catalogue keeps in memory beside its columns: who superseded whom, and how many current atoms a subject has.

An atom's own file says whether it is superseded. Where hands have made a circle of it (a supersedes b supersedes a), the newest
of the circle stays current, and where they took the successor away, what it replaced: no fact is lost to readers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lattice_common.adapters.embedded.columns import ColumnStore, Elements, elements_of, seconds
from lattice_common.adapters.embedded.subject_names import SubjectNames
from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.language.people import Register, Tie
from lattice_common.ports.catalogue import Columns

NAMELESS = "\0"
"""Begins what stands in the place of a name that was forgotten: no name has it, for white space and control characters go."""

_LONGEST_CIRCLE = 64
"""Steps along `superseded_by` after which a chain is taken for one that ends."""


@dataclass(frozen=True, slots=True)
class _Superseded:
    """What a superseded atom's own file says. `until`: when it ended, as far as is known without its successor."""

    by: str | None
    seq: int
    until: float


@dataclass(frozen=True, slots=True)
class Row:
    """An atom as the catalogue keeps it for its columns."""

    atom_id: str
    seq: int
    superseded_by: str | None
    elements: Elements

    @classmethod
    def unpacked(cls, atom_id: str, seq: int, superseded_by: str | None, packed: bytes, entities: bytes) -> Row:
        return cls(atom_id, seq, superseded_by, Elements.unpacked(packed, entities))


class CatalogueState:
    """Changed by one thread at a time; `columns` and `subjects` may be called by any."""

    def __init__(self) -> None:
        self.store = ColumnStore()
        self.register = Register()
        self.fresh: list[tuple[str, int, str]] = []
        """Return (space, number, text) of what got a number since the owner emptied this list."""
        self._superseded: dict[str, _Superseded] = {}
        self._predecessors: dict[str, set[str]] = {}
        self._subject_names: list[str] = []
        self._subjects: dict[str, int] = {}
        self._given: dict[str, int] | None = None
        self._names: SubjectNames | None = None

    def columns(self) -> Columns:
        return self.store.columns()

    def subjects(self) -> dict[str, int]:
        """Return a copy, made again only after a change."""
        given = self._given
        if given is None:
            given = self._given = self._subjects.copy()
        return given

    def similar_subjects(self, subject: str, ratio: float, limit: int) -> list[str]:
        """Return the subjects that are written nearly so. For the writer: the names are sorted in at the first call: readers
        never ask."""
        if self._names is None:
            self._names = SubjectNames(self._subjects)
        return self._names.similar(normalize_subject(subject), ratio, limit)

    def successors(self, atom_ids: Sequence[str]) -> dict[str, str]:
        """Return what each atom's own file names as its successor."""
        found = ((atom_id, self._superseded.get(atom_id)) for atom_id in atom_ids)
        return {atom_id: own.by for atom_id, own in found if own is not None and own.by is not None}

    def is_superseded(self, atom_id: str) -> bool:
        """Return whether the atom is superseded, circles resolved."""
        own = step = self._superseded.get(atom_id)
        if own is None:
            return False
        newest = (own.seq, atom_id)
        for _ in range(_LONGEST_CIRCLE):
            if step is None or step.by is None:
                return True
            if step.by == atom_id:
                return newest != (own.seq, atom_id)
            following = self._superseded.get(step.by)
            if step is own and not self._is_there(step.by):
                return False
            if following is not None:
                newest = max(newest, (following.seq, step.by))
            step = following
        return True

    def elements(self, atom: Atom) -> Elements:
        """Return the atom's elements as they are stored: superseded by its own word, at the time known without its successor."""
        return elements_of(
            atom,
            self._number,
            superseded=atom.is_superseded,
            superseded_at=seconds(atom.valid_until or atom.ingested_at) if atom.is_superseded else math.nan,
            seq=atom.seq,
        )

    def put(self, atom: Atom, elements: Elements) -> list[str]:
        """Add or change an atom; ids of all whose being superseded may have changed with it."""
        return self.put_row(Row(atom.atom_id, atom.seq, atom.superseded_by, elements))

    def put_row(self, row: Row) -> list[str]:
        """Do as `put` does, with an atom that another process put."""
        affected = self._tied(row.atom_id)
        for atom_id in affected:
            self._count(atom_id, -1)
        self._forget(row.atom_id)
        if row.elements.superseded:
            self._remember(row.atom_id, _Superseded(row.superseded_by, row.seq, row.elements.superseded_at))
        self.store.put(row.atom_id, row.elements)
        for atom_id in self._tied(row.atom_id):
            if atom_id not in affected:
                affected.append(atom_id)
                self._count(atom_id, -1)
        for atom_id in affected:
            self._settle(atom_id)
            self._count(atom_id, +1)
        return affected

    def put_ties(self, atom_id: str, said: float, ties: tuple[Tie, ...]) -> None:
        """Note what an atom says of who is who; readers hear of it with the atom, for they ask of rows they see."""
        self.register.put(atom_id, said, ties)

    def remove(self, atom_id: str) -> list[str]:
        """Take an atom away; ids of all whose being superseded may have changed with it."""
        self.register.remove(atom_id)
        affected = self._tied(atom_id)
        for each in affected:
            self._count(each, -1)
        self._forget(atom_id)
        self.store.remove(atom_id)
        for each in affected:
            self._settle(each)
            self._count(each, +1)
        return affected

    def unused_names(self) -> list[tuple[str, int, str]]:
        """Return (space, number, text) of what has a number that no atom uses any more."""
        columns = self.store.columns()
        alive = columns.living()
        names = {*columns.subject[alive].tolist(), *columns.speaker[alive].tolist()}
        names.update(number for row in alive.tolist() for number in columns.entities[row])
        used = {"name": names, "kind": set(columns.kind[alive].tolist()), "session": set(columns.session[alive].tolist())}
        return [
            (space, number, text)
            for space, numbers in self.store.interned.items()
            for text, number in numbers.items()
            if number not in used[space] and not text.startswith(NAMELESS)
        ]

    def drop_name(self, space: str, number: int, text: str) -> str:
        """Forget a name that no atom uses; its number stays taken. Return what stands for it from now on."""
        instead = f"{NAMELESS}{number}"
        numbers = self.store.interned[space]
        del numbers[text]
        numbers[instead] = number
        if space == "name":
            self._subject_names[number] = instead
        return instead

    def publish(self) -> None:
        """Let readers see what changed."""
        if self.store.compact():
            self._drop_sessions()
        self.store.publish()
        self.register.publish()
        self._given = None

    def load_names(self, rows: list[tuple[str, int, str]]) -> None:
        """Load (space, number, text) of everything that has a number, in order of the numbers."""
        for space, number, text in rows:
            if space not in self.store.interned:
                raise ValueError(f"names of an unknown kind, {space!r}")
            self.store.interned[space][text] = number
            self.store.given[space] = number + 1
            if space == "name":
                self._subject_names.append(text)

    def load_superseded(self, rows: list[tuple[str, str | None, int]]) -> None:
        """Load (atom id, superseded by, seq) of every atom that may be superseded, after the columns were loaded as stored."""
        known = [(atom_id, by, seq, self.store.row(atom_id)) for atom_id, by, seq in rows]
        superseded = [
            (atom_id, by, seq, row) for atom_id, by, seq, row in known if row is not None and self.store.superseded(row)
        ]
        for atom_id, by, seq, row in superseded:
            self._remember(atom_id, _Superseded(by, seq, self.store.superseded_at(row)))
        for atom_id, _, _, _ in superseded:
            self._settle(atom_id)

    def count_subjects(self) -> None:
        """Count anew, from the columns. Raise `ValueError` where they do not fit the names: the file is damaged."""
        columns = self.store.columns()
        rows = slice(columns.count)
        current = columns.subject[rows][columns.alive[rows] & ~columns.superseded[rows] & ~columns.archived[rows]]
        self._subjects = {}
        if current.size and int(current.max()) >= len(self._subject_names):
            raise ValueError("a memory of a subject that has no name")
        for number in current[current >= 0].tolist():
            name = self._subject_names[number]
            self._subjects[name] = self._subjects.get(name, 0) + 1
        self._given = self._names = None

    def _drop_sessions(self) -> None:
        """Forget the names of sessions that no atom is of: without a session, every capture is one of its own."""
        used = self.store.sessions()
        numbers = self.store.interned["session"]
        self.store.interned["session"] = {text: number for text, number in numbers.items() if number in used}

    def _number(self, space: str, text: str) -> int:
        numbers = self.store.interned[space]
        number = numbers.get(text)
        if number is None:
            number = self.store.given[space]
            self.store.given[space] += 1
            if space == "name":
                self._subject_names.append(text)
            numbers[text] = number
            self.fresh.append((space, number, text))
        return number

    def _remember(self, atom_id: str, superseded: _Superseded) -> None:
        self._superseded[atom_id] = superseded
        if superseded.by is not None:
            self._predecessors.setdefault(superseded.by, set()).add(atom_id)

    def _forget(self, atom_id: str) -> None:
        former = self._superseded.pop(atom_id, None)
        if former is not None and former.by is not None:
            predecessors = self._predecessors[former.by]
            predecessors.discard(atom_id)
            if not predecessors:
                del self._predecessors[former.by]

    def _tied(self, atom_id: str) -> list[str]:
        """Return the atom, those that say it superseded them, and the chain of those that superseded it."""
        tied = dict.fromkeys((atom_id, *sorted(self._predecessors.get(atom_id, ()))))
        step = self._superseded.get(atom_id)
        for _ in range(_LONGEST_CIRCLE):
            if step is None or step.by is None or step.by == atom_id:
                break
            tied[step.by] = None
            step = self._superseded.get(step.by)
        return list(tied)

    def _settle(self, atom_id: str) -> None:
        """Bring an atom's `superseded` and `superseded_at` in line with what is known of its successor."""
        row = self.store.row(atom_id)
        if row is None:
            return
        own = self._superseded.get(atom_id)
        if own is None or not self.is_superseded(atom_id):
            self.store.set_superseded(row, False, math.nan)
            return
        successor = self.store.row(own.by) if own.by is not None else None
        self.store.set_superseded(row, True, own.until if successor is None else self.store.observed_at(successor))

    def _is_there(self, atom_id: str) -> bool:
        row = self.store.row(atom_id)
        return row is not None and self.store.is_alive(row)

    def _count(self, atom_id: str, change: int) -> None:
        row = self.store.row(atom_id)
        subject = -1 if row is None else self.store.current_subject(row)
        if subject >= 0:
            name = self._subject_names[subject]
            count = self._subjects.get(name, 0) + change
            if count:
                self._subjects[name] = count
                if self._names is not None:
                    self._names.add(name)
            else:
                del self._subjects[name]
                if self._names is not None:
                    self._names.drop(name)

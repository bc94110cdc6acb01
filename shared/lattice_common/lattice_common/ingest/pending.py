"""What a group decided and has not written yet, as what comes after it meets it.

To write each capture's plan and memories before the next is decided costs four fsyncs for every one of fifty. What only adds
memories may wait, and is written with the others, where what comes after it is shown as if it were there already.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lattice_common.domain.atom import Atom, normalize_subject, numbers_in
from lattice_common.language.slots import slot_keys
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.journal import Plan

BEGINNING = 3
"""Letters that a word of two similar names has in common, or fewer: no name is missed that the catalogue would find."""


def may_wait(plan: Plan) -> bool:
    """Return whether a plan only adds: what changes or moves memories that are there is written at once."""
    return not (plan.changes or plan.trashed or plan.restored)


class Pending:
    """The atoms of plans that wait to be written, in the order of their numbers."""

    def __init__(self) -> None:
        self._atoms: list[Atom] = []
        self._by_id: dict[str, Atom] = {}

    def __bool__(self) -> bool:
        return bool(self._atoms)

    def add(self, atoms: Iterable[Atom]) -> None:
        for atom in atoms:
            self._atoms.append(atom)
            self._by_id[atom.atom_id] = atom

    def clear(self) -> None:
        self._atoms.clear()
        self._by_id.clear()

    def beside(self, known: KnownAtoms) -> KnownAtoms:
        """Return the known atoms, and these."""
        return _Both(known, self._atoms, self._by_id) if self._atoms else known

    def spells_nearly(self, atoms: Iterable[Atom]) -> bool:
        """Return whether a subject of theirs may be spelt nearly like another one here: which names are alike the catalogue alone
        knows, and it has to know them first."""
        here: dict[str, set[str]] = {}
        for each in self._atoms:
            name = normalize_subject(each.subject)
            for word in name.split():
                here.setdefault(word[:BEGINNING], set()).add(name)
        for atom in atoms:
            name = normalize_subject(atom.subject)
            others = {other for word in name.split() for other in here.get(word[:BEGINNING], ()) if other != name}
            if any(numbers_in(other) == numbers_in(name) for other in others):
                return True
        return False


class _Both:
    """Implements `ports.catalogue.KnownAtoms`. The waiting ones have the highest numbers, so that they are the newest."""

    def __init__(self, known: KnownAtoms, waiting: Sequence[Atom], by_id: dict[str, Atom]) -> None:
        self._known, self._waiting, self._by_id = known, waiting, by_id

    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        found = {atom.atom_id: atom for atom in self._known.get([each for each in atom_ids if each not in self._by_id])}
        both = {**found, **self._by_id}
        return [both[each] for each in atom_ids if each in both]

    def with_hash(self, *, exact: str | None = None, normalized: str | None = None) -> list[str]:
        known = self._known.with_hash(exact=exact, normalized=normalized)
        if exact is None and normalized is None:
            return known
        return known + [
            atom.atom_id
            for atom in self._waiting
            if not atom.is_superseded
            and exact in (None, atom.content_hash)
            and normalized in (None, atom.normalized_content_hash)
        ]

    def with_subject(self, subject: str, *, limit: int) -> list[Atom]:
        name = normalize_subject(subject)
        same = [atom for atom in reversed(self._waiting) if name and normalize_subject(atom.subject) == name]
        here = [atom for atom in same if not (atom.is_superseded or atom.archived)]
        return [*here, *self._known.with_subject(subject, limit=limit)][:limit]

    def similar_subjects(self, subject: str, *, ratio: float, limit: int) -> list[str]:
        return self._known.similar_subjects(subject, ratio=ratio, limit=limit)

    def with_slot(self, key: str, *, limit: int) -> list[Atom]:
        here = [atom for atom in reversed(self._waiting) if key in slot_keys(atom)]
        return [*here, *self._known.with_slot(key, limit=limit)][:limit]

    def referrers(self, atom_id: str) -> list[str]:
        return [*self._known.referrers(atom_id), *(atom.atom_id for atom in self._waiting if atom_id in atom.links)]

"""The known atoms that a new one is compared with: few, found by key, so that the cost of an atom does not grow with the
store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.language.slots import slot_keys
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.ports.embedder import Vectors

SUBJECT_LIMIT = 16
"""Newest atoms of a subject that are compared by similarity; as many as `same_subject_as` links to."""

SIMILAR_SUBJECTS = 3
"""Similarly spelt subjects ("bench", "benches") whose atoms are compared as well."""

SLOT_LIMIT = 64
"""Atoms of a slot, newest first. A slot with more values in a lifetime than that keeps the oldest ones as they are."""


class Candidates:
    """The known atoms around those of one call, and the call's own atoms so far. Query results are cached for the call.

    What the product concluded itself is not among them: a fact is no repetition of a summary of facts.
    """

    def __init__(self, known: KnownAtoms, vectors_of: Callable[[Sequence[str]], Mapping[str, Vectors]]) -> None:
        self._known = known
        self._vectors_of = vectors_of
        self._subjects: dict[str, list[Atom]] = {}
        self._slots: dict[str, list[Atom]] = {}
        self._hashes: dict[str, list[Atom]] = {}
        self._own: defaultdict[str, list[Atom]] = defaultdict(list)
        self._vectors: dict[str, Vectors] = {}
        self._asked: set[str] = set()

    def add(self, atom: Atom) -> None:
        """Add an atom of the call that is to be stored: later atoms are compared with it too."""
        for place in (f"hash|{atom.normalized_content_hash}", f"subject|{normalize_subject(atom.subject)}", *slot_keys(atom)):
            self._own[place].append(atom)

    def with_hash(self, atom: Atom) -> list[Atom]:
        """Return current atoms with the same words, oldest first."""
        words = atom.normalized_content_hash
        found = self._hashes.get(words)
        if found is None:
            ids = self._known.with_hash(normalized=words)
            found = self._hashes[words] = _told(self._known.get(ids)) if ids else []
        return found + self._own.get(f"hash|{words}", [])

    def with_subject(self, subject: str) -> list[Atom]:
        """Return the newest current atoms of the subject, newest first."""
        name = normalize_subject(subject)
        found = self._subjects.get(name)
        if found is None:
            found = self._subjects[name] = _told(self._known.with_subject(subject, limit=SUBJECT_LIMIT)) if name else []
        own = self._own.get(f"subject|{name}", [])[-SUBJECT_LIMIT:]
        return (own[::-1] + found)[:SUBJECT_LIMIT]

    def about(self, subject: str, ratio: float) -> list[Atom]:
        """Return the newest current atoms of the subject, then those of known subjects whose names are similar: by
        token_sort_ratio at least `ratio` (0 to 100)."""
        found = self.with_subject(subject)
        if not normalize_subject(subject):
            return found
        for other in self._known.similar_subjects(subject, ratio=ratio, limit=SIMILAR_SUBJECTS):
            found = found + self.with_subject(other)
        return found[:SUBJECT_LIMIT]

    def with_slot(self, keys: Iterable[str]) -> list[Atom]:
        """Return atoms, superseded ones included, that fill one of the slots."""
        found: dict[str, Atom] = {}
        for key in keys:
            known = self._slots.get(key)
            if known is None:
                known = self._slots[key] = self._known.with_slot(key, limit=SLOT_LIMIT)
            # Of the call's own the newest too: each line of a log may fill one slot, and links to all before it fit into no file.
            for atom in [*self._own.get(key, [])[-SLOT_LIMIT:], *known]:
                found.setdefault(atom.atom_id, atom)
        return list(found.values())

    def vectors(self, atoms: Sequence[Atom]) -> Mapping[str, Vectors]:
        """Return vectors of known atoms, those of them that have one."""
        missing = [atom.atom_id for atom in atoms if atom.atom_id not in self._asked]
        if missing:
            self._asked.update(missing)
            self._vectors.update(self._vectors_of(missing))
        return self._vectors


def _told(atoms: Iterable[Atom]) -> list[Atom]:
    return [atom for atom in atoms if not is_conclusion(atom)]

"""The catalogue in memory: for tests, and for what is thrown away."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence

from lattice_common.adapters.embedded.catalogue_state import CatalogueState
from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.language.people import Register, ties_by
from lattice_common.language.slots import slot_keys
from lattice_common.ports.atoms import FileMark
from lattice_common.ports.catalogue import Columns, SeqPosition, SourceCounts


class MemoryCatalogue:
    """Implements `ports.catalogue.Catalogue`. Readers see whole changes: the dictionary is replaced, never changed."""

    def __init__(self) -> None:
        self._writing = threading.Lock()
        self._atoms: dict[str, tuple[Atom, FileMark]] = {}
        self._state = CatalogueState()

    def columns(self) -> Columns:
        return self._state.columns()

    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        atoms = self._atoms
        return [atoms[atom_id][0] for atom_id in atom_ids if atom_id in atoms]

    def successors(self, atom_ids: Sequence[str]) -> dict[str, str]:
        return self._state.successors(atom_ids)

    def recent(self, limit: int, *, before: str | None = None) -> list[Atom]:
        newest_first = self._in_order()[::-1]
        start = 0
        if before is not None:
            places = (index for index, atom in enumerate(newest_first) if atom.atom_id == before)
            start = next(places, len(newest_first)) + 1
        return [atom for atom in newest_first[start:] if not atom.archived][:limit]

    def following(self, seq: int, *, limit: int) -> list[Atom]:
        return [atom for atom in self._in_order() if atom.seq > seq][:limit]

    def with_hash(self, *, exact: str | None = None, normalized: str | None = None) -> list[str]:
        if exact is None and normalized is None:
            return []
        return [
            atom.atom_id
            for atom in self._in_order()
            if self._is_current(atom)
            and exact in {None, atom.content_hash}
            and normalized in {None, atom.normalized_content_hash}
        ]

    def with_subject(self, subject: str, *, limit: int) -> list[Atom]:
        wanted = normalize_subject(subject)
        if not wanted:
            return []
        newest_first = self._in_order()[::-1]
        same = [atom for atom in newest_first if self._is_current(atom) and normalize_subject(atom.subject) == wanted]
        return [atom for atom in same if not atom.archived][:limit]

    def similar_subjects(self, subject: str, *, ratio: float, limit: int) -> list[str]:
        return self._state.similar_subjects(subject, ratio, limit)

    def same_subject(
        self, subject: str, *, before: SeqPosition | None = None, after: SeqPosition | None = None, limit: int
    ) -> list[str]:
        wanted = normalize_subject(subject)
        same = [atom for atom in self._in_order() if wanted and normalize_subject(atom.subject) == wanted]
        return _beside(same, before, after)[:limit]

    def same_words(
        self, normalized: str, *, before: SeqPosition | None = None, after: SeqPosition | None = None, limit: int
    ) -> list[str]:
        same = [atom for atom in self._in_order() if atom.normalized_content_hash == normalized]
        return _beside(same, before, after)[:limit]

    def referrers(self, atom_id: str) -> list[str]:
        return [atom.atom_id for atom in self._in_order() if atom_id in atom.links]

    def with_slot(self, key: str, *, limit: int) -> list[Atom]:
        return [atom for atom in self._in_order()[::-1] if key in slot_keys(atom)][:limit]

    def in_review(self, limit: int) -> list[tuple[str, str]]:
        return self._in_review()[:limit]

    def count_in_review(self) -> int:
        return len(self._in_review())

    def contradictions(self, limit: int) -> list[tuple[str, str]]:
        return self._contradictions()[:limit]

    def count_contradictions(self) -> int:
        return len(self._contradictions())

    def subjects(self) -> Mapping[str, int]:
        return self._state.subjects()

    def register(self) -> Register:
        return self._state.register

    def of_capture(self, capture_id: str) -> list[str]:
        return [atom.atom_id for atom in self._in_order() if atom.capture_id == capture_id]

    def of_source(self, source_id: str) -> list[str]:
        return [atom.atom_id for atom in self._in_order() if atom.source_id == source_id]

    def sources(self) -> list[SourceCounts]:
        of: dict[str, list[Atom]] = {}
        for atom in self._in_order():
            if atom.source_id is not None:
                of.setdefault(atom.source_id, []).append(atom)
        return [
            SourceCounts(
                source_id,
                len({atom.capture_id for atom in atoms}),
                len(atoms),
                sum(self._is_current(atom) for atom in atoms),
                min(atom.atom_id for atom in atoms),
                max(atom.atom_id for atom in atoms),
            )
            for source_id, atoms in of.items()
        ]

    def marks(self, atom_ids: Sequence[str] | None = None) -> dict[str, tuple[FileMark, str]]:
        atoms = self._atoms
        wanted = atoms if atom_ids is None else [atom_id for atom_id in atom_ids if atom_id in atoms]
        return {atom_id: (atoms[atom_id][1], atoms[atom_id][0].content_hash) for atom_id in wanted}

    def count(self) -> int:
        return len(self._atoms)

    def all(self) -> Iterator[Atom]:
        return iter(self._in_order())

    def last_seq(self) -> int:
        return max((atom.seq for atom, _ in self._atoms.values()), default=0)

    def put(self, atoms: Sequence[tuple[Atom, FileMark]]) -> None:
        with self._writing:
            for atom, _ in atoms:
                self._state.put(atom, self._state.elements(atom))
                self._state.put_ties(atom.atom_id, atom.observed_at.timestamp(), ties_by(atom))
            self._atoms = self._atoms | {atom.atom_id: (atom, mark) for atom, mark in atoms}
            self._state.publish()

    def remove(self, atom_ids: Sequence[str]) -> None:
        with self._writing:
            for atom_id in atom_ids:
                self._state.remove(atom_id)
            self._atoms = {atom_id: kept for atom_id, kept in self._atoms.items() if atom_id not in set(atom_ids)}
            self._state.publish()

    def purge(self) -> None:
        """Do nothing: there is no file, and what was removed is gone."""

    def trim_memory(self) -> None:
        """Do nothing: all that is kept here is needed."""

    def clear(self) -> None:
        with self._writing:
            self._atoms = {}
            self._state = CatalogueState()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _contradictions(self) -> list[tuple[str, str]]:
        current = {atom.atom_id: atom for atom in self._in_order()[::-1] if self._is_current(atom)}
        pairs = dict.fromkeys(
            (atom.atom_id, target)
            for atom in current.values()
            for target in sorted(set(atom.contradicts) - {atom.atom_id})
            if target in current
        )
        shown: dict[tuple[str, str], None] = {}
        for pair in pairs:
            if pair[::-1] not in shown:
                shown[pair] = None
        return list(shown)

    def _in_review(self) -> list[tuple[str, str]]:
        current = {atom.atom_id: atom for atom in self._in_order()[::-1] if self._is_current(atom) and not atom.archived}
        return [
            (atom.atom_id, target)
            for atom in current.values()
            for target in sorted(set(atom.may_update) - {atom.atom_id})
            if target in current
        ]

    def _in_order(self) -> list[Atom]:
        return sorted((atom for atom, _ in self._atoms.values()), key=lambda atom: (atom.seq, atom.atom_id))

    def _is_current(self, atom: Atom) -> bool:
        return not self._state.is_superseded(atom.atom_id)


def _beside(in_order: Sequence[Atom], before: SeqPosition | None, after: SeqPosition | None) -> list[str]:
    """Return ids of those before a place, newest first, or after one, oldest first."""
    if before is not None:
        return [atom.atom_id for atom in in_order[::-1] if (atom.seq, atom.atom_id) < before]
    return [atom.atom_id for atom in in_order if after is not None and (atom.seq, atom.atom_id) > after]

"""A catalogue small enough for reconcile's tests: the reader methods it asks, over a dictionary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from lattice_common.adapters.embedded.subject_names import SubjectNames
from lattice_common.domain.atom import (
    Atom,
    Relation,
    Span,
    atom_id_for,
    content_hash,
    normalize_subject,
    normalized_content_hash,
)
from lattice_common.domain.receipt import AtomChange
from lattice_common.ingest.reconcile import Reconciled
from lattice_common.language.slots import slot_keys


class KnownAtoms:
    """Atoms by id, in the order they were written. `asked` counts look-ups."""

    def __init__(self) -> None:
        self.atoms: dict[str, Atom] = {}
        self.asked = 0

    def take(self, decided: Reconciled) -> None:
        """Store what reconcile decided, as commit does."""
        for atom in decided.atoms:
            self.atoms[atom.atom_id] = replace(atom, seq=len(self.atoms) + 1)
        for change in decided.changes:
            self.set_fields(change.atom_id, change.after)

    def undo(self, changes: Sequence[AtomChange]) -> None:
        for change in changes:
            self.set_fields(change.atom_id, change.before)

    def set_fields(self, atom_id: str, fields: Mapping[str, object]) -> None:
        values = dict(fields)
        if isinstance(supersedes := values.get("supersedes"), list):
            values["supersedes"] = tuple(supersedes)
        if isinstance(relations := values.get("relations"), list):
            values["relations"] = tuple(Relation(**relation) for relation in relations)
        self.atoms[atom_id] = replace(self.atoms[atom_id], **values)  # type: ignore[arg-type]

    def current(self) -> list[Atom]:
        return [atom for atom in self.atoms.values() if not atom.is_superseded]

    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        self.asked += 1
        return [self.atoms[atom_id] for atom_id in atom_ids if atom_id in self.atoms]

    def with_hash(self, *, exact: str | None = None, normalized: str | None = None) -> list[str]:
        self.asked += 1
        return [
            atom.atom_id
            for atom in self.current()
            if exact in (None, atom.content_hash) and normalized in (None, atom.normalized_content_hash)
        ]

    def with_subject(self, subject: str, *, limit: int) -> list[Atom]:
        self.asked += 1
        name = normalize_subject(subject)
        return [atom for atom in reversed(self.current()) if normalize_subject(atom.subject) == name][:limit]

    def similar_subjects(self, subject: str, *, ratio: float, limit: int) -> list[str]:
        self.asked += 1
        return SubjectNames(normalize_subject(atom.subject) for atom in self.current()).similar(
            normalize_subject(subject), ratio, limit
        )

    def with_slot(self, key: str, *, limit: int) -> list[Atom]:
        self.asked += 1
        return [atom for atom in reversed(self.atoms.values()) if key in slot_keys(atom)][:limit]


def statement(
    content: str,
    at: datetime,
    *,
    capture: int,
    ordinal: int = 0,
    speaker: str | None = None,
    **fields: object,
) -> Atom:
    """An atom as ingest makes it of one sentence; captures are numbered from 1."""
    capture_id = f"{capture:026d}"
    metadata = {"speaker": speaker} if speaker else {}
    atom = Atom(
        atom_id=atom_id_for(capture_id, ordinal),
        content=content,
        kind="fact",
        subject=speaker or "me",
        capture_id=capture_id,
        source_quote=content,
        source_span=Span(ordinal * 1000, ordinal * 1000 + len(content)),
        observed_at=at,
        ingested_at=at,
        metadata=metadata,
        content_hash=content_hash(content),
        normalized_content_hash=normalized_content_hash(content),
    )
    return replace(atom, **fields)  # type: ignore[arg-type]

"""Conclusions as atoms: made when the writer's turn comes, if the memories that they were drawn from are unchanged.

The model was called while others went on writing, so nothing that it saw is taken for granted: a conclusion from memories that
changed or were superseded meanwhile is dropped. What a language model says never ranks above what somebody said: `trust:
assistant`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from lattice_common.domain.atom import Atom, Relation, atom_id_for, content_hash, normalize_subject, normalized_content_hash
from lattice_common.domain.capture import Command, Derive
from lattice_common.domain.conclusion import (
    EXTRACTIVE,
    EXTRACTIVE_QUALITY,
    KINDS,
    conclusion_metadata,
    is_conclusion,
    rests_on,
    unchanged,
)
from lattice_common.domain.receipt import Refused
from lattice_common.ports.catalogue import CatalogueReader, KnownAtoms

MOST_SOURCES = 24
"""Memories that one conclusion may rest on: as many as a small model can keep apart."""


def conclusion_atom(command: Command, conclusion: Derive, catalogue: CatalogueReader, seq: int) -> Atom | Refused:
    """Return the atom of a conclusion; its quote is that of the newest memory that it rests on."""
    sources = catalogue.get(list(conclusion.sources))
    as_shown = {atom.atom_id: atom.content_hash for atom in sources if not atom.is_superseded}
    if not sources or as_shown != dict(conclusion.sources):
        return Refused("changed", "what this was concluded from is not as it was any more.")
    newest = max(sources, key=lambda atom: (atom.observed_at, atom.seq))
    words = f" {normalize_subject(conclusion.content)} "
    named = dict.fromkeys(name for atom in sources for name in atom.entities)
    return Atom(
        atom_id=atom_id_for(command.command_id, 0),
        content=conclusion.content,
        kind=conclusion.kind,
        subject=conclusion.subject,
        capture_id=newest.capture_id,
        source_quote=newest.source_quote,
        source_span=newest.source_span,
        observed_at=newest.observed_at,
        ingested_at=command.received_at,
        entities=tuple(name for name in named if f" {normalize_subject(name)} " in words),
        category="context",
        memory_type="semantic",
        persistence="long_term",
        tier="semantic",
        source="system",
        trust="assistant",
        source_type=newest.source_type,
        # A session of its own: it stands beside nothing that was said.
        session_id=command.command_id,
        extractor=conclusion.extractor,
        metadata=conclusion_metadata(conclusion.content, sources),
        quality_score=EXTRACTIVE_QUALITY if conclusion.extractor.startswith(f"{EXTRACTIVE}:") else 1.0,
        confidence=min(atom.confidence for atom in sources),
        importance=max(atom.importance for atom in sources),
        relations=tuple(Relation("derives", atom.atom_id) for atom in sources),
        content_hash=content_hash(conclusion.content),
        normalized_content_hash=normalized_content_hash(conclusion.content),
        seq=seq,
    )


def leaning_on(atom_ids: Sequence[str], catalogue: KnownAtoms) -> list[Atom]:
    """Return conclusions from any of these atoms that are not among them."""
    given = set(atom_ids)
    names = dict.fromkeys(each for atom_id in atom_ids for each in catalogue.referrers(atom_id) if each not in given)
    return [atom for atom in catalogue.get(list(names)) if not given.isdisjoint(rests_on(atom))]


def conclusions(catalogue: CatalogueReader) -> list[Atom]:
    """Return all conclusions that are there; costs a look over one column, and what it finds."""
    columns = catalogue.columns()
    kinds = [columns.kinds[kind] for kind in KINDS if kind in columns.kinds]
    rows = np.flatnonzero(columns.alive[: columns.count] & np.isin(columns.kind[: columns.count], kinds))
    return [atom for atom in catalogue.get([columns.atom_ids[row] for row in rows]) if is_conclusion(atom)]


def outdated(atoms: Sequence[Atom], catalogue: KnownAtoms) -> Iterator[Atom]:
    """Yield those of the conclusions of which a source is gone, superseded, or changed."""
    for atom in atoms:
        sources = catalogue.get(list(rests_on(atom)))
        if not unchanged(atom, [each for each in sources if not each.is_superseded]):
            yield atom

"""Merging two memories that say the same: one stays, with what was known of the other, and supersedes it."""

from __future__ import annotations

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue, MergeAtoms
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.last_said import LAST_SAID, said_at
from lattice_common.domain.receipt import AtomChange, Refused
from lattice_common.domain.tier import TOLD, settled_tier, times_told
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.upkeep.field_values import field_values

REASON = "merged: both say the same"


def merged(merging: MergeAtoms, known: KnownAtoms) -> tuple[AtomChange, ...] | Refused:
    """Return the changes of both. Nothing is lost: the file of the other stays, as that of a superseded memory."""
    atoms = {atom.atom_id: atom for atom in known.get([merging.atom_id, merging.other])}
    if merging.atom_id == merging.other or len(atoms) < 2:
        return Refused("not_found", f"there are not two memories {merging.atom_id} and {merging.other} to be merged.")
    kept, other = atoms[merging.atom_id], atoms[merging.other]
    if kept.is_superseded or other.is_superseded:
        return Refused("conflict", "nothing to merge: one of the two is replaced already.")
    if is_conclusion(kept) != is_conclusion(other):
        return Refused(
            "conflict",
            "what was concluded is no memory of its own: one of the two was told, the other was made of what was told.",
        )
    together = _together(kept, other)
    retired: dict[str, JsonValue] = {"is_superseded": True, "superseded_by": kept.atom_id, "superseded_reason": REASON}
    return (
        AtomChange(other.atom_id, field_values(other, list(retired)), retired),
        AtomChange(kept.atom_id, field_values(kept, list(together)), together),
    )


def _together(kept: Atom, other: Atom) -> dict[str, JsonValue]:
    """Return the changed fields of the one that stays: as sure, as important and as often told and recalled as both."""
    told = times_told(kept) + times_told(other)
    metadata = {**kept.metadata, TOLD: told, LAST_SAID: max(said_at(kept), said_at(other)).isoformat()}
    recalled = [at for at in (kept.last_recalled_at, other.last_recalled_at) if at is not None]
    relations = {relation.target: relation for relation in (*other.relations, *kept.relations)}
    after: dict[str, JsonValue] = {
        "supersedes": list(dict.fromkeys((*kept.supersedes, other.atom_id))),
        "entities": list(dict.fromkeys((*kept.entities, *other.entities))),
        "confidence": max(kept.confidence, other.confidence),
        "importance": max(kept.importance, other.importance),
        "quality_score": max(kept.quality_score, other.quality_score),
        "recall_count": kept.recall_count + other.recall_count,
        "last_recalled_at": max(recalled).isoformat() if recalled else None,
        "tier": settled_tier(kept),
        "metadata": metadata,
        "relations": [
            {"type": each.type, "target": each.target}
            for target, each in relations.items()
            if target not in (kept.atom_id, other.atom_id)
        ],
    }
    before = field_values(kept, list(after))
    return {name: value for name, value in after.items() if before[name] != value}

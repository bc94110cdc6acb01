"""The atoms of one call of reconcile, before and after, and the changes between the two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lattice_common.domain.atom import Atom, Relation, RelationType
from lattice_common.domain.capture import RELAYING, JsonValue
from lattice_common.domain.last_said import LAST_SAID, said_at
from lattice_common.domain.receipt import AtomChange
from lattice_common.domain.status import holds
from lattice_common.domain.tier import TOLD, settled_tier, times_told

STRONGER: tuple[RelationType, ...] = ("contradicts", "may_update")
"""Relations that are not replaced by another between the same two atoms: the owner is asked about them."""

CONFIDENCE_STEP = 0.05
MOST_CONFIDENCE = 0.95
"""Upper limit of confidence by repetition: after three (0.8 → 0.95) a statement is as sure as it gets."""


class Ledger:
    """The state of one call. New atoms are those given to `add`; every other atom existed before."""

    def __init__(self) -> None:
        self._new: dict[str, Atom] = {}
        self._before: dict[str, Atom] = {}
        self._after: dict[str, Atom] = {}

    def add(self, atom: Atom) -> None:
        self._new[atom.atom_id] = atom

    def now(self, atom: Atom) -> Atom:
        """Return the atom as it has become meanwhile."""
        return self._new.get(atom.atom_id) or self._after.get(atom.atom_id) or atom

    def is_new(self, atom: Atom) -> bool:
        return atom.atom_id in self._new

    def new_atoms(self) -> Iterable[Atom]:
        return self._new.values()

    def supersede(self, old: Atom, by: Atom, reason: str) -> None:
        """Retire `old`. An atom that is retired already keeps its first reason; `by` lists it only if it retired it."""
        old, by = self.now(old), self.now(by)
        if old.is_superseded:
            return
        self._set(replace(old, is_superseded=True, superseded_by=by.atom_id, superseded_reason=reason), old)
        self._set(replace(by, supersedes=(*by.supersedes, old.atom_id)), by)

    def hold_true(self, atom: Atom) -> None:
        """Mark a new atom that ends something as asserted, whatever its wording suggested."""
        atom = self.now(atom)
        if self.is_new(atom) and not holds(atom.status):
            self._set(replace(atom, status="asserted"), atom)

    def relate(self, atom: Atom, relation: Relation) -> None:
        atom = self.now(atom)
        if all(known.target != relation.target for known in atom.relations):
            self._set(replace(atom, relations=(*atom.relations, relation)), atom)

    def doubt(self, atom: Atom, older: Atom) -> None:
        """Record that `atom` may have made `older` untrue, replacing a weaker relation between them; not where they contradict
        each other, because the owner is asked about that already."""
        self._tie(atom, Relation("may_update", older.atom_id))

    def precede(self, atom: Atom, older: Atom) -> None:
        """Record that `atom`, which is new, is ranked before `older` where both are found."""
        if self.is_new(atom):
            self._tie(atom, Relation("updates", older.atom_id))

    def _tie(self, atom: Atom, tie: Relation) -> None:
        """Set a relation in place of a weaker one between the same two atoms."""
        atom = self.now(atom)
        if not any(known.target == tie.target and known.type in STRONGER for known in atom.relations):
            others = tuple(known for known in atom.relations if known.target != tie.target)
            self._set(replace(atom, relations=(*others, tie)), atom)

    def reinforce(self, known: Atom, again: Atom, *, keep_time: bool, echo: bool = False) -> bool:
        """Record that `again` repeats `known`. The later time is kept (`keep_time`) where it decides what may retire the fact;
        return whether it was. The owner's repetition makes the fact surer, an `echo` of an answer does not."""
        known = self.now(known)
        changed = known if echo or not _is_told_again(known, again) else _surer(known, again)
        if known.archived and again.trust == "user":
            # The owner mentions it again, so it leaves the archive.
            changed = replace(changed, archived=False)
        later = keep_time and said_at(again) > said_at(known)
        if later:
            changed = replace(changed, metadata={**changed.metadata, LAST_SAID: said_at(again).isoformat()})
        if changed != known:
            self._set(changed, known)
        return later

    def changes(self) -> tuple[AtomChange, ...]:
        """Return one change for each atom that was there before and is different now."""
        found = []
        for atom_id, after in self._after.items():
            before = self._before[atom_id]
            names = [name for name in _FIELDS if getattr(before, name) != getattr(after, name)]
            if names:
                found.append(AtomChange(atom_id, _fields(before, names), _fields(after, names)))
        return tuple(found)

    def _set(self, atom: Atom, was: Atom) -> None:
        if atom.atom_id in self._new:
            self._new[atom.atom_id] = atom
        else:
            self._before.setdefault(atom.atom_id, was)
            self._after[atom.atom_id] = atom


def _is_told_again(known: Atom, again: Atom) -> bool:
    """Return whether the owner says it, later than before: an assistant, a program or a document repeats what it got from
    somewhere, and a conversation that is imported twice was held once."""
    own = known.trust == again.trust == "user" and again.metadata.get("channel") not in RELAYING
    return own and said_at(again) > said_at(known)


def _surer(known: Atom, again: Atom) -> Atom:
    confidence = max(known.confidence, min(MOST_CONFIDENCE, round(known.confidence + CONFIDENCE_STEP, 4)))
    told: dict[str, JsonValue] = {TOLD: times_told(known) + 1, LAST_SAID: said_at(again).isoformat()}
    return replace(known, confidence=confidence, tier=settled_tier(known), metadata={**known.metadata, **told})


_FIELDS = (
    "is_superseded",
    "superseded_by",
    "superseded_reason",
    "supersedes",
    "confidence",
    "tier",
    "metadata",
    "relations",
    "archived",
)


def _fields(atom: Atom, names: Iterable[str]) -> dict[str, JsonValue]:
    return {name: _value(atom, name) for name in names}


def _value(atom: Atom, name: str) -> JsonValue:
    match name:
        case "supersedes":
            return list(atom.supersedes)
        case "relations":
            return [{"type": relation.type, "target": relation.target} for relation in atom.relations]
        case "metadata":
            return dict(atom.metadata)
        case "confidence":
            return atom.confidence
        case "tier":
            return atom.tier
        case "archived":
            return atom.archived
        case "is_superseded":
            return atom.is_superseded
        case "superseded_by":
            return atom.superseded_by
        case _:
            return atom.superseded_reason

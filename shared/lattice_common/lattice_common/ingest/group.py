"""Entries that somebody waits for and that are processed together, with one commit of the engines, and their receipts, for all of
them.

They are decided in their order, each from the state that those before it left. A command is decided before the engines have
followed the entries before it, so one that touches an atom which these touched waits until they have.
"""

from __future__ import annotations

from collections.abc import Sequence

from lattice_common.domain.capture import (
    Action,
    Command,
    DeleteAtom,
    DeleteAtoms,
    EditAtom,
    Entry,
    KeepBoth,
    MergeAtoms,
    PreferAtom,
    RateAtoms,
)
from lattice_common.ports.journal import Plan

JUDGED_LATER = "judged_later"
"""Note of a receipt that was written before the judge had compared the new atoms with the known ones."""


def named_in(action: Action) -> Sequence[str] | None:
    """Return the atoms that a command is about; None where it depends on more than those, and is processed alone."""
    match action:
        case EditAtom(atom_id) | DeleteAtom(atom_id):
            return (atom_id,)
        case DeleteAtoms(atom_ids) | RateAtoms(atom_ids):
            return atom_ids
        case PreferAtom(atom_id, other) | KeepBoth(atom_id, other) | MergeAtoms(atom_id, other):
            return (atom_id, other)
        case _:
            return None


def goes_with_others(said: Entry) -> bool:
    """Return whether an entry may be processed with others, as far as its own content says."""
    if isinstance(said, Command):
        return named_in(said.action) is not None
    return said.priority == "interactive" and said.original is None


def touched_by(plan: Plan) -> list[str]:
    """Return the ids of the atoms that a plan makes, changes, or moves."""
    made, changed = [atom.atom_id for atom in plan.atoms], [change.atom_id for change in plan.changes]
    return [*made, *changed, *plan.trashed, *plan.restored]

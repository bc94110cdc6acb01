"""What the going of some memories changes in those that they replaced, and in those that replaced them."""

from __future__ import annotations

from collections.abc import Sequence

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.receipt import AtomChange
from lattice_common.domain.replacement import replaced_by
from lattice_common.domain.succession import successor
from lattice_common.ports.catalogue import KnownAtoms
from lattice_common.upkeep.field_values import field_values

_REPLACED = ("is_superseded", "superseded_by", "superseded_reason")


def without(gone: Sequence[Atom], catalogue: KnownAtoms, made: Sequence[AtomChange] = ()) -> list[AtomChange]:
    """Return what changes when `gone` leave, and with it the changes `made` in the same step.

    What one of them replaced is current again, for otherwise deleting a mistake would leave a hole; not where what replaced that
    one in turn stays, which takes its place. What `made` gives another successor keeps that one.
    """
    going = {atom.atom_id: atom for atom in gone}
    changes = {change.atom_id: change for change in made}
    taking: dict[str, list[str]] = {}
    for old in catalogue.get([each for atom in gone for each in atom.supersedes if each not in going]):
        given = changes.get(old.atom_id)
        if old.superseded_by not in going or (given is not None and given.after.get("superseded_by") is not None):
            continue
        found = catalogue.get([by]) if (by := successor(old, going)) is not None else []
        after: dict[str, JsonValue] = dict.fromkeys(_REPLACED, None) | {"is_superseded": False}
        if found:
            after = dict(zip(_REPLACED, (True, found[0].atom_id, replaced_by(found[0].content)), strict=True))
            taking.setdefault(found[0].atom_id, []).append(old.atom_id)
        _add(changes, AtomChange(old.atom_id, field_values(old, _REPLACED), after))
    for heir in catalogue.get(list(taking)):
        links: list[JsonValue] = list(dict.fromkeys([*heir.supersedes, *taking[heir.atom_id]]))
        _add(changes, AtomChange(heir.atom_id, field_values(heir, ["supersedes"]), {"supersedes": links}))
    return list(changes.values())


def _add(changes: dict[str, AtomChange], change: AtomChange) -> None:
    given = changes.get(change.atom_id)
    if given is not None:
        change = AtomChange(change.atom_id, {**change.before, **given.before}, {**given.after, **change.after})
    changes[change.atom_id] = change

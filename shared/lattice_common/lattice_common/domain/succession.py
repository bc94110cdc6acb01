"""The successor of a memory when one in a chain of supersessions is removed.

A was superseded by B, and B by C. Without B, C superseded A: A did not become true again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lattice_common.domain.atom import Atom


def successor(atom: Atom, gone: Mapping[str, Atom]) -> str | None:
    """Return the id of what supersedes `atom` once those in `gone` (by id) are removed: the first along the chain that stays, or
    None where the chain ends among those that go, or is a circle."""
    seen = {atom.atom_id}
    by = atom.superseded_by
    while by is not None and by in gone and by not in seen:
        seen.add(by)
        by = gone[by].superseded_by
    return None if by is None or by in gone or by in seen else by


def predecessors(supersedes: Iterable[str], gone: Mapping[str, Atom]) -> list[str]:
    """Return what is superseded by an atom that superseded `supersedes`, once those in `gone` are removed: for each that goes,
    what it superseded itself."""
    found: dict[str, None] = {}
    seen: set[str] = set()
    left = list(supersedes)[::-1]
    while left:
        atom_id = left.pop()
        if atom_id not in gone:
            found[atom_id] = None
        elif atom_id not in seen:
            seen.add(atom_id)
            left.extend(reversed(gone[atom_id].supersedes))
    return list(found)

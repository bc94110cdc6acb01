"""Who holds in the end where memories replaced each other in turn, and one in the middle of them goes.

A was replaced by B, and B by C. Without B it is C that replaced A: A did not become true again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lattice_common.domain.atom import Atom


def successor(atom: Atom, gone: Mapping[str, Atom]) -> str | None:
    """Return the id of what replaces `atom` once those in `gone` (by id) are not there: the first along the chain that stays, or
    None where the chain ends among those that go, or goes in a circle."""
    seen = {atom.atom_id}
    by = atom.superseded_by
    while by is not None and by in gone and by not in seen:
        seen.add(by)
        by = gone[by].superseded_by
    return None if by is None or by in gone or by in seen else by


def predecessors(supersedes: Iterable[str], gone: Mapping[str, Atom]) -> list[str]:
    """Return what is replaced by one that replaced `supersedes`, once those in `gone` are not there: of each that goes, what it
    replaced itself."""
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

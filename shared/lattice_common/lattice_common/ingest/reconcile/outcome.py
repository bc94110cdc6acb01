"""The input and the result of reconcile."""

from __future__ import annotations

from dataclasses import dataclass

from lattice_common.domain.atom import Atom
from lattice_common.domain.receipt import AtomChange


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Similarities from which things count as the same. `subject` is a token_sort_ratio (0 to 100), the others are cosines (0 to
    1)."""

    subject: float = 80.0
    duplicate: float = 0.95
    updates: float = 0.88
    related: float = 0.72


@dataclass(frozen=True, slots=True)
class Duplicate:
    """An atom that is not stored because the atom with the id `of` says it already."""

    atom: Atom
    of: str


@dataclass(frozen=True, slots=True)
class Reconciled:
    """`atoms` are to be stored (with `supersedes`, `relations` and, where something newer is known, `is_superseded` set);
    `changes` concern existing atoms, at most one each; `duplicates` are not stored."""

    atoms: tuple[Atom, ...]
    changes: tuple[AtomChange, ...]
    duplicates: tuple[Duplicate, ...]

"""The numbers that ingest assigns: `seq` of atoms, and the order of writes to the search engines."""

from __future__ import annotations

from collections.abc import Callable

from lattice_common.ports.catalogue import Catalogue
from lattice_common.ports.journal import Plan


class Numbers:
    """For the writer's thread. `next_seq` is the next free `seq`; `next_index_seq` returns a number above that of every write to
    the engines so far (`IndexSequence`)."""

    def __init__(self, catalogue: Catalogue, next_index_seq: Callable[[], int]) -> None:
        self._catalogue = catalogue
        self.next_seq = catalogue.last_seq() + 1
        self.next_index_seq = next_index_seq

    def catch_up(self) -> None:
        """Continue above what the catalogue has: the repair at the start may have numbered atoms that were written by hand."""
        self.next_seq = max(self.next_seq, self._catalogue.last_seq() + 1)

    def take(self, count: int) -> int:
        """Take `count` numbers for atoms; return the first of them."""
        first = self.next_seq
        self.next_seq += count
        return first

    def taken_by(self, plan: Plan) -> None:
        """Continue above the numbers of a plan, whether or not its atoms reached the catalogue before a crash."""
        self.next_seq = max([self.next_seq, *(atom.seq + 1 for atom in plan.atoms)])

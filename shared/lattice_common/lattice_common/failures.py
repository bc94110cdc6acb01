"""Counts failures of a closed list (`domain.failure`) since the process started, and logs each: for the log, `/metrics` and
`lattice stats`."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from lattice_common.domain.atom import Atom
from lattice_common.domain.failure import FAILURES, Failure
from lattice_common.domain.receipt import Receipt
from lattice_common.logs import logger

log = logger(__name__)


class Failures:
    """Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[Failure, int] = dict.fromkeys(FAILURES, 0)

    def note(self, failure: Failure) -> None:
        """Count one failure."""
        with self._lock:
            self._counts[failure] += 1
        log.info("failure", kind=failure)

    def counts(self) -> dict[str, int]:
        """Return every failure of the list, those that never happened too."""
        with self._lock:
            return {str(failure): count for failure, count in self._counts.items()}

    def of_receipt(self, receipt: Receipt, made: tuple[Atom, ...]) -> None:
        """Count the failures that a receipt and its memories show."""
        if receipt.state == "dead":
            self.note("dead")
        elif receipt.state == "rejected" or receipt.rejected:
            self.note("rejected")
        if any(relation.type == "contradicts" for atom in made for relation in atom.relations):
            self.note("conflict")


def together(*counts: Mapping[str, int]) -> dict[str, int]:
    """Return the sum of the counts of several processes."""
    return {failure: sum(each.get(failure, 0) for each in counts) for failure in FAILURES}

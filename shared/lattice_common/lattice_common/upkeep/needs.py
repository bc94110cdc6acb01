"""How much only the owner can settle: for the count in the page's bar."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Needs:
    """`in_review`: pairs of which the newer may have made the older untrue; `disagreeing`: pairs of which one can be true;
    `dead`: captures that could not be read; `files`: of the inbox that could not be taken, and others that could not be read;
    `to_correct`: memories called wrong."""

    in_review: int
    disagreeing: int
    dead: int
    files: int
    to_correct: int

    @property
    def count(self) -> int:
        """Return the sum of all."""
        return self.in_review + self.disagreeing + self.dead + self.files + self.to_correct

"""What a status means for a memory: which may count as facts, and which may retire or repeat one another."""

from __future__ import annotations

from lattice_common.domain.judgement import STATUSES, Status

TRUE_OF_WHAT_THEY_SAY: frozenset[Status] = frozenset(("asserted", "past", "planned"))
"""Statements about the past, the present and the future: each true in its own tense. The other statuses only mean that somebody
wished, supposed, heard, joked, dropped or doubted something."""

UNDECIDED: frozenset[Status] = frozenset(STATUSES) - TRUE_OF_WHAT_THEY_SAY

NUMBERS: dict[Status, int] = {status: number for number, status in enumerate(STATUSES)}
"""The number of each status in columns of numbers; asserted is 0."""


def holds(status: Status) -> bool:
    """Return whether a statement of this status is true of what it says, so that it may retire another, and repeat it."""
    return status in TRUE_OF_WHAT_THEY_SAY


def comparable(one: Status, other: Status) -> bool:
    """Return whether two statements may be duplicates, or one of them may retire the other: a wish repeats no fact and ends none,
    and a statement about a fact ends no wish."""
    return one == other or (holds(one) and holds(other))


def raises_doubt(status: Status) -> bool:
    """Return whether a statement of this status may bring up, or be the object of, the question whether something is still so:
    nobody needs to say whether what was wished, supposed, joked or said by others is still so, or ends what is."""
    return may_settle(status) or status == "uncertain"


def may_settle(status: Status) -> bool:
    """Return whether news of this status may retire what it ends without the owner being asked. News that ends something often
    sounds like something dropped ("Cancelled the gym.", "Binned the helmet."); what is wished, supposed, joked, doubted or said
    by others ends nothing by itself."""
    return holds(status) or status == "rejected"

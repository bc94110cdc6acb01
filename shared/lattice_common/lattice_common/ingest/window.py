"""The words around an atom in its capture: indexed with it, never part of it.

Made from the journal's text alone, so that a rebuild gives the same result.
"""

from __future__ import annotations

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, turn_at

AROUND = 300
"""Characters on each side of a quote outside conversations: about three sentences."""


def window_of(capture: Capture, span: Span) -> tuple[str, ...]:
    """Return the turns before, of and after the span in a conversation; elsewhere the text around it. O(log turns)."""
    at = turn_at(capture.turns, span.start)
    if at is not None:
        return tuple(capture.text[turn.start : turn.end] for turn in capture.turns[max(at - 1, 0) : at + 2])
    return (capture.text[max(span.start - AROUND, 0) : span.end + AROUND],)

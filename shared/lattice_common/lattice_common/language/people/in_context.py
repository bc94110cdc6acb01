"""What a statement told in a conversation says by itself: "She moved to Berlin" after a question about Ada."""

from __future__ import annotations

from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Segment
from lattice_common.language.people.coreference import LONGEST, resolve_pronouns


def context_of(capture: Capture) -> str:
    """Return the words of the turns before, where the door that took the capture saw that it leans on them; else empty."""
    context = capture.metadata.get("context")
    return context if isinstance(context, str) else ""


def with_names(capture: Capture, segment: Segment, start: int, quote: str) -> str:
    """Return `quote` with "she" and "he" put into names, where exactly one person of the turns before, or of the words before it,
    fits. The quote of the fact stays what was said; grounding looks for the names where they were looked for here."""
    if segment.ordinal or segment.turns or not (before := context_of(capture)):
        return quote
    return resolve_pronouns(quote, (before, capture.text[max(segment.start, start - LONGEST) : start]), {"she", "he"}).text

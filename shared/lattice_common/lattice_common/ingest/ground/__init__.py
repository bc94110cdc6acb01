"""Ground: only what stands in its source goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lattice_common.domain.capture import Capture
from lattice_common.domain.quote import locate
from lattice_common.domain.segment import Candidate, Rejection, Segment

__all__ = ["ground"]


def ground(capture: Capture, segment: Segment, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Rejection]]:
    """Candidates with `start`, `end` and the quote verbatim, and those that are not proved."""
    proved: list[Candidate] = []
    rejected: list[Rejection] = []
    for candidate in candidates:
        near = candidate.start - segment.start if candidate.start is not None else None
        span = locate(candidate.quote, segment.text, near=near)
        if span is None:
            rejected.append(Rejection(candidate, "quote-not-found", candidate.quote[:200]))
            continue
        start, end = segment.start + span.start, segment.start + span.end
        proved.append(replace(candidate, start=start, end=end, quote=capture.text[start:end]))
    return proved, rejected

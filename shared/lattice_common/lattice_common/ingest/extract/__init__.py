"""Extract by rules: what a segment says, as candidates for atoms. No model, no network."""

from __future__ import annotations

from lattice_common.domain.capture import Capture
from lattice_common.domain.dates import resolve
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.sentences import sentences

__all__ = ["extract"]


def extract(capture: Capture, segment: Segment) -> list[Candidate]:
    """Candidates in the order of the text."""
    found: list[Candidate] = []
    text = capture.text
    stretches = [(turn.start, turn.end, turn) for turn in segment.turns] or [(segment.start, segment.end, None)]
    for start, end, turn in stretches:
        for span in sentences(text, start, end):
            quote = text[span.start : span.end]
            if len(quote.split()) < 4 or quote.endswith("?"):
                continue
            observed_at = (turn.observed_at if turn else None) or capture.observed_at
            dates = resolve(quote, observed_at)
            speaker = turn.speaker if turn else None
            words = " ".join(quote.split())
            found.append(
                Candidate(
                    content=f"{speaker}: {words}" if speaker else words,
                    quote=quote,
                    kind="fact",
                    subject=speaker or "me",
                    segment_id=segment.segment_id,
                    start=span.start,
                    end=span.end,
                    speaker=speaker,
                    message_id=turn.message_id if turn else None,
                    observed_at=observed_at,
                    valid_from=dates[0].valid_from if dates else None,
                    date_phrase=dates[0].phrase if dates else None,
                )
            )
    return found

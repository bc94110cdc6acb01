"""Bounded pieces: the one way segments are made, so that every span is exact and none is too long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lattice_common.domain.capture import Capture, SourceType, Turn
from lattice_common.domain.segment import Segment

LONGEST_SEGMENT = 4000
"""Characters. About a thousand tokens: what a small local model reads well at once, and some thirty facts."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the text that belongs together: `[start, end)`, with the headings above it."""

    start: int
    end: int
    headings: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    context: str = ""


def cut(text: str, start: int, end: int, longest: int = LONGEST_SEGMENT) -> Iterator[tuple[int, int]]:
    """Yield `[start, end)` in stretches of at most `longest` characters that leave nothing out: at a blank line if there is one
    in the second half, else a line, a sentence, a space, else anywhere."""
    while end - start > longest:
        at = last_break(text, start + longest // 2, start + longest)
        yield start, at
        start = at
    if start < end:
        yield start, end


def last_break(text: str, low: int, high: int) -> int:
    """Return the best place in `[low, high]` to cut a text at."""
    for mark in ("\n\n", "\n", ". ", "? ", "! ", "。", " "):
        at = text.rfind(mark, low, high)
        if at >= 0:
            return at + len(mark)
    return high


def bounded(text: str, pieces: Iterable[Piece], longest: int = LONGEST_SEGMENT) -> Iterator[Piece]:
    """Yield pieces cut to size, their turns clipped to them, without those that hold white space only."""
    for piece in pieces:
        for start, end in cut(text, piece.start, piece.end, longest):
            if not text[start:end].strip():
                continue
            turns = turns_within(piece.turns, start, end)
            context = piece.context if start == piece.start else ""
            yield replace(piece, start=start, end=end, turns=turns, context=context)


def turns_within(turns: Iterable[Turn], start: int, end: int) -> tuple[Turn, ...]:
    """Return the turns that stand in `[start, end)`, as far as they do."""
    return tuple(
        replace(turn, start=max(turn.start, start), end=min(turn.end, end))
        for turn in turns
        if turn.start < end and turn.end > start
    )


def clipped(text: str, segment: Segment, start: int, end: int) -> Segment:
    """Return the stretch `[start, end)` of a segment of `text`, as a segment that has its name."""
    turns = turns_within(segment.turns, start, end)
    return replace(segment, start=start, end=end, text=text[start:end], turns=turns)


def segments_of(
    capture: Capture, source_type: SourceType, pieces: Iterable[Piece], longest: int = LONGEST_SEGMENT
) -> list[Segment]:
    """Return segments numbered in the order of the text."""
    return [
        Segment(
            segment_id=f"{capture.capture_id}-{ordinal}",
            capture_id=capture.capture_id,
            ordinal=ordinal,
            source_type=source_type,
            start=piece.start,
            end=piece.end,
            text=capture.text[piece.start : piece.end],
            headings=piece.headings,
            turns=piece.turns,
            context=piece.context,
        )
        for ordinal, piece in enumerate(bounded(capture.text, pieces, longest))
    ]

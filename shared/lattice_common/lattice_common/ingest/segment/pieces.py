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


def cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """`[start, end)` in stretches of at most `LONGEST_SEGMENT` that leave nothing out: at a blank line if there is one in the
    second half, else a line, a sentence, a space, else anywhere."""
    while end - start > LONGEST_SEGMENT:
        at = _last_break(text, start + LONGEST_SEGMENT // 2, start + LONGEST_SEGMENT)
        yield start, at
        start = at
    if start < end:
        yield start, end


def _last_break(text: str, low: int, high: int) -> int:
    for mark in ("\n\n", "\n", ". ", "? ", "! ", "。", " "):
        at = text.rfind(mark, low, high)
        if at >= 0:
            return at + len(mark)
    return high


def bounded(text: str, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Pieces cut to size, their turns clipped to them, without those that hold white space only."""
    for piece in pieces:
        for start, end in cut(text, piece.start, piece.end):
            if not text[start:end].strip():
                continue
            turns = tuple(
                replace(turn, start=max(turn.start, start), end=min(turn.end, end))
                for turn in piece.turns
                if turn.start < end and turn.end > start
            )
            context = piece.context if start == piece.start else ""
            yield replace(piece, start=start, end=end, turns=turns, context=context)


def segments_of(capture: Capture, source_type: SourceType, pieces: Iterable[Piece]) -> list[Segment]:
    """Segments numbered in the order of the text."""
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
        for ordinal, piece in enumerate(bounded(capture.text, pieces))
    ]

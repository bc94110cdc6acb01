"""Where what was read as one statement is meant in two ways: "Dad says the roof will hold, but I booked the roofer."

Statements are cut by rules, in doubt too seldom: what leans on the words before it stays with them. A statement has one status
though, and one that is half so states the other half as a fact, or hides what is so. So each of its pieces is read by the judge
beside what stands around it, and where one is surely so and another surely not the statement is cut between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.status import TRUE_OF_WHAT_THEY_SAY, holds
from lattice_common.ingest.extract.around import LONGEST, Around
from lattice_common.ingest.extract.status import certain_of, frame_of, is_asked_at_once, is_ones_own, shown_beside
from lattice_common.language.sentences.pieces import pieces
from lattice_common.language.sentences.split import is_ended
from lattice_common.ports.judge import Judge

SO, NOT_SO = 0.7, 0.3
"""The judge's probability of a true status from which a piece is surely so, and up to which it surely is not."""
MOST_PIECES, MOST_READ = 24, 150
"""A statement of more pieces is a list, and not looked at; so many are in a part of a capture, half a second of the judge's
time, and what follows is left as it is."""

Read = Sequence[tuple[Segment, Sequence[Candidate]]]
"""What was extracted from each segment."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """One of several pieces of the candidate with this number, in which segment, and what the judge is shown of it; `sure`: how
    likely a certain rule makes it that it is so; whether a sentence begins with it."""

    candidate: int
    segment: Segment
    span: Span
    shown: tuple[str, str]
    sure: float | None
    begins_sentence: bool


def gaps(read: Sequence[tuple[Capture, Read]], judge: Judge) -> list[dict[str, tuple[Span, ...]]]:
    """Return for each capture, by the ids of segments, where statements are to be cut: what stands between two pieces of which
    one is so and the other is not. The judge is asked once, about the pieces of all statements that have several."""
    found = [list(_pieces(capture, own)) for capture, own in read]
    asked = list(dict.fromkeys(piece.shown for own in found for piece in own if piece.sure is None))
    shares = {
        shown: sum(reading.status[name] for name in TRUE_OF_WHAT_THEY_SAY)
        for shown, reading in zip(asked, judge.meant(asked) if asked else (), strict=True)
    }
    return [_cut(own, shares) for own in found]


def _pieces(capture: Capture, read: Read) -> Iterator[_Piece]:
    around = Around()
    number = count = 0
    for segment, candidates in read:
        for candidate in candidates:
            number += 1
            if candidate.start is None or candidate.end is None or not is_ones_own(capture, segment, candidate):
                continue
            spans = pieces(capture.text, Span(candidate.start, candidate.end))
            if not 1 < len(spans) <= MOST_PIECES or not is_asked_at_once(capture, around.sentence(capture, segment, candidate)):
                continue
            count += len(spans)
            if count > MOST_READ:
                return
            for span in spans:
                own = replace(candidate, quote=capture.text[span.start : span.end], start=span.start, end=span.end)
                status = certain_of(around.sentence(capture, segment, own), own, frame_of(around, capture, segment, own))
                sure = None if status is None else float(holds(status))
                begins = is_ended(capture.text[candidate.start : span.start].rstrip(" ")[-40:])
                shown = shown_beside(around.beside(capture, segment, own), own.quote[:LONGEST])
                yield _Piece(number, segment, span, shown, sure, begins)


def _cut(found: Sequence[_Piece], shares: dict[tuple[str, str], float]) -> dict[str, tuple[Span, ...]]:
    cut: dict[str, tuple[Span, ...]] = {}
    for _, of_one in groupby(found, key=lambda piece: piece.candidate):
        own = list(of_one)
        before: tuple[int, bool] | None = None
        for at, piece in enumerate(own):
            share = piece.sure if piece.sure is not None else shares[piece.shown]
            is_so = True if share >= SO else False if share <= NOT_SO else None
            if is_so is None:
                continue
            if before is not None and before[1] != is_so:
                # What is in doubt between the two goes with those of its sentence, else with what precedes it.
                first = next((each for each in range(at, before[0], -1) if own[each].begins_sentence), at)
                gap = Span(own[first - 1].span.end, own[first].span.start)
                cut[piece.segment.segment_id] = (*cut.get(piece.segment.segment_id, ()), gap)
            before = at, is_so
    return cut

"""One segment, at most three calls: ask; where the answer cannot be used, ask for a better one; then ask about its halves.

An answer that was cut off is not repaired, because what is missing is unknown: the halves are asked about at once. What is left
when the calls are used up, or when the model is away, too slow or too expensive, is left to the rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import TypeAlias

from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.token_estimate import estimated_tokens
from lattice_common.errors import ModelUnavailable
from lattice_common.ingest.extract.model.answer import MEMORIES_SCHEMA, Memory, Unusable, memories_in
from lattice_common.ingest.extract.model.ask import BEFORE, answer_tokens, reading, repairing
from lattice_common.ingest.extract.model.candidates import candidates_of, place_of
from lattice_common.ingest.extract.model.patience import Patience
from lattice_common.ingest.extract.model.spending import Deadline, Spending
from lattice_common.ingest.prompts import prompt_for
from lattice_common.ingest.segment.pieces import clipped, last_break
from lattice_common.ports.language_model import Completion, LanguageModel, Message, ModelRequest, Purpose

MOST_CALLS = 3
"""Calls for one segment, whatever the answers are."""

SMALLEST = 200
"""Characters of a piece that is worth halving."""

LEAST_SECONDS = 1.0
"""Time left below which no call is begun."""

ALL_ITS_TIME = 0.9
"""Share of its time after which a failed call counts as unanswered, not as refused."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a segment and what the model found in it; None where its answer could not be used."""

    piece: Segment
    candidates: tuple[Candidate, ...] | None


@dataclass(frozen=True, slots=True)
class Read:
    """A segment piece by piece, in order; `instead` is why some piece has nothing."""

    pieces: tuple[Piece, ...]
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class Means:
    """The means and limits of calls. `call_seconds` bounds one of them. Their durations are recorded in `patience`, which counts
    for those that somebody `waits` for; where the model hangs, only what is read `again` is asked."""

    model: LanguageModel
    spending: Spending
    deadline: Deadline
    context_tokens: int
    call_seconds: float
    patience: Patience
    waits: bool
    again: bool = False
    place: Callable[[], AbstractContextManager[None]] = nullcontext
    """Held while a call is made."""


class _StoppedError(Exception):
    """No further call for this segment."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class _TooLong:
    """The answer was cut off."""


_Judged: TypeAlias = "list[Memory] | Unusable | _TooLong"


def read_segment(capture: Capture, segment: Segment, means: Means) -> Read:
    """Ask about a segment. Neither the model's words nor its absence is an error."""
    calls = _Calls(means)
    waiting = deque([segment])
    done: list[Piece] = []
    instead: str | None = None
    while waiting:
        piece = waiting.popleft()
        try:
            judged = _asked(capture, piece, calls) if calls.left else Unusable("")
        except _StoppedError as stopped:
            instead = stopped.why
            done += [Piece(each, None) for each in (piece, *waiting)]
            break
        if isinstance(judged, list):
            extractor = f"model:{means.model.model_id}:{prompt_for(segment.source_type).version}"
            done.append(Piece(piece, tuple(candidates_of(judged, capture, piece, extractor))))
        elif calls.left and len(piece.text) > SMALLEST:
            waiting.extendleft(reversed(halves(capture, piece)))
        else:
            instead = "unusable"
            done.append(Piece(piece, None))
    return Read(tuple(done), instead)


def halves(capture: Capture, piece: Segment) -> list[Segment]:
    """Return a piece in two, between turns, paragraphs or sentences near the middle; each knows the words before it."""
    middle = (piece.start + piece.end) // 2
    between = [turn.end for turn in piece.turns[:-1]]
    reach = (piece.end - piece.start) // 4
    near = min(between, key=lambda end: abs(end - middle), default=piece.start)
    at = near if abs(near - middle) < reach else last_break(capture.text, middle - reach, middle + reach)
    first = clipped(capture.text, piece, piece.start, at)
    second = replace(clipped(capture.text, piece, at, piece.end), context=capture.text[max(piece.start, at - BEFORE) : at])
    return [each for each in (first, second) if each.text.strip()]


def _asked(capture: Capture, piece: Segment, calls: _Calls) -> _Judged:
    """Return the answer about one piece, and a second one where the first cannot be used."""
    asked = reading(capture, piece)
    said = calls.make("extract", asked)
    judged = _judged(said, piece)
    if isinstance(judged, Unusable) and calls.left:
        said = calls.make("repair", repairing(asked, said.text, judged.why))
        judged = _judged(said, piece)
    return judged


def _judged(said: Completion, piece: Segment) -> _Judged:
    if said.finish == "length":
        return _TooLong()
    if said.finish == "refused":
        raise _StoppedError("unusable")
    found = memories_in(said.text)
    if isinstance(found, list) and found and all(place_of(memory, piece) is None for memory in found):
        return Unusable("none of the quotes stands in the text: copy them from it, character by character")
    return found


class _Calls:
    """Calls for one segment, counted."""

    def __init__(self, means: Means) -> None:
        self.means = means
        self.left = MOST_CALLS

    def make(self, purpose: Purpose, messages: Sequence[Message]) -> Completion:
        means = self.means
        seconds = min(means.call_seconds, means.deadline.left())
        if seconds < min(LEAST_SECONDS, means.call_seconds) or (means.patience.hangs and not means.again):
            raise _StoppedError("slow")
        most = answer_tokens(messages, means.context_tokens)
        reserved = most + sum(estimated_tokens(message.content) for message in messages)
        if not means.spending.reserve(reserved):
            raise _StoppedError("spent")
        self.left -= 1
        request = ModelRequest(purpose, messages, most, "memories", MEMORIES_SCHEMA, timeout=seconds)
        spent = 0
        left = means.deadline.left()
        try:
            if not means.model.available():
                raise _StoppedError("away")
            with means.place():
                said = means.model.complete(request)
            spent = said.prompt_tokens + said.completion_tokens
        except ModelUnavailable as error:
            timed_out = left - means.deadline.left() >= ALL_ITS_TIME * seconds
            means.patience.failed(all_its_time=timed_out)
            raise _StoppedError("slow" if timed_out else "away") from error
        finally:
            means.spending.settle(reserved, spent)
        means.patience.answered(left - means.deadline.left() if means.waits else None)
        return said

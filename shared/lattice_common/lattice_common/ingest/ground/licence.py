"""What a quote and its context allow a fact to say."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from lattice_common.domain.capture import Capture, Turn, turn_at
from lattice_common.domain.formats import STRUCTURED
from lattice_common.domain.mails import sent_near
from lattice_common.domain.quote import locate
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.visible import visible
from lattice_common.ingest.segment.code import parts
from lattice_common.ingest.segment.markdown import headings_at
from lattice_common.language.dates.document import times_at, times_in
from lattice_common.language.dates.mentions import DateMention

_THIRD_PERSON = re.compile(
    r"\b(?:he|she|they|it|him|her|his|hers|their|theirs|them|its|this|that|these|those|there|who|"
    r"we|us|our|er|sie|il|elle|он|она|они)\b",
    re.IGNORECASE,
)
_SECOND_PERSON = re.compile(r"\b(?:you|your|yours|you're|you've|you'd|you'll|ya|we|us|our|let's)\b", re.IGNORECASE)
BEFORE = 1500
"""Characters before a quote in which a pronoun's name is looked for."""


@dataclass(frozen=True, slots=True)
class Licence:
    """`context` licenses everything (headings, title, the question replied to); `names` licenses names only. `turn` is who
    spoke; `moment` is when it was said; `lead_in` is the head of a table, or the line before a list, that stands above."""

    quote: str
    context: str
    names: str
    dates: tuple[DateMention, ...]
    moment: datetime
    turn: Turn | None
    headings: tuple[str, ...] = ()
    asked: str | None = None
    lead_in: str = ""
    times: Callable[[str], list[DateMention]] = lambda _: []
    """The times named in words that were said as the quote was."""


def licence_of(capture: Capture, segment: Segment, candidate: Candidate, start: int, end: int) -> Licence:
    """Return the licence of the quote at `[start, end)`."""
    quote = capture.text[start:end]
    at = turn_at(segment.turns, start)
    turn = segment.turns[at] if at is not None else None
    moment = (turn.observed_at if turn else None) or sent_near(capture, start) or capture.observed_at
    before = _before(capture, segment, start)
    headings = headings_at(segment, start) if segment.source_type in STRUCTURED else _enclosing(segment, start)
    context = [*headings, capture.title or ""]
    said = candidate.metadata.get("in_reply_to")
    asked = said if isinstance(said, str) and locate(said, before) is not None else None
    if asked:
        context.append(asked)
    told = candidate.metadata.get("lead_in")
    lead_in = told if isinstance(told, str) and _is_above(told, capture, segment, start, before) else ""
    if lead_in:
        context.append(lead_in)
    named = candidate.metadata.get("about")
    if isinstance(named, list):
        # Whom a pronoun stands for, or what a note is about: words that stand before the quote, and license nothing else.
        context += [each for each in named if isinstance(each, str) and locate(each, before) is not None]
    around = ". ".join(part for part in context if part)
    dates = (*times_at(capture, quote, moment, start), *(times_in(capture, around, moment) if around else ()))
    names = _names(capture, segment, turn, quote, before)
    return Licence(
        visible(quote),
        visible(around),
        names,
        dates,
        moment,
        turn,
        headings,
        asked,
        lead_in,
        times=lambda words: times_in(capture, words, moment),
    )


def _enclosing(segment: Segment, start: int) -> tuple[str, ...]:
    """Return the definitions that a comment in code stands in."""
    if segment.source_type != "code":
        return segment.headings
    found = segment.headings
    for at, names in _definitions(segment.text, segment.headings):
        if at > start - segment.start:
            break
        found = names
    return found


@lru_cache(maxsize=4)
def _definitions(text: str, names: tuple[str, ...]) -> tuple[tuple[int, tuple[str, ...]], ...]:
    return tuple((part.start, part.names) for part in parts(text, names=names))


def _is_above(lead_in: str, capture: Capture, segment: Segment, start: int, before: str) -> bool:
    """Return whether it stands in the segment before `start`, or came with it: a table's head may be many rows above."""
    return (
        capture.text.find(lead_in, segment.start, start) >= 0 or lead_in in segment.context or locate(lead_in, before) is not None
    )


def _before(capture: Capture, segment: Segment, start: int) -> str:
    """Return the words before a quote: the rest of its segment, and what comes with the segment."""
    low = max(segment.start, start - BEFORE)
    return f"{segment.context}\n{capture.text[low:start]}" if low == segment.start else capture.text[low:start]


def _names(capture: Capture, segment: Segment, turn: Turn | None, quote: str, before: str) -> str:
    names: list[str] = []
    if turn is not None and turn.speaker:
        names.append(turn.speaker)
    if turn is not None and _SECOND_PERSON.search(quote):
        names += [other.speaker for other in segment.turns if other.speaker]
    if _THIRD_PERSON.search(quote) or (turn is None and _SECOND_PERSON.search(quote)):
        # Of a letter, "you" is whom it greets.
        names.append(before)
    for key in ("author", "from", "speaker"):
        value = capture.metadata.get(key)
        if isinstance(value, str):
            names.append(value)
    return "\n".join(names)

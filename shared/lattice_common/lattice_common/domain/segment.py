"""A part of a capture that is read at once, and what extraction finds in it before it is proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from lattice_common.domain.atom import Category, MemoryType, Persistence
from lattice_common.domain.capture import JsonValue, SourceType, Turn
from lattice_common.domain.judgement import Status

FACTS_PER_1000 = 60
"""Most facts for 1,000 characters, with at least `FEWEST_FACTS` for any text: prose has about 8, terse notes up to 40."""
FEWEST_FACTS = 20


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a capture: `capture.text[start:end] == text`.

    `headings` are the titles above it, outermost first; `turns` (chat) have spans into the capture's text, not the segment's;
    `context` is text before it that may resolve its pronouns and dates, never a source of facts.
    """

    segment_id: str
    capture_id: str
    ordinal: int
    source_type: SourceType
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    context: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact as extraction proposes it, not proved yet. `quote` should be verbatim; `start` and `end`, where given, are its
    supposed offsets into the capture's text. `status` is None until it has been decided how it is meant."""

    content: str
    quote: str
    kind: str
    subject: str
    segment_id: str
    start: int | None = None
    end: int | None = None
    entities: tuple[str, ...] = ()
    category: Category = "fact"
    status: Status | None = None
    memory_type: MemoryType = "semantic"
    persistence: Persistence = "long_term"
    importance: float = 0.5
    confidence: float = 0.8
    speaker: str | None = None
    message_id: str | None = None
    observed_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    date_phrase: str | None = None
    extractor: str = "rules"
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A candidate that was not proved. `reason` is a short code (`quote-not-found`, `number-unlicensed`, `name-unlicensed`,
    `date-unlicensed`, `negation-changed`, …); `detail` names the offending words."""

    candidate: Candidate
    reason: str
    detail: str = ""


def most_facts(text: str) -> int:
    """Return how many facts a text can have; a model that says more has lost its way."""
    return max(FEWEST_FACTS, FACTS_PER_1000 * len(text) // 1000)

"""Units to statements to candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from lattice_common.domain.capture import Capture, JsonValue, Trust
from lattice_common.domain.dates import DateMention, resolve
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.ingest.extract.entities import entities_of, names_in
from lattice_common.ingest.extract.kinds import classify
from lattice_common.ingest.extract.lexicon import words_of
from lattice_common.ingest.extract.recommendations import recommends
from lattice_common.ingest.extract.statements import Statement, statements
from lattice_common.ingest.extract.subjects import subject_of
from lattice_common.ingest.extract.unit import Unit, turns_of
from lattice_common.ingest.extract.wording import content, dated, plain


def extract(capture: Capture, segment: Segment) -> list[Candidate]:
    """Candidates in the order of the text; each has exact offsets."""
    names = frozenset(word for turn in capture.turns[:400] or segment.turns if turn.speaker for word in words_of(turn.speaker))
    return [
        candidate
        for unit in _units(capture, segment)
        for statement in statements(capture.text, unit, names)
        if (candidate := _candidate(capture, segment, unit, statement, names)) is not None
    ]


def _units(capture: Capture, segment: Segment) -> Iterator[Unit]:
    if segment.turns:
        yield from turns_of(capture, segment)
        return
    yield Unit(segment.start, segment.end, "user", capture.observed_at, headings=segment.headings)


def _candidate(
    capture: Capture, segment: Segment, unit: Unit, statement: Statement, speakers: frozenset[str]
) -> Candidate | None:
    quote = capture.text[statement.start : statement.end]
    if unit.role in ("system", "tool"):
        return None
    trust: Trust = "assistant" if unit.role == "assistant" else capture.trust
    names = names_in(quote, speakers)
    if unit.role == "assistant" and not recommends(quote, names):
        return None
    mentions = resolve(quote, unit.observed_at)
    words = plain(dated(quote, mentions))
    if not any(char.isalnum() for char in words):
        return None
    entities = entities_of(quote, mentions, speakers)
    filed = classify(
        words,
        question=statement.question,
        trust=trust,
        dated=bool(mentions),
        entities=len(entities),
        reply=statement.asked is not None,
        conversation=unit.conversation,
    )
    valid_from, valid_until, phrase = _validity(mentions)
    metadata: dict[str, JsonValue] = {"in_reply_to": statement.asked} if statement.asked else {}
    return Candidate(
        content=content(words, speaker=unit.speaker, headings=unit.headings, asked=statement.asked),
        quote=quote,
        kind="recommendation" if unit.role == "assistant" else filed.kind,
        subject=subject_of(words, names, speaker=unit.speaker, headings=unit.headings),
        segment_id=segment.segment_id,
        start=statement.start,
        end=statement.end,
        entities=entities,
        category=filed.category,
        memory_type=filed.memory_type,
        persistence=filed.persistence,
        importance=filed.importance,
        confidence=filed.confidence,
        speaker=unit.speaker,
        message_id=unit.message_id,
        observed_at=unit.observed_at,
        valid_from=valid_from,
        valid_until=valid_until,
        date_phrase=phrase,
        metadata=metadata,
    )


def _validity(mentions: Sequence[DateMention]) -> tuple[datetime | None, datetime | None, str | None]:
    """From when and until when a statement holds: the first date that says so. An event goes on being true after its day, so an
    end is taken from "until …" only."""
    if not mentions:
        return None, None, None
    first = mentions[0]
    if first.valid_from is None:
        return None, first.valid_until, first.phrase
    until = next((mention.valid_until for mention in mentions[1:] if mention.valid_from is None), None)
    return first.valid_from, until, first.phrase

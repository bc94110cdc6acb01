"""From what a model says to candidates: what it adds beside the words of the text is worked out here, or thrown away.

Dates are read off the quote, never believed; kinds outside the list become facts; turns of an assistant give recommendations
that name something specific, and nothing else. Whether a candidate is true is for grounding to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime

from lattice_common.domain.atom import KINDS, Span
from lattice_common.domain.capture import Capture, JsonValue, Trust, turn_at
from lattice_common.domain.judgement import STATUSES, Status
from lattice_common.domain.mails import sent_near
from lattice_common.domain.quote import locate
from lattice_common.domain.segment import Candidate, Segment, most_facts
from lattice_common.ingest.extract.model.answer import Memory
from lattice_common.ingest.extract.rules import validity
from lattice_common.language.dates.document import times_in
from lattice_common.language.dates.mentions import DateMention, written
from lattice_common.language.facts.about_owner import ABOUT_OWNER
from lattice_common.language.facts.entities import MOST, entities_of, names_in
from lattice_common.language.facts.kinds import file_as
from lattice_common.language.facts.subjects import subject_of
from lattice_common.language.sentences.wording import plain

_MADE_ELSEWHERE = frozenset(("insight", "synthesis"))
_TITLE = re.compile(r"[\"“*_«][^\W\d_][^\"”*_»\n]{2,80}[\"”*_»]")
_AROUND_QUOTE = "\"'“”„‘’«»`"
_ELLIPSIS = re.compile(r"^(?:\.{3}|…)\s*|\s*(?:\.{3}|…)$")


def place_of(memory: Memory, piece: Segment) -> Span | None:
    """Return where the quote of a memory stands in the text it was made of, as offsets into that text. White space, case and
    quotation marks may differ, and marks that the model put around it are not part of it."""
    quote = memory.quote.strip()
    for tried in (quote, quote.strip(_AROUND_QUOTE), _ELLIPSIS.sub("", quote)):
        if (found := locate(tried, piece.text)) is not None:
            return found
    return None


def candidates_of(memories: Sequence[Memory], capture: Capture, piece: Segment, extractor: str) -> list[Candidate]:
    """Return candidates in the order of the answer; those whose quote was found have its offsets into the capture's text."""
    found = [_candidate(memory, capture, piece, extractor) for memory in memories[: most_facts(piece.text)]]
    return [candidate for candidate in found if candidate is not None]


def _candidate(memory: Memory, capture: Capture, piece: Segment, extractor: str) -> Candidate | None:
    span = place_of(memory, piece)
    start, end = (piece.start + span.start, piece.start + span.end) if span else (None, None)
    quote = capture.text[start:end] if span else memory.quote
    at = turn_at(piece.turns, start) if start is not None else None
    turn = piece.turns[at] if at is not None else None
    if turn is not None and turn.role in ("system", "tool"):
        return None
    near = sent_near(capture, start) if start is not None else None
    moment = (turn.observed_at if turn else None) or near or capture.observed_at
    speaker = turn.speaker if turn else None
    speakers = frozenset(word.lower() for each in piece.turns if each.speaker for word in each.speaker.split())
    kind = _kind(memory)
    by_assistant = turn is not None and turn.role == "assistant"
    if by_assistant and not (kind == "recommendation" and (names_in(quote, speakers) or _TITLE.search(quote))):
        return None
    trust: Trust = "assistant" if by_assistant else capture.trust
    mentions = times_in(capture, quote, moment)
    content = _dated(plain(memory.content), lambda words: times_in(capture, words, moment))
    named = [plain(each) for each in memory.entities if each.strip()]
    entities = tuple(dict.fromkeys([*named, *entities_of(quote, mentions, speakers)]))[:MOST]
    valid_from, valid_until, phrase = validity(quote, mentions)
    filed = file_as(
        kind,
        content,
        trust=trust,
        dated=any(each.valid_until is not None for each in mentions),
        entities=len(entities),
        reply=memory.context is not None,
    )
    return Candidate(
        content=content,
        quote=quote,
        kind=filed.kind,
        subject=plain(memory.subject) or subject_of(content, named, speaker=speaker, headings=piece.headings),
        segment_id=piece.segment_id,
        start=start,
        end=end,
        entities=entities,
        category=filed.category,
        status=_status(memory),
        memory_type=filed.memory_type,
        persistence=filed.persistence,
        importance=filed.importance,
        confidence=filed.confidence,
        speaker=speaker,
        message_id=turn.message_id if turn else None,
        observed_at=moment,
        valid_from=valid_from,
        valid_until=valid_until,
        date_phrase=phrase,
        extractor=extractor,
        metadata=_metadata(memory, capture),
    )


def _kind(memory: Memory) -> str:
    kind = memory.kind.strip().lower()
    return kind if kind in KINDS and kind not in _MADE_ELSEWHERE else "fact"


def _status(memory: Memory) -> Status | None:
    """Return None for what is no status: then the rules and the judge say how it is meant."""
    said = (memory.status or "").strip().lower()
    return next((status for status in STATUSES if status == said), None)


def _metadata(memory: Memory, capture: Capture) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    if memory.context and memory.context.strip():
        # Grounding takes it for a licence only where it stands before the quote.
        found["in_reply_to"] = memory.context.strip()
    if memory.about_owner and capture.trust in ("document", "web"):
        found[ABOUT_OWNER] = True
    return found


def _dated(content: str, times: Callable[[str], list[DateMention]]) -> str:
    """Return the meaning of a relative date behind it, unless the content names that day: "yesterday" is another each day."""
    mentions = times(content)
    named = {each.whole for each in mentions if not each.relative}
    parts: list[str] = []
    at = 0
    for mention in mentions:
        if mention.relative and mention.precision != "about" and not _names(named, mention):
            parts += [content[at : mention.end], f" ({written(mention)})"]
            at = mention.end
    return "".join([*parts, content[at:]])


def _names(named: set[tuple[datetime, datetime]], mention: DateMention) -> bool:
    return any(low <= mention.whole[0] and mention.whole[1] <= high for low, high in named)

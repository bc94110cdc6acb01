"""Units to statements to candidates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture, JsonValue, Trust
from lattice_common.domain.formats import STRUCTURED, TABULAR
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.domain.status import holds
from lattice_common.domain.unit import Unit, turns_of
from lattice_common.ingest.extract.documents import (
    blocks_of,
    fence_words,
    list_words,
    parts_of,
    remarked,
    row_subject,
    row_values,
    row_words,
    uncommented,
)
from lattice_common.ingest.extract.logs import repeated
from lattice_common.ingest.extract.quoted import sent_by_name
from lattice_common.ingest.segment.code import name_of
from lattice_common.language.dates.document import times_at
from lattice_common.language.dates.mentions import DateMention
from lattice_common.language.dates.stretch_ends import stretch_end
from lattice_common.language.dates.tense import is_day_of_birth, was_moved
from lattice_common.language.facts.entities import MOST, entities_of, names_in
from lattice_common.language.facts.kinds import classify
from lattice_common.language.facts.recommendations import recommends
from lattice_common.language.facts.status_rules import status_by_rules
from lattice_common.language.facts.subjects import subject_of
from lattice_common.language.letters.letter import is_letter, letter_of, takes_leave
from lattice_common.language.letters.trimmed import trimmed
from lattice_common.language.notes.linked import linked, linked_behind, only_linked
from lattice_common.language.people.in_context import context_of, with_names
from lattice_common.language.sentences.capitals import with_capitals
from lattice_common.language.sentences.clauses import without_opening
from lattice_common.language.sentences.lexicon import words_of
from lattice_common.language.sentences.observations import said_of
from lattice_common.language.sentences.respelling import respelled
from lattice_common.language.sentences.singles import singled
from lattice_common.language.sentences.statements import Statement, parted, statements
from lattice_common.language.sentences.wording import content, dated, plain

LONGEST_WHOLE = 700
"""Characters of a comment or a list that are read as one; what is longer is read by its sentences."""

FEW = 5
"""Words beside the blanks of a form that nobody filled in: "Signed: ______"."""
_TYPED = ("plain", "chat", "markdown")
"""What people type; of documents and code every letter stays."""
_BLANK = re.compile(r"_{4,}|\.{6,}|…{3,}")

_TWO_COLONS = re.compile(r"\s*::\s+")

SPEAKERS = 400
"""Turns whose speakers are looked at: conversations name their participants early."""


def extract(capture: Capture, segment: Segment, apart: Sequence[Span] = ()) -> list[Candidate]:
    """Return candidates in the order of the text; each has exact offsets, and the words there as its quote. `apart`: stretches
    that none spans, in order."""
    if capture.trust != "user" or segment.source_type not in _TYPED:
        return _extract(capture, segment, apart)
    read = with_capitals(capture.text)
    if read == capture.text:
        return _extract(capture, segment, apart)
    found = _extract(replace(capture, text=read), segment, apart)
    return [replace(candidate, quote=capture.text[candidate.start : candidate.end]) for candidate in found]


def _extract(capture: Capture, segment: Segment, apart: Sequence[Span]) -> list[Candidate]:
    speakers = frozenset(
        word for turn in capture.turns[:SPEAKERS] or segment.turns if turn.speaker for word in words_of(turn.speaker)
    )
    if speakers:
        speakers |= _nicknames(capture.text, speakers)
    before = "" if segment.ordinal or segment.turns else context_of(capture)
    return [
        candidate
        for whole in _units(capture, segment)
        for statement in _statements(capture, whole, speakers, before, apart)
        for unit in (sent_by_name(capture, segment, whole, statement.start, statement.end),)
        if not (segment.source_type == "plain" and statement.start in repeated(capture.text))
        if (candidate := _candidate(capture, segment, unit, statement, speakers)) is not None
    ]


_ADDRESSED = re.compile(
    r"\b(?:hey|hi|hiya|hello|thanks|thank you|wow|yeah|yep|yes|oh|bye|cool|awesome|sorry|sure|definitely|agree),? "
    r"(?-i:([A-Z][a-z]{1,14}))(?=[!,.?])",
    re.IGNORECASE,
)


@lru_cache(maxsize=2)
def _nicknames(text: str, speakers: frozenset[str]) -> frozenset[str]:
    """Return what participants are called for short ("Hey Mel!" to Melanie): names that are addressed and begin a speaker's.

    Cached, since every segment of a conversation asks.
    """
    called = {match[1].lower() for match in _ADDRESSED.finditer(text)} - speakers
    return frozenset(name for name in called if any(speaker.startswith(name) for speaker in speakers))


def _units(capture: Capture, segment: Segment) -> Iterator[Unit]:
    if segment.turns:
        return turns_of(capture, segment)
    if is_letter(capture.text):
        return letter_of(capture, segment)
    if segment.source_type in STRUCTURED:
        units = blocks_of(capture, segment)
        return units if segment.source_type in ("markdown", *TABULAR) else trimmed(capture, segment, units)
    if segment.source_type == "code":
        return parts_of(capture, segment)
    return iter((Unit(segment.start, segment.end, "user", capture.observed_at, headings=segment.headings),))


def _statements(capture: Capture, unit: Unit, speakers: frozenset[str], before: str, apart: Sequence[Span]) -> list[Statement]:
    if unit.kind not in ("prose", "item") and unit.end - unit.start <= LONGEST_WHOLE:
        return [] if only_linked(capture.text[unit.start : unit.end]) else [Statement(unit.start, unit.end)]
    found = statements(capture.text, unit, speakers)
    if apart:
        found = [piece for statement in found for piece in parted(statement, apart)]
    # Of what others wrote, and of talk among several, the sentences stay as they are: who is meant is less clear there.
    own = capture.trust == "user" and unit.role == "user" and unit.speaker is None
    return singled(capture.text, unit.start, found, before, apart, _is_surely_not_so) if own else found


def _is_surely_not_so(words: str) -> bool:
    status = status_by_rules(words)
    return status is not None and not holds(status)


def _words(unit: Unit, quote: str, mentions: Sequence[DateMention]) -> str:
    """Return the quote as it is read: on one line, without marks, with what its kind of unit brings along."""
    match unit.kind:
        case "comment":
            return uncommented(dated(quote, mentions))
        case "remark":
            return remarked(dated(quote, mentions))
        case "list":
            words = plain(list_words(quote))
        case "row":
            return row_words(plain(dated(quote, mentions)), unit.lead_in)
        case "observation":
            return plain(said_of(unit.headings[-1], dated(quote, mentions)))
        case "fence":
            words = fence_words(quote)
        case "field":
            words = _TWO_COLONS.sub(": ", plain(dated(quote, mentions)), count=1)
        case _:
            words = plain(dated(quote, mentions))
    return f"{_lead_in(unit)}{words}"


def _lead_in(unit: Unit) -> str:
    """Return what leads in to a unit as it stands before its words; "" where nothing does."""
    words = plain(unit.lead_in)
    return f"{words.removesuffix(':')}: " if words else ""


def _candidate(
    capture: Capture, segment: Segment, unit: Unit, statement: Statement, speakers: frozenset[str]
) -> Candidate | None:
    quote = capture.text[statement.start : statement.end]
    if unit.role in ("system", "tool") or (capture.trust != "user" and takes_leave(quote)):
        return None
    trust: Trust = "assistant" if unit.role == "assistant" else capture.trust
    said = statement.said or with_names(capture, segment, statement.start, quote)
    if said != quote:
        said = without_opening(said)  # "And her number is 12": the name says what it goes on about
        speakers |= {word.removesuffix("'s") for word in words_of(said)} - set(words_of(quote))
    if capture.trust == "user" and unit.role == "user" and unit.kind in ("prose", "item") and segment.source_type in _TYPED:
        said = respelled(said)
    named = f"| {row_values(quote, unit.lead_in)} |" if unit.kind == "row" else said
    names = names_in(named, speakers)
    if unit.role == "assistant" and not recommends(quote, names):
        return None
    mentions = times_at(capture, said, unit.observed_at, statement.start)
    if segment.source_type in STRUCTURED and unit.kind in ("prose", "item") and _is_date(said, mentions):
        return None
    words = _words(unit, said, mentions)
    if not any(char.isalnum() for char in words) or (_BLANK.search(words) and len(_BLANK.sub(" ", words).split()) < FEW):
        return None
    if statement.topic:
        lead_in = _lead_in(unit) if words.startswith(_lead_in(unit)) else ""
        words = f"{lead_in}{statement.topic}: {words.removeprefix(lead_in)}"
    entities = entities_of(named, mentions, speakers)
    if segment.source_type == "markdown":
        entities = tuple(dict.fromkeys((*linked(quote), *linked_behind(capture.text, statement.end), *entities)))[:MOST]
    filed = classify(
        words,
        question=statement.question,
        trust=trust,
        # "Since 2016" dates a state, not an event.
        dated=any(mention.valid_until is not None for mention in mentions),
        entities=len(entities),
        reply=statement.asked is not None,
        conversation=unit.conversation,
        unit=unit.kind,
    )
    valid_from, valid_until, phrase = validity(said, _that_count(said, mentions))
    return Candidate(
        content=content(words, speaker=unit.speaker, headings=unit.headings, asked=statement.asked),
        quote=quote,
        kind="recommendation" if unit.role == "assistant" else filed.kind,
        subject=_subject(unit, quote, words, names),
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
        metadata=_metadata(unit, statement),
    )


def _metadata(unit: Unit, statement: Statement) -> dict[str, JsonValue]:
    """Return what a statement answers, what it is about and what leads in to it, as far as there is any of it."""
    metadata: dict[str, JsonValue] = {}
    if statement.asked:
        metadata["in_reply_to"] = statement.asked
    if statement.about:
        metadata["about"] = list(statement.about)
    if unit.lead_in:
        metadata["lead_in"] = unit.lead_in
    return metadata


def _is_date(said: str, mentions: Sequence[DateMention]) -> bool:
    """Return a date on a line of its own, as letters have at their head."""
    return len(mentions) == 1 and not any(map(str.isalnum, said[: mentions[0].start] + said[mentions[0].end :]))


def _subject(unit: Unit, quote: str, words: str, names: Sequence[str]) -> str:
    match unit.kind:
        case "definition":
            return name_of(quote) or words[:80]
        case "row" if about := row_subject(quote):
            return plain(about)
        case "comment" | "remark" if unit.headings:
            return unit.headings[-1][:80]
        case "list" if unit.headings or unit.lead_in:
            return plain(unit.lead_in).rstrip(": ")[:80] or (plain(unit.headings[-1])[:80] if unit.headings else words[:80])
        case "observation":
            return unit.headings[-1][:80]
        case "field":
            return words.partition(":")[0]
        case _:
            return subject_of(words, names, speaker=unit.speaker, headings=unit.headings)


def validity(text: str, mentions: Sequence[DateMention]) -> tuple[datetime | None, datetime | None, str | None]:
    """Return from when and until when a statement holds, by the first date that says so, and its words; `mentions` are those of
    `text`. An event goes on being true after its day, and a promise after its deadline, so an end is taken from "until …" and
    from two days that one stretch lies between."""
    if not mentions:
        return None, None, None
    until = next(
        (mention.valid_until for mention in mentions if mention.phrase.lower().replace(":", " ").startswith(_ENDS)),
        stretch_end(text, mentions),
    )
    first = mentions[0]
    if first.precision in ("week", "month") and first.valid_from and first.valid_until:
        first = next((each for each in mentions[1:] if _lies_within(each, first)), first)
    return first.valid_from, until, first.phrase


def _lies_within(day: DateMention, stretch: DateMention) -> bool:
    """Return whether a date says more exactly what a week or month says: "in May, from the 2nd to the 9th"."""
    return (
        day.precision in ("minute", "hour", "day", "days") and stretch.whole[0] <= day.whole[0] < day.whole[1] <= stretch.whole[1]
    )


def _that_count(text: str, mentions: Sequence[DateMention]) -> Sequence[DateMention]:
    """Return the mentions without the day from which something was moved to another ("moved from 19 March to 2 April"), and
    without days of birth beside others: "Ms Roux, born on 4 May 1974, is enrolled from 1 September 2026"."""
    if len(mentions) > 1:
        mentions = [each for each in mentions if not is_day_of_birth(text, each.start)] or mentions
    if len(mentions) < 2 or not mentions[0].phrase.lower().startswith("from "):
        return mentions
    follows = mentions[1].start - mentions[0].end == len(" to ")
    return mentions[1:] if follows and was_moved(text, mentions[0].start) else mentions


_ENDS = ("until ", "till ", "til ", "bis ", "hasta ", "jusqu", "fino a", "até ", "tot ")

"""From proved candidates to atoms: ids, provenance and hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from lattice_common.domain.atom import Atom, Span, Tier, atom_id_for, content_hash, normalized_content_hash
from lattice_common.domain.capture import RELAYING, Capture, JsonValue, Source, Trust, place_at, turn_at
from lattice_common.domain.quote import locate
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.errors import Corrupt

RELAYED = 0.1
"""Subtracted from the confidence of what an assistant relays, against what the owner typed: it may have misunderstood or reworded
it. That makes it as sure as what an assistant or a document says by itself (0.7), below the owner's own words (0.8)."""


def build_atoms(capture: Capture, segment: Segment, candidates: Sequence[Candidate], *, ordinal: int, seq: int) -> list[Atom]:
    """Return one atom for each grounded candidate, numbered from `ordinal` (ids) and `seq` (order of writing).

    Raise `Corrupt` when a candidate's span is not its quote: only a defect lets anything ungrounded get this far.
    """
    return [_atom(capture, segment, candidate, ordinal + n, seq + n) for n, candidate in enumerate(candidates)]


def keep_candidate(capture: Capture, candidate: Candidate, atom_id: str, kept_at: datetime, seq: int) -> Atom:
    """Return the atom of a candidate that the owner keeps although it was not proved: from now on it is the owner's own
    statement.

    Its quote is the claim where the capture contains that, and else the whole text that it was read from.
    """
    found = locate(candidate.quote, capture.text, near=candidate.start)
    start, end = (found.start, found.end) if found else (0, len(capture.text))
    kept = replace(candidate, quote=capture.text[start:end], start=start, end=end, extractor="user")
    whole = Segment(
        candidate.segment_id, capture.capture_id, 0, capture.source_type or "plain", 0, len(capture.text), capture.text
    )
    atom = _atom(capture, whole, kept, 0, seq)
    return replace(atom, atom_id=atom_id, source="user", trust="user", ingested_at=kept_at)


def _atom(capture: Capture, segment: Segment, candidate: Candidate, ordinal: int, seq: int) -> Atom:
    start, end = candidate.start, candidate.end
    if start is None or end is None or capture.text[start:end] != candidate.quote:
        raise Corrupt(
            f"A fact of capture {capture.capture_id} does not stand at its offsets {start}–{end}: grounding has a defect."
        )
    observed_at = candidate.observed_at or capture.observed_at
    source, trust = _origin(capture, segment, start)
    return Atom(
        atom_id=atom_id_for(capture.capture_id, ordinal),
        content=candidate.content,
        kind=candidate.kind,
        subject=candidate.subject,
        capture_id=capture.capture_id,
        source_quote=candidate.quote,
        source_span=Span(start, end),
        observed_at=observed_at,
        # When the server received it, not when it was processed: a redo gives the same file.
        ingested_at=capture.received_at,
        entities=candidate.entities,
        category=candidate.category,
        status=candidate.status or "asserted",
        memory_type=candidate.memory_type,
        persistence=candidate.persistence,
        tier=_tier(candidate),
        source=source,
        trust=trust,
        source_type=segment.source_type,
        source_id=capture.source_id,
        session_id=capture.session_id,
        segment_id=segment.segment_id,
        extractor=candidate.extractor,
        metadata=_metadata(capture, candidate, start),
        valid_from=candidate.valid_from,
        valid_until=candidate.valid_until,
        date_phrase=candidate.date_phrase,
        confidence=_confidence(capture, candidate, trust),
        importance=candidate.importance,
        episode_id=f"{observed_at.date().isoformat()}:{capture.session_id or capture.capture_id}",
        content_hash=content_hash(candidate.content),
        normalized_content_hash=normalized_content_hash(candidate.content),
        seq=seq,
    )


def _origin(capture: Capture, segment: Segment, start: int) -> tuple[Source, Trust]:
    """Return the source and trust of a span. In a conversation each turn has its own source: what an assistant said is never the
    owner's word.

    Of a conversation pasted as text only the segment knows the turns.
    """
    turns = segment.turns or capture.turns
    at = turn_at(turns, start)
    if at is None or turns[at].role == "user":
        return capture.source, capture.trust
    return ("system" if turns[at].role in ("system", "tool") else "assistant"), "assistant"


def _confidence(capture: Capture, candidate: Candidate, trust: Trust) -> float:
    relayed = trust == "user" and capture.channel in RELAYING
    return round(max(candidate.confidence - RELAYED, 0.0), 2) if relayed else candidate.confidence


def _tier(candidate: Candidate) -> Tier:
    if candidate.persistence == "ephemeral":
        return "stm"
    return "semantic" if candidate.memory_type == "semantic" else "episodic"


def _metadata(capture: Capture, candidate: Candidate, start: int) -> dict[str, JsonValue]:
    metadata: dict[str, JsonValue] = {**capture.metadata, **candidate.metadata}
    metadata.pop("context", None)  # words of other captures: they stay in the journal, and are forgotten with it
    named = {
        "place": place_at(capture.places, start),
        "speaker": candidate.speaker,
        "message_id": candidate.message_id,
        "title": capture.title,
        "channel": capture.channel,
    }
    metadata.update({key: value for key, value in named.items() if value is not None})
    return metadata

"""The loop over candidates: locate, license, check, and set right what is read off the source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from lattice_common.domain.capture import Capture, Trust
from lattice_common.domain.quote import locate
from lattice_common.domain.segment import Candidate, Rejection, Segment, most_facts
from lattice_common.ingest.ground.checks import CHECKS
from lattice_common.ingest.ground.licence import Licence, licence_of
from lattice_common.ingest.ground.verbatim import verbatim
from lattice_common.language.dates.mentions import written
from lattice_common.language.facts.kinds import OWNERS_OWN
from lattice_common.language.notes.linked import linked_behind

LONGEST_CONTENT = 2000
LONGEST_SUBJECT = 120
_KIND = re.compile(r"[a-z][a-z_-]{1,30}")


def ground(capture: Capture, segment: Segment, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Rejection]]:
    """Return candidates with `start`, `end` and the quote verbatim, in the order given, and those that are not proved, with a
    reason."""
    proved: list[Candidate] = []
    rejected: list[Rejection] = []
    # A table has one for each of its lines, however short. What is said again counts once: it is not invented, and proved at its
    # own place each time.
    most = max(most_facts(segment.text), segment.text.count("\n| ") + 1)
    seen: set[tuple[str, int | None]] = set()
    said: set[str] = set()
    for candidate in candidates:
        if len(said) >= most and candidate.content not in said:
            verdict: Candidate | Rejection = Rejection(candidate, "too-many", f"more than {most}")
        else:
            verdict = _judge(capture, segment, candidate)
        if isinstance(verdict, Candidate):
            if (verdict.content, verdict.start) in seen:
                verdict = Rejection(candidate, "repeated", candidate.content[:80])
            else:
                seen.add((verdict.content, verdict.start))
                said.add(verdict.content)
        if isinstance(verdict, Rejection):
            rejected.append(verdict)
        else:
            proved.append(verdict)
    return proved, rejected


def _judge(capture: Capture, segment: Segment, candidate: Candidate) -> Candidate | Rejection:
    claim = candidate.content
    if not any(char.isalnum() for char in claim):
        return Rejection(candidate, "empty", "")
    if len(claim) > LONGEST_CONTENT:
        return Rejection(candidate, "too-long", f"{len(claim)} characters")
    found = _place(capture, segment, candidate)
    if found is None:
        return Rejection(candidate, "quote-not-found", candidate.quote[:120])
    start, end = found
    licence = licence_of(capture, segment, candidate, start, end)
    if segment.turns and (licence.turn is None or start < licence.turn.start or end > licence.turn.end):
        return Rejection(candidate, "quote-not-one-turn", candidate.quote[:120])
    for check in () if verbatim(claim, licence) else CHECKS:
        if fault := check(claim, licence):
            return Rejection(candidate, *fault)
    return _set_right(capture, candidate, licence, start, end)


def _place(capture: Capture, segment: Segment, candidate: Candidate) -> tuple[int, int] | None:
    start, end = candidate.start, candidate.end
    if (
        start is not None
        and end is not None
        and segment.start <= start < end <= segment.end
        and capture.text[start:end] == candidate.quote
    ):
        return start, end
    span = locate(candidate.quote, segment.text, near=start - segment.start if start is not None else None)
    return (segment.start + span.start, segment.start + span.end) if span else None


def _set_right(capture: Capture, candidate: Candidate, licence: Licence, start: int, end: int) -> Candidate:
    turn = licence.turn
    valid_from, valid_until, phrase = _dates(candidate, licence)
    trust: Trust = "assistant" if turn is not None and turn.role != "user" else capture.trust
    kind = candidate.kind if _KIND.fullmatch(candidate.kind) else "fact"
    downgraded = trust != "user" and kind in OWNERS_OWN
    behind = " ".join(linked_behind(capture.text, end)) if capture.source_type == "markdown" else ""
    known = f"{licence.quote}\n{licence.context}\n{licence.names}\n{candidate.content}\n{behind}".casefold()
    return replace(
        candidate,
        quote=capture.text[start:end],
        start=start,
        end=end,
        kind="fact" if downgraded else kind,
        category="fact" if downgraded and candidate.category in ("preference", "instruction") else candidate.category,
        subject=" ".join(candidate.subject.split())[:LONGEST_SUBJECT] or (turn.speaker if turn and turn.speaker else "me"),
        entities=tuple(entity for entity in candidate.entities if entity.casefold() in known or _resolved(entity, licence)),
        importance=min(max(candidate.importance, 0.0), 1.0) if candidate.importance == candidate.importance else 0.5,
        confidence=min(max(candidate.confidence, 0.0), 1.0) if candidate.confidence == candidate.confidence else 0.5,
        speaker=turn.speaker
        if turn
        else candidate.speaker
        if candidate.speaker and candidate.speaker.casefold() in known
        else None,
        message_id=turn.message_id if turn else None,
        observed_at=licence.moment,
        valid_from=valid_from,
        valid_until=valid_until,
        date_phrase=phrase,
    )


def _resolved(entity: str, licence: Licence) -> bool:
    return any(entity == written(mention) for mention in licence.dates)


def _dates(candidate: Candidate, licence: Licence) -> tuple[datetime | None, datetime | None, str | None]:
    """Return the candidate's dates as far as a phrase of the quote gives them: ours where we can read the phrase, else none."""
    phrase = candidate.date_phrase
    if phrase is not None and locate(phrase, f"{licence.quote}\n{licence.context}") is None:
        phrase = None
    starts = {mention.valid_from for mention in licence.dates} | {mention.whole[0] for mention in licence.dates}
    ends = {mention.valid_until for mention in licence.dates if mention.valid_until}
    named = next((mention for mention in licence.dates if phrase and mention.phrase.casefold() in phrase.casefold()), None)
    valid_from = candidate.valid_from if candidate.valid_from in starts else named.valid_from if named else None
    return valid_from, candidate.valid_until if candidate.valid_until in ends else None, phrase

"""What a language model is asked: instructions, and the text as JSON between marks that nobody can foresee.

The text may hold anything, an end mark of its own among it: so the mark is random, for each call another, and the text is data
inside of JSON. What a text says to the model is obeyed or not; what comes of it goes through grounding either way.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime

from lattice_common.domain.capture import Capture, JsonValue
from lattice_common.domain.segment import Segment
from lattice_common.domain.token_estimate import estimated_tokens
from lattice_common.domain.visible import visible
from lattice_common.ingest.extract.extractor import Offer
from lattice_common.ingest.prompts import prompt_for, supersede_prompt
from lattice_common.ingest.segment import LONGEST_SEGMENT
from lattice_common.ports.language_model import Message

AROUND_TOKENS = 400
"""For title, headings, the words before, and the marks."""

ANSWER_SHARE = 2.2
"""Tokens of an answer for each token of the text: quotes, what they say, and the names of the fields."""

SHORTEST = 400
"""Characters: a text is not cut smaller than this, whatever the context is."""

LEAST_ANSWER = 256
MOST_ANSWER = 6000
"""Tokens: forty facts for every 1,000 characters of the longest segment are below it."""

BEFORE = 600
"""Characters of what was said before that go with a text."""

SHOWN_AGAIN = 1500
"""Characters of an unusable answer that the model is shown with what is wrong with it."""


def longest_segment(context_tokens: int, text: str) -> int:
    """Return characters of `text` that can be read at once by a model with so much context."""
    room = context_tokens - estimated_tokens(prompt_for("chat").words) - AROUND_TOKENS
    sample = text[:20_000]
    characters = len(sample) / estimated_tokens(sample) if sample else 4.0
    return min(LONGEST_SEGMENT, max(SHORTEST, int(room / (1 + ANSWER_SHARE) * characters)))


def reading(capture: Capture, piece: Segment) -> list[Message]:
    """Return the question what a text says."""
    return [
        Message("system", prompt_for(piece.source_type).words),
        Message("user", _between_marks(_text(capture, piece))),
    ]


def repairing(asked: Sequence[Message], answer: str, why: str) -> list[Message]:
    """Return the question again, with what was wrong with the answer."""
    return [
        *asked,
        Message("assistant", answer[:SHOWN_AGAIN] or "(nothing)"),
        Message("user", f"That cannot be used: {why}. Reply with the corrected JSON only, in the form given above."),
    ]


def choosing(offers: Sequence[Offer]) -> tuple[list[Message], dict[tuple[str, str], tuple[str, str]]]:
    """Return the question which older statements are outdated, and the pairs of ids behind the pairs of marks that were
    offered."""
    pairs: dict[tuple[str, str], tuple[str, str]] = {}
    shown: list[JsonValue] = []
    count = 0
    for number, offer in enumerate(offers, start=1):
        older: list[JsonValue] = []
        for old_id, (content, said_at) in offer.older.items():
            count += 1
            pairs[f"n{number}", f"o{count}"] = offer.new_id, old_id
            older.append({"old": f"o{count}", "said_on": _day(said_at), "statement": visible(content)})
        new: dict[str, JsonValue] = {"new": f"n{number}", "said_on": _day(offer.said_at), "statement": visible(offer.content)}
        shown.append({**new, "older": older})
    asked = [Message("system", supersede_prompt().words), Message("user", _between_marks({"statements": shown}))]
    return asked, pairs


def answer_tokens(asked: Sequence[Message], context_tokens: int) -> int:
    """Return how long the answer may be."""
    asked_tokens = sum(estimated_tokens(message.content) for message in asked)
    return min(MOST_ANSWER, max(LEAST_ANSWER, context_tokens - asked_tokens - AROUND_TOKENS // 4))


def _text(capture: Capture, piece: Segment) -> Mapping[str, JsonValue]:
    found: dict[str, JsonValue] = {"said_on": _day(capture.observed_at)}
    if capture.title:
        found["title"] = visible(capture.title)[:200]
    if piece.context:
        found["before"] = visible(piece.context[-BEFORE:])
    if not piece.turns:
        if piece.headings:
            found["headings"] = [visible(heading)[:200] for heading in piece.headings]
        return {**found, "owner_wrote_it": capture.trust == "user", "text": visible(piece.text)}
    turns: list[JsonValue] = []
    for turn in piece.turns:
        said: dict[str, JsonValue] = {"who": turn.speaker or turn.role, "role": turn.role}
        if turn.observed_at is not None and turn.observed_at.date() != capture.observed_at.date():
            said["said_on"] = _day(turn.observed_at)
        turns.append({**said, "text": visible(capture.text[turn.start : turn.end])})
    return {**found, "turns": turns}


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d} ({moment:%A})"


def _between_marks(data: Mapping[str, JsonValue]) -> str:
    word = secrets.token_hex(8)
    written = json.dumps(data, ensure_ascii=False)
    return f"Data from here to the mark END {word}.\nBEGIN {word}\n{written}\nEND {word}"

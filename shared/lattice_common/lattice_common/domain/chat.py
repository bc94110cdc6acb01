"""A turn of the conversation with memory, through any door, and its line in `logs/chat.jsonl`.

A line is `{ts, session_id, question, reformulated_query?, answer, atom_ids, subjects, channel, context_reset, query_topic?,
unanswered?, journey_ended?, trace_id?}`; where something was told, `question` is what was said and the answer reads `[captured: N
new, M updated]`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from lattice_common.domain.capture import JsonValue

_CAPTURED = re.compile(r"\[captured: (\d+) new, (\d+) updated\]")


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """`ts` carries an offset. `context_reset`: earlier turns of its session are no longer used as context. `unanswered`: nothing
    known answered the question. `journey_ended`: the topics of the day before it are over, for all doors. `trace_id` names the
    answer, which a verdict may be on; of what was told, the capture."""

    ts: datetime
    question: str
    answer: str
    session_id: str | None = None
    channel: str | None = None
    atom_ids: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    context_reset: bool = False
    reformulated_query: str | None = None
    query_topic: str | None = None
    unanswered: bool = False
    journey_ended: bool = False
    trace_id: str | None = None

    @property
    def told(self) -> bool:
        """Return whether something was told, not asked."""
        return _CAPTURED.fullmatch(self.answer) is not None

    @property
    def left_nothing(self) -> bool:
        """Return whether something was told of which nothing was remembered: a greeting, or what was known."""
        return self.answer == captured_answer(0, 0)


def captured_answer(new: int, updated: int) -> str:
    """Return the answer of a turn that told something."""
    return f"[captured: {new} new, {updated} updated]"


def line_of(turn: ChatTurn) -> dict[str, JsonValue]:
    """Return the turn as a line's fields; the optional ones only where they have a value."""
    line: dict[str, JsonValue] = {
        "ts": turn.ts.isoformat(),
        "session_id": turn.session_id,
        "question": turn.question,
        "answer": turn.answer,
        "atom_ids": list(turn.atom_ids),
        "subjects": list(turn.subjects),
        "channel": turn.channel,
        "context_reset": turn.context_reset,
    }
    if turn.reformulated_query:
        line["reformulated_query"] = turn.reformulated_query
    if turn.query_topic:
        line["query_topic"] = turn.query_topic
    if turn.unanswered:
        line["unanswered"] = True
    if turn.journey_ended:
        line["journey_ended"] = True
    if turn.trace_id:
        line["trace_id"] = turn.trace_id
    return line


def turn_of(line: Mapping[str, JsonValue]) -> ChatTurn | None:
    """Return the turn of a line; None for one that is none (a hand may have been there)."""
    try:
        ts = datetime.fromisoformat(str(line["ts"]))
    except (KeyError, ValueError):
        return None
    question, answer = line.get("question"), line.get("answer")
    if ts.tzinfo is None or not isinstance(question, str) or not isinstance(answer, str):
        return None
    return ChatTurn(
        ts,
        question,
        answer,
        _text(line.get("session_id")),
        _text(line.get("channel")),
        _texts(line.get("atom_ids")),
        _texts(line.get("subjects")),
        line.get("context_reset") is True,
        _text(line.get("reformulated_query")),
        _text(line.get("query_topic")),
        line.get("unanswered") is True,
        line.get("journey_ended") is True,
        _text(line.get("trace_id")),
    )


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: JsonValue) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()

"""The conversation itself."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from lattice_common.api_schema.values import Day, Moment


class GivenReply(TypedDict):
    """The verdict that stands on an answer; `POST /api/undo/{change_id}` takes it back, where it changed something."""

    verdict: Literal["up", "down", "wrong"]
    change_id: str | None


class ToldReply(TypedDict):
    """What became of what a turn told, whose capture its `trace_id` names; `file`: it came as one, `unreadable`: which could not
    be read."""

    state: Literal["waiting", "working", "stored", "duplicate", "rejected", "dead"]
    reason: str | None
    file: bool
    unreadable: bool


class TurnReply(TypedDict):
    """One line of the conversation's log, with the verdict that stands on its answer (`POST /api/feedback` with `trace_id`), or
    with what became of what it told."""

    ts: Moment
    session_id: str | None
    question: str
    answer: str
    atom_ids: list[str]
    subjects: list[str]
    channel: str | None
    context_reset: bool
    reformulated_query: NotRequired[str | None]
    query_topic: NotRequired[str | None]
    unanswered: NotRequired[bool]
    journey_ended: NotRequired[bool]
    trace_id: NotRequired[str]
    given: NotRequired[GivenReply]
    told: NotRequired[ToldReply]


class ChatReply(TypedDict):
    """What was said, newest first."""

    turns: list[TurnReply]


class BranchReply(TypedDict):
    """A topic of the day: how many turns it has, and its questions, oldest first."""

    topic: str
    turns: int
    questions: list[str]


class TodayReply(TypedDict):
    """Today's turns, oldest first, and the branches that they make."""

    day: Day
    turns: list[TurnReply]
    branches: list[BranchReply]


class ClearedReply(TypedDict):
    """How many turns were taken out of the log."""

    cleared: int


class DepthReply(TypedDict):
    """How deep one is in a topic: `depth` turns of today on it, on `days` different days, with `memories` that speak of it."""

    topic: str
    depth: int
    days: int
    memories: int


class DepthsReply(TypedDict):
    """The topics of today; `current` is the one of the last turn."""

    current: str | None
    topics: list[DepthReply]

"""What the server answers, as typed dictionaries, and what its problems are as errors."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from lattice_common.errors import (
    Conflict,
    Corrupt,
    InvalidInput,
    LatticeError,
    NotAllowed,
    NotConfigured,
    NotFound,
    Unavailable,
)

Json: TypeAlias = dict[str, Any]

FINAL_STATES = frozenset({"stored", "duplicate", "rejected", "dead"})


class CaptureReply(TypedDict):
    """A capture as the API shows it (API.md, "Capture")."""

    capture_id: str
    state: Literal["waiting", "working", "stored", "duplicate", "rejected", "dead"]
    atoms_new: int
    atoms_updated: int
    duplicates_skipped: int
    rejected: int
    atom_ids: list[str]
    queued: bool
    reason: str | None
    attempts: int
    notes: list[str]


class CapturesReply(TypedDict):
    """A page of captures, newest first; `cursor` asks for the next."""

    captures: list[CaptureReply]
    cursor: str | None


class CitationReply(TypedDict):
    """Where a sentence of an answer comes from."""

    n: int
    atom_id: str
    quote: str
    source_id: str | None
    observed_at: str
    supported: bool


class AnswerReply(TypedDict):
    """`POST /api/answer`'s answer."""

    answer: str
    citations: list[CitationReply]
    answered: bool
    atoms: list[Json]
    related_subjects: list[str]
    used_llm: bool
    warnings: list[str]
    trace_id: str
    model: str | None
    reformulated_query: str | None


class SelectReply(TypedDict):
    """`POST /api/select`'s answer."""

    atoms: list[Json]
    answerable: bool
    confidence: float
    shape: str
    degraded: list[str]
    trace_id: str
    took_ms: float


class IntentReply(TypedDict):
    """`POST /api/intent`: `tell`, `ask` or `do`."""

    intent: str
    sure: float
    by: str


class OrderReply(TypedDict):
    """`POST /api/do`."""

    action: str
    state: str
    message: str
    atoms: list[Json]
    found: int
    token: str | None
    change_id: str | None
    href: str | None


class StatusReply(TypedDict):
    """`GET /api/status`."""

    atoms: int
    captures: dict[str, int]
    subjects: dict[str, int]
    streak: int
    engines: dict[str, str]
    model: str | None
    versions: dict[str, str]
    degraded: list[str]
    writer: str
    inbox: dict[str, int]
    language_model: dict[str, str | int | bool | None]
    reflection: dict[str, bool | int]
    migration: dict[str, int]
    in_review: int
    judging_behind: int


class TurnReply(TypedDict):
    """A line of the conversation's log."""

    ts: str
    session_id: str | None
    question: str
    answer: str
    atom_ids: list[str]
    subjects: list[str]
    channel: str | None
    context_reset: bool
    reformulated_query: NotRequired[str | None]
    query_topic: NotRequired[str | None]


class BranchReply(TypedDict):
    """A topic of the day."""

    topic: str
    turns: int
    questions: list[str]


class TodayReply(TypedDict):
    """`GET /api/chat/today`."""

    day: str
    turns: list[TurnReply]
    branches: list[BranchReply]


class FeedbackReply(TypedDict):
    """`POST /api/feedback`'s answer."""

    verdict: str
    change_id: str | None
    atoms: list[Json]


class ArchivedReply(TypedDict):
    """`GET /api/archive`; `count` is of all there are."""

    atoms: list[Json]
    count: int


class ReviewPairReply(TypedDict):
    """Two memories of which the newer may have made the older untrue, since it was said."""

    newer: Json
    older: Json
    question: str
    since: str


class ReviewReply(TypedDict):
    """`GET /api/review`; `count` is of all there are."""

    review: list[ReviewPairReply]
    count: int


class EntityReply(TypedDict):
    """One of `GET /api/entities`."""

    entity_id: str
    name: str
    kind: str
    names: list[str]
    roles: list[Json]


class EntityViewReply(EntityReply):
    """`GET /api/entity`; `proofs` are the memories that say so, `mentions` those that name it."""

    proofs: list[Json]
    mentions: list[Json]


class ProfileLineReply(TypedDict):
    """A current statement: `stated` by the owner, or `learned` of them."""

    atom_id: str
    content: str
    kind: str
    origin: str
    since: str
    confidence: float
    source: Json


class ProfileCategoryReply(TypedDict):
    """The lines of one category."""

    category: str
    lines: list[ProfileLineReply]


class ProfileReply(TypedDict):
    """`GET /api/profile`."""

    lasting: list[ProfileCategoryReply]
    recent: list[ProfileCategoryReply]
    tokens: int
    left_out: int
    groups: list[Json]


class BriefingReply(TypedDict):
    """`GET /api/today`."""

    day: str
    due: list[Json]
    changed: list[Json]
    on_this_day: list[Json]
    in_review: int
    answerable: list[Json]
    idea: Json | None


class LatencyReply(TypedDict):
    """Milliseconds of one kind of work."""

    count: int
    p50: float
    p95: float
    longest: float


class UsageSummaryReply(TypedDict):
    """`GET /api/usage/summary`."""

    since: str | None
    asked: int
    told: int
    memories: int
    recalled: int
    tokens_today: int
    streak: int
    channels: dict[str, int]
    feedback: dict[str, int]


class StatsReply(TypedDict):
    """`GET /api/usage/stats`."""

    since: str
    latencies: dict[str, LatencyReply]
    failures: dict[str, int]
    distributions: dict[str, dict[str, int]]


class SavedThroughReply(TypedDict):
    """What one door brought."""

    last_saved_at: str
    today: int


class AutoSaveReply(TypedDict):
    """`GET /api/auto-save/status`."""

    enabled: bool
    reason: str | None
    waiting: int
    dead: int
    last_saved_at: str | None
    saved_today: int
    by_channel: dict[str, SavedThroughReply]
    inbox: dict[str, int]


def server_sent_events(lines: Iterator[str]) -> Iterator[tuple[str, Json]]:
    """Events and their JSON data; comments and keep-alives are passed over (WHATWG HTML, "Server-sent events")."""
    event, data = "message", list[str]()
    for line in lines:
        if not line:
            if data:
                yield event, json.loads("\n".join(data))
            event, data = "message", []
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                event = value
            elif name == "data":
                data.append(value)


def error_of(status: int, content: bytes, headers: Mapping[str, str]) -> LatticeError:
    """The error that a problem (RFC 9457) tells of."""
    try:
        problem = json.loads(content)
        # What follows is for who sees the JSON; on a command line and in a chat nobody does.
        detail = str(problem["detail"]).partition(" See `errors`")[0]
    except (ValueError, KeyError, TypeError):
        problem, detail = {}, f"The server answered {status} without saying why: is it Lattice that listens there?"
    errors = problem.get("errors") or []
    match status:
        case 401 | 403 | 429:
            return NotAllowed(detail, status=status)
        case 404:
            return NotFound(detail)
        case 409 | 412 | 428:
            return Conflict(detail, status=status)
        case 501:
            return NotConfigured(detail, env_line="")
        case 502 | 503 | 504 | 507:  # of 502 and 504 a proxy tells, before which nobody answers
            after = headers.get("retry-after", "")
            return Unavailable(detail, status=status, retry_after=float(after) if after.isdigit() else None)
        case _ if status >= 500:
            return Corrupt(detail)
    return InvalidInput(detail, status=status, field=errors[0].get("field") if errors else None)

"""How memory is used, judged and looked over."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from lattice_common.api_schema.replies import AtomReply, BrowsedReply, SignalReply
from lattice_common.api_schema.values import Day, Moment


class FeedbackReply(TypedDict):
    """`atoms` are those that the verdict was on: with `wrong`, to be corrected. `change_id` undoes what it changed."""

    verdict: Literal["up", "down", "wrong"]
    change_id: str | None
    atoms: list[AtomReply]


class CorrectionReply(TypedDict):
    """A memory that was called wrong, and still says what it said then."""

    atom: AtomReply
    at: Moment
    trace_id: str | None


class CorrectionsReply(TypedDict):
    """What is to be corrected, newest first."""

    to_correct: list[CorrectionReply]


class UsageSummaryReply(TypedDict):
    """All in all, since the log begins. `channels` counts turns by door, `feedback` verdicts, `recalled` what answers cited."""

    since: Day | None
    asked: int
    told: int
    memories: int
    recalled: int
    tokens_today: int
    streak: int
    channels: dict[str, int]
    feedback: dict[str, int]


class UsageDayReply(TypedDict):
    """One day; `memories` counts imports, too, and `tokens` those of language models."""

    day: Day
    asked: int
    told: int
    memories: int
    recalled: int
    tokens: int


class UsageWeeklyReply(TypedDict):
    """The last seven days, oldest first, today at the end."""

    days: list[UsageDayReply]


class SavedThroughReply(TypedDict):
    """What one door brought."""

    last_saved_at: Moment
    today: int


class AutoSaveReply(TypedDict):
    """`enabled` while captures are worked on; else `reason` says why what is told waits: it is kept, and saved then. `waiting`
    and `dead` count captures, `inbox` files as in `/api/status`. Imports are in `last_saved_at` only."""

    enabled: bool
    reason: str | None
    waiting: int
    dead: int
    last_saved_at: Moment | None
    saved_today: int
    by_channel: dict[str, SavedThroughReply]
    inbox: dict[str, int]


class TracedReply(TypedDict):
    """A memory that was found, and what spoke for it."""

    atom_id: str
    score: float
    signals: dict[str, SignalReply]


class TraceReply(TypedDict):
    """How an answer was found, without a word of the question: its hash, how many were looked at, milliseconds by stage, and what
    spoke for each memory. What else there is depends on its `kind`."""

    trace_id: str
    ts: Moment
    kind: Literal["select", "answer"]
    question_hash: NotRequired[str | None]
    counts: NotRequired[dict[str, int]]
    stages_ms: NotRequired[dict[str, float]]
    atoms: list[TracedReply]
    shape: NotRequired[str | None]
    answerable: NotRequired[bool | None]
    confidence: NotRequired[float | None]
    degraded: NotRequired[list[str]]
    took_ms: NotRequired[float | None]
    answered: NotRequired[bool | None]
    reformulated: NotRequired[bool | None]
    cited: NotRequired[list[str]]
    doubts: NotRequired[list[str]]
    used_llm: NotRequired[bool | None]
    fell_back: NotRequired[bool | None]
    model: NotRequired[str | None]


class LatencyReply(TypedDict):
    """Milliseconds, of the latest 2,000; `count` is of all since the start."""

    count: int
    p50: float
    p95: float
    longest: float


class StatsReply(TypedDict):
    """`since` the start: how long questions took, by kind and by stage, and what failed; and how the memories are distributed."""

    since: Moment
    latencies: dict[str, LatencyReply]
    failures: dict[str, int]
    distributions: dict[str, dict[str, int]]


class MomentReply(TypedDict):
    """A memory, and the time it speaks of: when it holds from, where that is known, else when it was said."""

    at: Moment
    atom: BrowsedReply


class TimelineReply(TypedDict):
    """Memories in the order of what they speak of, oldest first."""

    timeline: list[MomentReply]


class ProfileSourceReply(TypedDict):
    """Where a line comes from: the capture, and what it was called."""

    capture_id: str
    source_id: str | None
    title: str | None
    channel: str | None


class ProfileLineReply(TypedDict):
    """One current statement: you `stated` it, or it was `learned` from a document; `since` when, and how sure it is by now.
    `content` is what was said, `spoken` the same said to you: in the second person, or as a quotation."""

    atom_id: str
    content: str
    spoken: str
    kind: str
    origin: Literal["stated", "learned"]
    since: Moment
    confidence: float
    source: ProfileSourceReply


class ProfileCategoryReply(TypedDict):
    """The lines of one category."""

    category: Literal["fact", "preference", "instruction", "context"]
    lines: list[ProfileLineReply]


class ProfileGroupReply(TypedDict):
    """The lines of one kind, as memories."""

    kind: str
    atoms: list[AtomReply]


class ProfileReply(TypedDict):
    """`lasting` and `recent` by category; `tokens` is about what these lines cost, `left_out` counts those that had no room.
    `groups` are the same memories by kind."""

    lasting: list[ProfileCategoryReply]
    recent: list[ProfileCategoryReply]
    tokens: int
    left_out: int
    groups: list[ProfileGroupReply]


class DueReply(TypedDict):
    """A day to come: the `date` that a memory speaks of, the `end` of what it says, or one that comes back `yearly`."""

    on: Day
    by: Literal["date", "end", "yearly"]
    atom: AtomReply


class ChangedReply(TypedDict):
    """What was said this week, and what it replaced."""

    atom: AtomReply
    replaced: list[AtomReply]


class OnThisDayReply(TypedDict):
    """What was so many years ago today."""

    years: int
    atom: AtomReply


class AnswerableReply(TypedDict):
    """A question that nothing answered when it was asked, and a memory told since that does."""

    question: str
    asked_at: Moment
    atom: AtomReply


class IdeaReply(TypedDict):
    """What a language model saw in two memories, one a day at most, and `because` of which."""

    atom: AtomReply
    because: list[AtomReply]


class BriefingReply(TypedDict):
    """`due`, the next first; `changed`, the newest first; `on_this_day`, the latest year first; `answerable`, the latest question
    first. What waits for your word: `in_review` and `disagreeing` count pairs, `to_correct` memories that you called wrong."""

    day: Day
    due: list[DueReply]
    changed: list[ChangedReply]
    on_this_day: list[OnThisDayReply]
    in_review: int
    disagreeing: int
    to_correct: int
    answerable: list[AnswerableReply]
    idea: IdeaReply | None

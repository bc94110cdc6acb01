"""Bodies and answers of the routes on how memory is used, judged and looked over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime
from typing import Annotated, Any, Literal

from lattice_common.domain.atom import Category
from lattice_common.lattice import Lattice
from lattice_common.recall.profile import Profile, ProfileLine
from lattice_common.recall.today import Today
from lattice_common.upkeep.judged import Judged, ToCorrect
from lattice_common.upkeep.stats import Stats
from lattice_common.upkeep.usage import DayUsage, UsageSummary
from pydantic import BaseModel, Field, model_validator

from lattice_api.replies import AtomReply, SignalReply
from lattice_api.shapes import Body, Channel, Json


class FeedbackBody(Body):
    """`POST /api/feedback`. Without `atom_ids`, the verdict is on the memories that the answer `trace_id` cited."""

    trace_id: Annotated[str | None, Field(max_length=100)] = None
    atom_ids: Annotated[tuple[Annotated[str, Field(max_length=100)], ...], Field(max_length=100)] = ()
    verdict: Literal["up", "down", "wrong"]
    channel: Channel = "api"

    @model_validator(mode="after")
    def _is_on_something(self) -> FeedbackBody:
        if not self.trace_id and not self.atom_ids:
            raise ValueError("send the `trace_id` of an answer, or `atom_ids`")
        return self


class FeedbackReply(BaseModel):
    """`atoms` are those that the verdict was on: with `wrong`, to be corrected. `change_id` undoes what it changed."""

    verdict: Literal["up", "down", "wrong"]
    change_id: str | None
    atoms: list[AtomReply]


class CorrectionReply(BaseModel):
    """A memory that was called wrong, and still says what it said then."""

    atom: AtomReply
    at: datetime
    trace_id: str | None


class CorrectionsReply(BaseModel):
    """What is to be corrected, newest first."""

    to_correct: list[CorrectionReply]


class UsageSummaryReply(BaseModel):
    """All in all, since the log begins. `channels` counts turns by door, `feedback` verdicts, `recalled` what answers cited."""

    since: date | None
    asked: int
    told: int
    memories: int
    recalled: int
    tokens_today: int
    streak: int
    channels: dict[str, int]
    feedback: dict[str, int]


class UsageDayReply(BaseModel):
    """One day; `memories` counts imports, too, and `tokens` those of language models."""

    day: date
    asked: int
    told: int
    memories: int
    recalled: int
    tokens: int


class UsageWeeklyReply(BaseModel):
    """The last seven days, oldest first, today at the end."""

    days: list[UsageDayReply]


class SavedThroughReply(BaseModel):
    """What one door brought."""

    last_saved_at: datetime
    today: int


class AutoSaveReply(BaseModel):
    """`enabled` while captures are worked on; else `reason` says why what is told waits: it is kept, and saved then. `waiting`
    and `dead` count captures, `inbox` files as in `/api/status`. Imports are in `last_saved_at` only."""

    enabled: bool
    reason: str | None
    waiting: int
    dead: int
    last_saved_at: datetime | None
    saved_today: int
    by_channel: dict[str, SavedThroughReply]
    inbox: dict[str, int]


class TracedReply(BaseModel):
    """A memory that was found, and what spoke for it."""

    atom_id: str
    score: float
    signals: dict[str, SignalReply]


class TraceReply(BaseModel):
    """How an answer was found, without a word of the question: its hash, how many were looked at, milliseconds by stage, and what
    spoke for each memory. What else there is depends on its `kind`."""

    trace_id: str
    ts: datetime
    kind: Literal["select", "answer"]
    question_hash: str | None = None
    counts: dict[str, int] = {}
    stages_ms: dict[str, float] = {}
    atoms: list[TracedReply]
    shape: str | None = None
    answerable: bool | None = None
    confidence: float | None = None
    degraded: list[str] = []
    took_ms: float | None = None
    answered: bool | None = None
    reformulated: bool | None = None
    cited: list[str] = []
    doubts: list[str] = []
    used_llm: bool | None = None
    fell_back: bool | None = None
    model: str | None = None


class LatencyReply(BaseModel):
    """Milliseconds, of the latest 2,000; `count` is of all since the start."""

    count: int
    p50: float
    p95: float
    longest: float


class StatsReply(BaseModel):
    """`since` the start: how long questions took, by kind and by stage, and what failed; and how the memories are distributed."""

    since: datetime
    latencies: dict[str, LatencyReply]
    failures: dict[str, int]
    distributions: dict[str, dict[str, int]]


class MomentReply(BaseModel):
    """A memory, and the time it speaks of: when it holds from, where that is known, else when it was said."""

    at: datetime
    atom: AtomReply


class TimelineReply(BaseModel):
    """Memories in the order of what they speak of, oldest first."""

    timeline: list[MomentReply]


class ProfileSourceReply(BaseModel):
    """Where a line comes from: the capture, and what it was called."""

    capture_id: str
    source_id: str | None
    title: str | None
    channel: str | None


class ProfileLineReply(BaseModel):
    """One current statement: you `stated` it, or it was `learned` from a document; `since` when, and how sure it is by now."""

    atom_id: str
    content: str
    kind: str
    origin: Literal["stated", "learned"]
    since: datetime
    confidence: float
    source: ProfileSourceReply


class ProfileCategoryReply(BaseModel):
    """The lines of one category."""

    category: Literal["fact", "preference", "instruction", "context"]
    lines: list[ProfileLineReply]


class ProfileGroupReply(BaseModel):
    """The lines of one kind, as memories."""

    kind: str
    atoms: list[AtomReply]


class ProfileReply(BaseModel):
    """`lasting` and `recent` by category; `tokens` is about what these lines cost, `left_out` counts those that had no room.
    `groups` are the same memories by kind."""

    lasting: list[ProfileCategoryReply]
    recent: list[ProfileCategoryReply]
    tokens: int
    left_out: int
    groups: list[ProfileGroupReply]


def profile_json(found: Profile, lattice: Lattice) -> Json:
    """`GET /api/profile`'s answer."""
    return {
        "lasting": _half(found.lasting),
        "recent": _half(found.recent),
        "tokens": found.tokens,
        "left_out": found.left_out,
        "groups": [{"kind": kind, "atoms": [lattice.fields(atom) for atom in atoms]} for kind, atoms in found.by_kind()],
    }


def _half(groups: Mapping[Category, Sequence[ProfileLine]]) -> list[Json]:
    return [{"category": category, "lines": [_profile_line(line) for line in lines]} for category, lines in groups.items()]


def _profile_line(line: ProfileLine) -> Json:
    atom = line.atom
    named = {name: atom.metadata.get(name) for name in ("title", "channel")}
    return {
        "atom_id": atom.atom_id,
        "content": atom.content,
        "kind": atom.kind,
        "origin": line.origin,
        "since": line.since.isoformat(),
        "confidence": line.confidence,
        "source": {
            "capture_id": atom.capture_id,
            "source_id": atom.source_id,
            **{name: value if isinstance(value, str) else None for name, value in named.items()},
        },
    }


class DueReply(BaseModel):
    """A day to come: the `date` that a memory speaks of, the `end` of what it says, or one that comes back `yearly`."""

    on: date
    by: Literal["date", "end", "yearly"]
    atom: AtomReply


class ChangedReply(BaseModel):
    """What was said this week, and what it replaced."""

    atom: AtomReply
    replaced: list[AtomReply]


class OnThisDayReply(BaseModel):
    """What was so many years ago today."""

    years: int
    atom: AtomReply


class AnswerableReply(BaseModel):
    """A question that nothing answered when it was asked, and a memory told since that does."""

    question: str
    asked_at: datetime
    atom: AtomReply


class IdeaReply(BaseModel):
    """What a language model saw in two memories, one a day at most, and `because` of which."""

    atom: AtomReply
    because: list[AtomReply]


class BriefingReply(BaseModel):
    """`due`, the next first; `changed`, the newest first; `on_this_day`, the latest year first; `in_review` counts pairs;
    `answerable`, the latest question first."""

    day: date
    due: list[DueReply]
    changed: list[ChangedReply]
    on_this_day: list[OnThisDayReply]
    in_review: int
    answerable: list[AnswerableReply]
    idea: IdeaReply | None


def today_json(found: Today, lattice: Lattice) -> Json:
    """`GET /api/today`'s answer."""
    return {
        "day": found.day.isoformat(),
        "due": [{"on": each.on.isoformat(), "by": each.by, "atom": lattice.fields(each.atom)} for each in found.due],
        "changed": [
            {"atom": lattice.fields(each.atom), "replaced": [lattice.fields(old) for old in each.replaced]}
            for each in found.changed
        ],
        "on_this_day": [{"years": each.years, "atom": lattice.fields(each.atom)} for each in found.on_this_day],
        "in_review": found.in_review,
        "answerable": [
            {"question": each.question, "asked_at": each.asked_at.isoformat(), "atom": lattice.fields(each.atom)}
            for each in found.answerable
        ],
        "idea": {"atom": lattice.fields(found.idea.atom), "because": [lattice.fields(each) for each in found.idea.because]}
        if found.idea
        else None,
    }


def feedback_json(judged: Judged, lattice: Lattice) -> Json:
    """What became of a verdict."""
    atoms = [lattice.fields(atom) for atom in judged.atoms]
    return {"verdict": judged.verdict, "change_id": judged.change_id, "atoms": atoms}


def correction_json(each: ToCorrect, lattice: Lattice) -> Json:
    """What is to be corrected."""
    return {"atom": lattice.fields(each.atom), "at": each.at.isoformat(), "trace_id": each.trace_id}


def usage_json(counted: UsageSummary | DayUsage | Stats) -> dict[str, Any]:
    """Counts as they are; orjson writes dates."""
    return asdict(counted)

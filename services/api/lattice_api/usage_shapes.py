"""Bodies and answers of the routes on how memory is used, judged and looked over."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date, datetime
from typing import Annotated, Any, Literal

from lattice_common.lattice import Lattice
from lattice_common.upkeep.judged import Judged, ToCorrect
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
    """How an answer was found; what else there is depends on its `kind`."""

    trace_id: str
    ts: datetime
    kind: Literal["select", "answer"]
    question: str
    atoms: list[TracedReply]
    shape: str | None = None
    answerable: bool | None = None
    confidence: float | None = None
    degraded: list[str] = []
    took_ms: float | None = None
    answered: bool | None = None
    reformulated_query: str | None = None
    cited: list[str] = []
    doubts: list[str] = []
    used_llm: bool | None = None
    model: str | None = None
    warnings: list[str] = []


class MomentReply(BaseModel):
    """A memory, and the time it speaks of: when it holds from, where that is known, else when it was said."""

    at: datetime
    atom: AtomReply


class TimelineReply(BaseModel):
    """Memories in the order of what they speak of, oldest first."""

    timeline: list[MomentReply]


class ProfileGroupReply(BaseModel):
    """What you said of one kind that holds now."""

    kind: str
    atoms: list[AtomReply]


class ProfileReply(BaseModel):
    """Who you are, as far as you told."""

    groups: list[ProfileGroupReply]


def feedback_json(judged: Judged, lattice: Lattice) -> Json:
    """What became of a verdict."""
    atoms = [lattice.fields(atom) for atom in judged.atoms]
    return {"verdict": judged.verdict, "change_id": judged.change_id, "atoms": atoms}


def correction_json(each: ToCorrect, lattice: Lattice) -> Json:
    """What is to be corrected."""
    return {"atom": lattice.fields(each.atom), "at": each.at.isoformat(), "trace_id": each.trace_id}


def usage_json(counted: UsageSummary | DayUsage) -> dict[str, Any]:
    """Counts as they are; orjson writes dates."""
    return asdict(counted)

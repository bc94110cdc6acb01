"""Bodies and answers of the routes on the conversation itself."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from lattice_common.domain.chat import ChatTurn, captured_answer, line_of
from lattice_common.recall.topics import Branch
from pydantic import BaseModel, Field, model_validator

from lattice_api.shapes import Body, Channel, Json

LONGEST = 20_000


class CaptureLogBody(Body):
    """`POST /api/capture-log`: a turn that another program captured (no `answer`: then the counts say what came of it) or
    answered. With `context_reset` what its session said before is not leant on any more, and with `journey_ended` the topics of
    the day begin anew; then the question may be empty."""

    question: Annotated[str, Field(max_length=LONGEST)] = ""
    answer: Annotated[str | None, Field(max_length=LONGEST)] = None
    atoms_new: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    atoms_updated: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    atom_ids: Annotated[tuple[Annotated[str, Field(max_length=100)], ...], Field(max_length=100)] = ()
    subjects: Annotated[tuple[Annotated[str, Field(max_length=500)], ...], Field(max_length=20)] = ()
    session_id: Annotated[str | None, Field(max_length=500)] = None
    channel: Channel = "api"
    context_reset: bool = False
    journey_ended: bool = False

    @model_validator(mode="after")
    def _says_something(self) -> CaptureLogBody:
        if not self.question.strip() and not (self.context_reset or self.journey_ended):
            raise ValueError("`question` is empty: send what was said, or `context_reset`")
        return self

    def to_turn(self, now: datetime) -> ChatTurn:
        """The turn in the product's words."""
        told = captured_answer(self.atoms_new, self.atoms_updated) if self.question.strip() else ""
        return ChatTurn(
            now,
            self.question.strip(),
            told if self.answer is None else self.answer,
            self.session_id,
            self.channel,
            self.atom_ids,
            self.subjects,
            self.context_reset,
            journey_ended=self.journey_ended,
        )


class TurnReply(BaseModel):
    """One line of the conversation's log."""

    ts: datetime
    session_id: str | None
    question: str
    answer: str
    atom_ids: list[str]
    subjects: list[str]
    channel: str | None
    context_reset: bool
    reformulated_query: str | None = None
    query_topic: str | None = None
    unanswered: bool = False
    journey_ended: bool = False


class ChatReply(BaseModel):
    """What was said, newest first."""

    turns: list[TurnReply]


class BranchReply(BaseModel):
    """A topic of the day: how many turns it has, and its questions, oldest first."""

    topic: str
    turns: int
    questions: list[str]


class TodayReply(BaseModel):
    """Today's turns, oldest first, and the branches that they make."""

    day: date
    turns: list[TurnReply]
    branches: list[BranchReply]


class ClearedReply(BaseModel):
    """How many turns were taken out of the log."""

    cleared: int


class DepthReply(BaseModel):
    """How deep one is in a topic: `depth` turns of today on it, on `days` different days, with `memories` that speak of it."""

    topic: str
    depth: int
    days: int
    memories: int


class DepthsReply(BaseModel):
    """The topics of today; `current` is the one of the last turn."""

    current: str | None
    topics: list[DepthReply]


def turn_json(turn: ChatTurn) -> Json:
    """As the log has it."""
    return line_of(turn)


def branch_json(branch: Branch) -> Json:
    """A topic of the day."""
    return {"topic": branch.topic, "turns": len(branch.turns), "questions": branch.questions}

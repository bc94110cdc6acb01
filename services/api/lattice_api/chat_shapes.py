"""Bodies and answers of the routes on the conversation itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from lattice_common.capture.request import given
from lattice_common.domain.chat import ChatTurn, captured_answer, line_of
from lattice_common.recall.topics import Branch
from lattice_common.upkeep.feedback import Given
from lattice_common.upkeep.told import Told
from pydantic import ConfigDict, Field, model_validator

from lattice_api.shapes import Body, Channel, Json

LONGEST = 20_000


class CaptureLogBody(Body):
    """`POST /api/capture-log`: a turn that another program captured (no `answer`: then the counts say what came of it) or
    answered. With `context_reset` what its session said before is not leant on any more, and with `journey_ended` the topics of
    the day begin anew; then the question may be empty."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                given("question", type="string", pattern=r"\S"),
                given("context_reset", const=True),
                given("journey_ended", const=True),
            ]
        }
    )

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
        """Return the turn in the product's words."""
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


def turns_json(turns: Sequence[ChatTurn], given: Mapping[str, Given], told: Mapping[str, Told]) -> list[Json]:
    """Return turns with the verdicts on their answers, and with what became of what they told; both by their traces."""
    found = []
    for turn in turns:
        verdict, became = given.get(turn.trace_id or ""), told.get(turn.trace_id or "")
        found.append(line_of(turn) | ({"given": verdict} if verdict else {}) | ({"told": became} if became else {}))
    return found


def branch_json(branch: Branch) -> Json:
    """Return a topic of the day."""
    return {"topic": branch.topic, "turns": len(branch.turns), "questions": branch.questions}

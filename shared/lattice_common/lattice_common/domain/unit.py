"""What extraction reads at once: one turn of a conversation, or one block of a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from lattice_common.domain.capture import Capture, Role, Turn
from lattice_common.domain.segment import Segment

UnitKind: TypeAlias = Literal[
    "prose", "item", "task", "done", "list", "row", "fence", "field", "comment", "remark", "definition", "observation"
]


@dataclass(frozen=True, slots=True)
class Unit:
    """`[start, end)` of the capture's text, who said it when, and what stands before it (`before`: the words of the turn
    before, by `before_speaker`; `lead_in`: the line before a list, the head of a table; what an `observation` is filed under)."""

    start: int
    end: int
    role: Role
    observed_at: datetime
    speaker: str | None = None
    message_id: str | None = None
    headings: tuple[str, ...] = ()
    before: str = ""
    before_speaker: str | None = None
    conversation: bool = False
    kind: UnitKind = "prose"
    lead_in: str = ""


def turns_of(capture: Capture, segment: Segment) -> Iterator[Unit]:
    """Yield one unit for each turn of a window."""
    before, before_speaker = segment.context, None
    if segment.turns and before and ": " in before[:60]:
        name, _, words = before.partition(": ")
        before, before_speaker = words, name
    previous: Turn | None = None
    for turn in segment.turns:
        if previous is not None:
            before, before_speaker = capture.text[previous.start : previous.end], previous.speaker
        yield Unit(
            start=turn.start,
            end=turn.end,
            role=turn.role,
            observed_at=turn.observed_at or capture.observed_at,
            speaker=turn.speaker,
            message_id=turn.message_id,
            before=before,
            before_speaker=before_speaker,
            conversation=True,
        )
        previous = turn

"""The judge's verdicts on statements: values only, probabilities between 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

RelationLabel: TypeAlias = Literal["updates", "adds", "same", "unrelated"]
RELATION_LABELS: tuple[RelationLabel, ...] = ("updates", "adds", "same", "unrelated")

OTHER_TOPIC = 0.5
"""Probability of `unrelated` from which two statements count as being about different things."""

UtteranceIntent: TypeAlias = Literal["tell", "ask", "do"]
UTTERANCE_INTENTS: tuple[UtteranceIntent, ...] = ("tell", "ask", "do")

Status: TypeAlias = Literal["asserted", "past", "planned", "wished", "supposed", "quoted", "joked", "rejected", "uncertain"]
STATUSES: tuple[Status, ...] = (
    "asserted",
    "past",
    "planned",
    "wished",
    "supposed",
    "quoted",
    "joked",
    "rejected",
    "uncertain",
)
"""How something told is meant. Questions of fact are answered from what is asserted."""


@dataclass(frozen=True, slots=True)
class Relatedness:
    """How a newer statement relates to an older one: it makes it untrue (`updates`), adds to it (`adds`), says the same, or is
    about something else. The four add up to 1."""

    updates: float
    adds: float
    same: float
    unrelated: float

    @property
    def is_of_one_topic(self) -> bool:
        return self.unrelated < OTHER_TOPIC

    @property
    def label(self) -> RelationLabel:
        """Return the likeliest relation."""
        return max(RELATION_LABELS, key=lambda name: float(getattr(self, name)))


@dataclass(frozen=True, slots=True)
class UtteranceReading:
    """Probabilities by intent, and, given that it tells something, by status and by kind; each adds up to 1."""

    intent: Mapping[UtteranceIntent, float]
    status: Mapping[Status, float]
    kind: Mapping[str, float]


def is_whole(around: str, part: str) -> bool:
    """Return whether the part is all there is, but for a full stop."""
    return part.strip(" .") == around.strip(" .")

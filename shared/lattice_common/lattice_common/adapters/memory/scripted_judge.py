"""A judge that says what it was told to, by exact texts; of what it was not told it takes the cautious view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lattice_common.domain.judgement import (
    STATUSES,
    UTTERANCE_INTENTS,
    Relatedness,
    Status,
    UtteranceIntent,
    UtteranceReading,
)
from lattice_common.ports.embedder import Vectors

_UNRELATED = Relatedness(updates=0.0, adds=0.0, same=0.0, unrelated=1.0)


class ScriptedJudge:
    """`updates` maps (old, new) to the probability that the new statement makes the old one untrue, `answering` (question,
    statement) to that of an answer (a half for others), `meant` a text to its intent and status, which are also those of a part
    of which nothing is said. `asked` is all it was asked about, in order."""

    def __init__(
        self,
        updates: Mapping[tuple[str, str], float] | None = None,
        answering: Mapping[tuple[str, str], float] | None = None,
        meant: Mapping[str, tuple[UtteranceIntent, Status]] | None = None,
        *,
        model_id: str = "scripted-judge",
    ) -> None:
        self.asked: list[tuple[str, str]] = []
        self._updates = dict(updates or {})
        self._answering = dict(answering or {})
        self._meant = dict(meant or {})
        self._model_id = model_id

    @property
    def model_id(self) -> str:
        return self._model_id

    def relations(self, pairs: Sequence[tuple[str, str]]) -> list[Relatedness]:
        self.asked += pairs
        return [self.relation(pair) for pair in pairs]

    @property
    def boundaries(self) -> Mapping[str, float]:
        return {"certain": 0.9, "likely": 0.5, "perhaps": 0.3, "refuted": 0.05}

    def ends(self, found: Sequence[Relatedness], alike: Sequence[float], *, whole: bool = True) -> list[float]:  # noqa: ARG002
        return [each.updates for each in found]

    def seeks(self, vector: Vectors, embedder: str) -> tuple[Vectors, float]:  # noqa: ARG002 - the name is the Protocol's
        return vector, -1.0

    def answers(self, question: str, statements: Sequence[str]) -> list[float]:
        return [self._answering.get((question, statement), 0.5) for statement in statements]

    def lines_answer(self, question: str, lines: Sequence[str]) -> list[float]:
        return [self._answering.get((question, line), 0.5) for line in lines]

    def utterances(self, texts: Sequence[str]) -> list[UtteranceReading]:
        return [self._reading(text) for text in texts]

    def meant(self, parts: Sequence[tuple[str, str]]) -> list[UtteranceReading]:
        return [self._reading(part if part in self._meant else around) for around, part in parts]

    def relation(self, pair: tuple[str, str]) -> Relatedness:
        share = self._updates.get(pair)
        return _UNRELATED if share is None else Relatedness(updates=share, adds=1.0 - share, same=0.0, unrelated=0.0)

    def _reading(self, text: str) -> UtteranceReading:
        intent, status = self._meant.get(text, ("ask" if text.endswith("?") else "tell", "asserted"))
        return UtteranceReading(
            {name: float(name == intent) for name in UTTERANCE_INTENTS},
            {name: float(name == status) for name in STATUSES},
            {"fact": 1.0},
        )

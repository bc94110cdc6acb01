"""What the judge makes of statements, while one question is searched and answered: what it has read, it does not read again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from lattice_common.domain.judgement import Relatedness
from lattice_common.language.dates.years import with_years
from lattice_common.language.first_person import in_first_person
from lattice_common.ports.judge import Judge

CHARACTERS = 600
"""Of a statement that the judge is shown: it reads some 500 of them."""
LEAST = 0.3
"""Chance of the whole from which it is told whole; below it its parts would be told for nothing."""
ENOUGH = 0.5
"""Chance from which a part answers alone, however much surer the whole is."""
MORE = 0.05
"""By how much more surely the whole has to answer than each of its parts, to be the answer in their place."""
_LEAST_CHANCE = 1e-5
"""Probabilities are cut here before their log-odds are taken: in 8 bits less than that means nothing."""


class Reading:
    """Used by one thread."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._answers: dict[tuple[str, str], float] = {}
        self._relations: dict[tuple[str, str], Relatedness] = {}
        self._within: dict[str, tuple[str, ...]] = {}
        self._replaced: dict[str, tuple[str, ...]] = {}

    def said_within(self, wholes: Mapping[str, tuple[str, ...]]) -> None:
        """Have each of these statements read as part of what was said in one go, too: its statements in their order."""
        self._within |= wholes

    def stand_for(self, replaced: Mapping[str, tuple[str, ...]]) -> None:
        """Have each of these statements read as what it replaced, too: whatever its words, it answers in their place."""
        self._replaced |= replaced

    def answers(self, question: str, statements: Sequence[str]) -> list[float]:
        """Return the probability that each statement answers the question, alone or with what was said in one go with it where
        only all of it does: "I got the job at Elm Road! Start on 1 April."
        """
        replaced = dict.fromkeys(old for each in statements for old in self._replaced.get(each, ()))
        read = dict(zip((*statements, *replaced), self.alone(question, [*statements, *replaced]), strict=True))
        own = {each: max(read[each], *(read[old] for old in self._replaced.get(each, ())), 0.0) for each in statements}
        return [max(own[each], self._whole(question, each)) for each in statements]

    def lines_answer(self, question: str, lines: Sequence[str]) -> list[float]:
        """Return the probability that each line of a document answers the question."""
        return self._judge.lines_answer(question, [each[:CHARACTERS] for each in lines])

    def needs_whole(self, question: str, statement: str) -> bool:
        """Return whether a statement answers only with what was said in one go with it."""
        return self._whole(question, statement) >= LEAST

    def _whole(self, question: str, statement: str) -> float:
        """Return the probability that what a statement is part of answers; 0 where one of its parts does so alone, or nearly."""
        parts = self._within.get(statement)
        if parts is None:
            return 0.0
        whole, *alone = self.alone(question, [" ".join(parts), *parts])
        return whole if max(alone) < ENOUGH and whole > max(alone) + MORE else 0.0

    def alone(self, question: str, statements: Sequence[str]) -> list[float]:
        """Return how surely each statement answers by its own words."""
        asked = in_first_person(question)
        pairs = [(asked, in_first_person(with_years(each[:CHARACTERS]))) for each in statements]
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._answers]
        if new:
            self._answers |= zip(new, self._judge.answers(asked, [each for _, each in new]), strict=True)
        return [self._answers[pair] for pair in pairs]

    def relations(self, pairs: Sequence[tuple[str, str]]) -> list[Relatedness]:
        """Return how the second, later statement of each pair relates to the first."""
        cut = [(old[:CHARACTERS], new[:CHARACTERS]) for old, new in pairs]
        unread = [pair for pair in dict.fromkeys(cut) if pair not in self._relations]
        if unread:
            self._relations |= zip(unread, self._judge.relations(unread), strict=True)
        return [self._relations[pair] for pair in cut]


def log_odds_of(chances: Sequence[float]) -> list[float]:
    """Return the log-odds of the judge's probabilities."""
    cut = [min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE) for chance in chances]
    return [math.log(chance / (1 - chance)) for chance in cut]

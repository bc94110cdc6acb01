"""What several signals of one question are made of."""

from __future__ import annotations

from dataclasses import dataclass

from lattice_common.domain.score import Weights
from lattice_common.ports.catalogue import Columns
from lattice_common.recall.question import Candidates, Floats, Question, Rows, Search


@dataclass(frozen=True, slots=True)
class Seen:
    """`words`, `meaning` and `window` are z-scores over the candidates, `cosine` is that of the farthest where it is not known;
    `session`: how good the rest of an atom's session is; `beside`: places of the turns before and after (`score._beside`).

    `talk` is the share of the candidates that is conversation, 0…1, one number for the question: a note is asked about in other
    words than it was written in, so meaning counts more; in talk the words decide, for so much of it has a similar meaning."""

    search: Search
    weights: Weights
    words: Floats
    meaning: Floats
    window: Floats
    cosine: Floats
    session: Floats
    beside: tuple[Rows, Rows]
    talk: float

    @property
    def candidates(self) -> Candidates:
        return self.search.candidates

    @property
    def columns(self) -> Columns:
        return self.search.columns

    @property
    def rows(self) -> Rows:
        return self.search.candidates.rows

    @property
    def question(self) -> Question:
        return self.search.question

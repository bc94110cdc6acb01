"""A question as it is understood, and its results: the values that the stages of recall pass on."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lattice_common.domain.judgement import Status
from lattice_common.domain.recall import Meant, Query, Selected, Shape
from lattice_common.language.questions.anchor import Anchor
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.ports.catalogue import Columns
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.embedder import Vectors
from lattice_common.recall.reading import Reading

Rows: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """A question as understood. `names` are numbers of `Columns.names` that it mentions; `period` is the time it asks about,
    `anchor` the clause that gives it, where one does. `history`: it asks about the past.
    `held_from`: it asks how things were in a time that is over and began then, in seconds since 1970.
    `slots`: keys of the slots asked about; `statuses`: statuses asked about besides asserted; `meant`: whom it means by another
    name."""

    query: Query
    text: str
    tokens: tuple[str, ...] = ()
    shape: Shape = "factual"
    kind: str | None = None
    names: tuple[int, ...] = ()
    period: AskedPeriod | None = None
    anchor: Anchor | None = None
    history: bool = False
    held_from: float | None = None
    slots: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ()
    meant: tuple[Meant, ...] = ()

    @property
    def as_of(self) -> float | None:
        """Return the time from which it is seen, where that is not now, in seconds since 1970."""
        return self.query.as_of.timestamp() if self.query.as_of else None


@dataclass(frozen=True, slots=True)
class Candidates:
    """Atoms that may answer, as arrays of one length. `text` and `window` are raw BM25 (0: not found by it), `cosine` is NaN
    where unknown, `reached` is 1 for a seed of the graph, 1/(1 + hops) for what was reached, else 0. `covered` and `exact` are
    those of `recall.rarity`, 0…1."""

    rows: Rows
    text: Floats
    window: Floats
    cosine: Floats
    reached: Floats
    covered: Floats
    exact: Floats

    @staticmethod
    def none() -> Candidates:
        return Candidates.without_evidence(np.zeros(0, dtype=np.int64))

    @staticmethod
    def without_evidence(rows: Rows) -> Candidates:
        """Return candidates without any evidence yet."""
        zeros = np.zeros(len(rows))
        return Candidates(rows, zeros, zeros, np.full(len(rows), np.nan), zeros, zeros, zeros)

    def __len__(self) -> int:
        return len(self.rows)

    def cosine_or(self, value: float) -> Floats:
        """Return the cosines, with `value` where one is not known."""
        return np.where(np.isnan(self.cosine), value, self.cosine)

    def where(self, keep: npt.NDArray[np.bool_] | Rows) -> Candidates:
        """Return those at positions that are true, or at these positions, in their order; a copy."""
        return Candidates(*(getattr(self, each.name)[keep] for each in fields(self)))

    def and_then(self, other: Candidates) -> Candidates:
        """Return these candidates, followed by the others."""
        return Candidates(*(np.concatenate([getattr(self, each.name), getattr(other, each.name)]) for each in fields(self)))


@dataclass(frozen=True, slots=True)
class Ranked:
    """Candidates in the order of their scores: `signals` has one column per name in `names`, `scores` is their weighted sum."""

    candidates: Candidates
    names: tuple[str, ...]
    signals: Floats
    scores: Floats
    order: Rows


@dataclass(frozen=True, slots=True)
class Search:
    """One question on its way through the stages; each stage returns it with its own part filled in.

    Only rows of `columns` below `count` are used; `now` is in seconds since 1970. `space`: the vectors of this search, from its
    first stage to its last. `claiming`: rows of the atoms that fill a slot asked about; `named`, shape (n, 2): rows, and what
    further names of the people meant add to their BM25. `dated`: the candidates are what happened in the time asked for, and
    nothing else. Without a `vector` there was no dense search. `reading`: what the judge makes of the best statements, where
    that is worth the time. `of_others`: ids of what was chosen though it speaks of somebody else than is asked about;
    `introducing`: of what says who somebody is, where that is the question. `retired`: rows of the replaced statements that were
    found, the best first, where what holds now is asked.
    """

    question: Question
    columns: Columns
    count: int
    now: float
    space: VectorSpace | None = None
    vector: Vectors | None = None
    reading: Reading | None = None
    candidates: Candidates = field(default_factory=Candidates.none)
    claiming: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    named: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    dated: bool = False
    ranked: Ranked | None = None
    chosen: tuple[Selected, ...] = ()
    of_others: frozenset[str] = frozenset()
    introducing: frozenset[str] = frozenset()
    retired: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    degraded: tuple[str, ...] = ()

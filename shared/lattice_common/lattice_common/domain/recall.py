"""Queries to memory, and their results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from lattice_common.domain.atom import Atom

Shape: TypeAlias = Literal["aggregation", "temporal", "preference", "recommendation", "factual"]


@dataclass(frozen=True, slots=True)
class Filter:
    """Restricts what may be found; an empty field restricts nothing. `after` (inclusive) and `before` (exclusive) bound
    `observed_at`."""

    session_id: tuple[str, ...] = ()
    source_id: tuple[str, ...] = ()
    kind: tuple[str, ...] = ()
    after: datetime | None = None
    before: datetime | None = None

    def __bool__(self) -> bool:
        return bool(self.session_id or self.source_id or self.kind or self.after or self.before)


@dataclass(frozen=True, slots=True)
class Query:
    """A question. `limit` is 1 to 100; `as_of` asks what was known and true at that time; archived atoms are found only with
    `include_archived`. With `judged`, the judge reads the best statements, so that order and `answerable` are as in an
    answer; this takes some tens of milliseconds."""

    text: str
    limit: int = 15
    as_of: datetime | None = None
    include_superseded: bool = False
    include_archived: bool = False
    explain: bool = False
    judged: bool = False
    filter: Filter = field(default_factory=Filter)


class Hit(NamedTuple):
    """One result of one index: an atom and the index's own raw score (BM25, or cosine in −1…1), best first.

    A named tuple, because a question makes a thousand of them, and a frozen dataclass takes three times as long to make.
    """

    atom_id: str
    score: float


@dataclass(frozen=True, slots=True)
class Signal:
    """One part of a score: `contribution == value * weight`."""

    value: float
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Meant:
    """Whom words of a question refer to: `asked` are the words, `end` their end, `names` the other names or role words of the
    same entity, `entities` their ids in the register, and `proofs` the atoms that say so."""

    asked: str
    end: int
    names: tuple[str, ...]
    entities: tuple[str, ...]
    proofs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Selected:
    """An atom that was found, with its score; `signals` is filled when the query asked to `explain`. `outdated_by` names a newer
    atom that may have made it untrue, which the owner has not settled yet; `in_part`, that it has replaced the atom, but
    nothing of what is asked for; `after` names the older atom that holds until the day of this one comes."""

    atom: Atom
    score: float
    signals: Mapping[str, Signal] = field(default_factory=dict)
    outdated_by: str | None = None
    in_part: bool = False
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """The result of a `Query` without a language model. `answerable` is false below the calibrated floor; `confidence` is in 0…1;
    `degraded` names what was missing and why."""

    atoms: tuple[Selected, ...]
    answerable: bool
    confidence: float
    shape: Shape
    degraded: tuple[str, ...]
    trace_id: str
    took_ms: float
    meant: tuple[Meant, ...] = ()
    """The entities that the question names by a role, or by a name for which memory knows others."""


@dataclass(frozen=True, slots=True)
class Citation:
    """The source of a sentence of an answer. `n` counts from 1."""

    n: int
    atom_id: str
    quote: str
    source_id: str | None
    observed_at: datetime
    supported: bool = True


DoubtReason: TypeAlias = Literal["uncited", "number", "name", "date", "negation", "content"]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A sentence of an answer, `answer[start:end]`, that its citations do not support, with the words at fault; or that has no
    citation."""

    start: int
    end: int
    reason: DoubtReason
    words: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its citations. `answered` is false when nothing known answers the question; `atoms` are then the nearest.

    `model` wrote it, where one did; `doubts` are its sentences that memory does not support. `reformulated_query` is the question
    as it was understood from the conversation, where that differs. `pii_protected`: personal data was redacted before it left the
    machine.
    """

    answer: str
    answered: bool
    citations: tuple[Citation, ...]
    atoms: tuple[Selected, ...]
    related_subjects: tuple[str, ...]
    warnings: tuple[str, ...]
    trace_id: str
    doubts: tuple[Doubt, ...] = ()
    model: str | None = None
    reformulated_query: str | None = None
    pii_protected: bool = False
    fell_back: bool = False
    """Whether a language model was to write it, and could not."""

    @property
    def used_llm(self) -> bool:
        """Return whether a language model wrote it."""
        return self.model is not None


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn of a conversation: the question and its answer; or, with `told`, what was told."""

    question: str
    answer: str = ""
    told: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """The first event of an answer: what it will be based on."""

    atoms: tuple[Selected, ...]
    answerable: bool
    reformulated_query: str | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A further piece of the answer, to be shown at once."""

    text: str


@dataclass(frozen=True, slots=True)
class Final:
    """The last event: the whole answer. It replaces what the tokens showed."""

    answer: Answer


AnswerEvent: TypeAlias = Found | Token | Final
"""An answer as it is written: one `Found`, any number of `Token`s, one `Final`; nothing after a cancellation."""

"""A capture on its way through ingest, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Segment
from lattice_common.ingest.extract.extractor import PartSize
from lattice_common.ingest.extract.worth import read_for_facts
from lattice_common.ingest.prove import Proved, grouped
from lattice_common.ingest.segment import segment
from lattice_common.ingest.segment.pieces import clipped
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.journal import AgainMark, Plan, Tally


@dataclass(slots=True)
class Work:
    """A capture on its way for a journal entry: its parts, how many are proved, how many are done, and what those came to.

    `made` is None when it is read for the first time; read again, it names the atoms that the capture had at first.
    """

    entry: str
    capture: Capture
    attempt: int
    parts: list[tuple[Segment, ...]]
    done: int = 0
    tally: Tally = field(default_factory=Tally)
    made: tuple[str, ...] | None = None
    proved: int = 0
    ordinal: int = 0
    coming: Batch | None = None
    """The part after those that are done, where it is proved already."""

    def __post_init__(self) -> None:
        self.proved, self.ordinal = self.done, self.tally.next_ordinal

    @property
    def finished(self) -> bool:
        return self.done >= len(self.parts)

    @property
    def again(self) -> bool:
        return self.made is not None

    def come(self, next_seq: int) -> tuple[Batch | None, int]:
        """The part that was proved while the one before it was embedded, and the next free `seq`. What was stored in between
        was written before it: then its atoms are numbered anew."""
        batch, self.coming = self.coming, None
        if batch is None:
            return None, next_seq
        (part,) = batch.parts
        if not part.atoms or part.atoms[-1].seq == next_seq - 1:
            return batch, next_seq
        atoms = [replace(atom, seq=next_seq + n) for n, atom in enumerate(part.atoms)]
        return Batch([Part(self, part.proved, atoms)], batch.vectors), next_seq + len(atoms)

    def give_back(self) -> None:
        """What is coming is proved again when its turn comes."""
        if self.coming is not None:
            self.proved -= 1
            self.ordinal -= len(self.coming.parts[0].atoms)
            self.coming = None


@dataclass(frozen=True, slots=True)
class Part:
    """A part that is proved: the capture it is of, what is proved, and its atoms."""

    work: Work
    proved: Proved
    atoms: list[Atom]


@dataclass(frozen=True, slots=True)
class Batch:
    """Parts that are being embedded."""

    parts: list[Part]
    vectors: Future[dict[str, Vectors]]


def first_work(capture: Capture, attempt: int, plan: Plan | None, size: PartSize) -> Work:
    """What is left to do of a capture whose last part that is done is that of `plan`."""
    segments = read_for_facts(capture, segment(capture, size.longest))
    if plan is None:
        return Work(capture.capture_id, capture, attempt, grouped(segments, size))
    if plan.read_to:
        rest = grouped(_from(capture, segments, plan.read_to), size)
    else:
        # A plan of an older version: its parts were cut as the rules' are.
        rest = grouped(segment(capture), PartSize())[plan.part + 1 :]
    return Work(capture.capture_id, capture, attempt, _after(plan, rest), plan.part + 1, plan.tally)


def work_again(
    entry: str, capture: Capture, mark: AgainMark, made: tuple[str, ...], attempt: int, plan: Plan | None, size: PartSize
) -> Work:
    """What is left to do of the stretches of a capture that are to be read again."""
    segments = [
        clipped(capture.text, piece, max(piece.start, span.start), min(piece.end, span.end))
        for span in sorted(mark.spans, key=lambda span: span.start)
        for piece in segment(capture, size.longest)
        if piece.start < span.end and span.start < piece.end
    ]
    if plan is None:
        return Work(entry, capture, attempt, grouped(segments, size), made=made)
    rest = grouped(_from(capture, segments, plan.read_to), size)
    return Work(entry, capture, attempt, _after(plan, rest), plan.part + 1, plan.tally, made)


def _from(capture: Capture, segments: Sequence[Segment], offset: int) -> list[Segment]:
    """The segments from `offset` on; one that it stands in begins there."""
    left = [piece for piece in segments if piece.end > offset]
    return [clipped(capture.text, piece, max(piece.start, offset), piece.end) for piece in left]


def _after(plan: Plan, rest: list[tuple[Segment, ...]]) -> list[tuple[Segment, ...]]:
    """The parts that are done, of which nothing more is asked, and the rest."""
    return [*[()] * (plan.part + 1), *rest]


def attempts_then(plan: Plan | None) -> int:
    """Attempts that had been counted at the last plan: what was got through since is not held against an entry."""
    return plan.attempts if plan else 0

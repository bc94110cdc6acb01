"""The work in hand: a capture on its way through ingest, its parts, and the batch that they are processed in."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import Capture, Command, Entry, entry_id
from lattice_common.domain.receipt import Refused
from lattice_common.domain.segment import Candidate, Rejection, Segment
from lattice_common.ingest.extract.extractor import Extracted, PartSize
from lattice_common.ingest.numbers import Numbers
from lattice_common.ingest.pending import Pending
from lattice_common.ingest.segment import segment
from lattice_common.ingest.segment.pieces import clipped
from lattice_common.ingest.stores import Written
from lattice_common.language.facts.worth import read_for_facts
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.journal import AgainMark, Plan, Tally

SHORT_LINE = 20
"""Characters that a line counts for at least: ten thousand items of a list take longer than a page of prose of their length."""


@dataclass(frozen=True, slots=True)
class Proved:
    """The result of proving one part of a capture: grounded candidates with their segment, and those that were not proved.
    `notes` say what was not read properly; the stretches `again` are worth reading again; `echoed` counts candidates left out
    because an answer said them."""

    grounded: tuple[tuple[Segment, tuple[Candidate, ...]], ...]
    rejected: tuple[Rejection, ...]
    notes: tuple[str, ...] = ()
    again: tuple[Span, ...] = ()
    echoed: int = 0

    @property
    def facts(self) -> int:
        return sum(len(candidates) for _, candidates in self.grounded)


@dataclass(slots=True)
class Work:
    """A capture on its way, for the journal entry `said`: its parts, how many are proved, how many are done, and their sums.

    `made` is None when it is read for the first time; when it is read again, it names the atoms that the capture had at first.
    """

    said: Entry
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
    def entry(self) -> str:
        return entry_id(self.said)

    @property
    def finished(self) -> bool:
        return self.done >= len(self.parts)

    @property
    def again(self) -> bool:
        return self.made is not None

    def next_part(self) -> Part:
        """Return the part after those that are proved."""
        return Part(self.said, self.attempt, self)

    def come(self, numbers: Numbers) -> Batch | None:
        """Return the part that was proved while the one before it was embedded. Its atoms are renumbered where something was
        stored in between, as that was written before it."""
        batch, self.coming = self.coming, None
        if batch is not None:
            (part,) = batch.parts
            if part.atoms and part.atoms[-1].seq != numbers.next_seq - 1:
                first = numbers.take(len(part.atoms))
                part.atoms = [replace(atom, seq=first + n) for n, atom in enumerate(part.atoms)]
        return batch

    def give_back(self) -> None:
        """Discard the coming part: it is proved again when its turn comes."""
        if self.coming is not None:
            self.proved -= 1
            self.ordinal -= len(self.coming.parts[0].atoms)
            self.coming = None


@dataclass(slots=True)
class Part:
    """The part in hand: one of a capture's, or a command. Each stage fills in its result.

    `work` is None for a command that has nothing to read, and for what was planned before the writer started (`is_planned`); the
    stages up to `embed` skip such a part.
    """

    said: Entry
    attempt: int
    work: Work | None = None
    segments: tuple[Segment, ...] = ()
    extracted: Sequence[Extracted] = ()
    proved: Proved = field(default_factory=lambda: Proved((), ()))
    atoms: list[Atom] = field(default_factory=list)
    plan: Plan | Refused | None = None
    is_planned: bool = False
    """Whether the plan is in the journal."""

    @property
    def entry(self) -> str:
        return entry_id(self.said)

    @property
    def capture(self) -> Capture | None:
        """Return the capture that the part belongs to, also where a command reads it again."""
        if self.work is not None:
            return self.work.capture
        return self.said if isinstance(self.said, Capture) else None

    def redacted(self, capture: Capture) -> None:
        """Go on with the capture as the journal has it now: passages, the words around a memory and the log are made of it."""
        work = self.work
        if work is not None:
            if not work.again:
                self.said = work.said = capture
            work.capture = capture

    @property
    def is_last(self) -> bool:
        """Return whether the entry ends with this part."""
        return not isinstance(self.plan, Plan) or self.plan.part + 1 >= self.plan.parts


@dataclass(slots=True)
class Batch:
    """Parts that go through the stages together: those not decided yet, in their order, and those `decided` that the engines have
    not followed yet. Of the decided ones, `unwritten` are in no file yet; `pending` are their atoms.

    `waited_for` says that somebody waits for each of them, and that they are whole entries.
    """

    parts: deque[Part]
    waited_for: bool = False
    embedded: Future[dict[str, Vectors]] | None = None
    decided: list[Part] = field(default_factory=list)
    unwritten: list[Part] = field(default_factory=list)
    pending: Pending = field(default_factory=Pending)
    written: Written = field(default_factory=Written)
    touched: set[str] = field(default_factory=set)
    """Atoms that the plans of `decided` make, change or move."""
    captures: int = 0
    """How many of the parts, decided ones included, are parts of captures."""
    seconds_judging: float = 0.0

    @classmethod
    def of(cls, parts: Iterable[Part], *, waited_for: bool = False) -> Batch:
        given = deque(parts)
        return cls(given, waited_for, captures=sum(part.work is not None for part in given))

    def to_read(self) -> Iterator[tuple[Part, Work]]:
        """Yield the parts that are parts of captures."""
        return ((part, part.work) for part in self.parts if part.work is not None)

    def planned(self) -> Iterator[tuple[Part, Plan]]:
        """Yield what is decided and was not refused."""
        return ((part, part.plan) for part in self.decided if isinstance(part.plan, Plan))

    def vectors(self) -> Mapping[str, Vectors]:
        """Return the vectors of the proved atoms, by their ids; waits until they are made."""
        return self.embedded.result() if self.embedded is not None else {}


def parts_of(capture: Capture) -> list[tuple[Segment, ...]]:
    """Return the parts of a capture as the rules cut it. The same capture gives the same parts."""
    return grouped(segment(capture), PartSize())


def grouped(segments: Iterable[Segment], most: PartSize) -> list[tuple[Segment, ...]]:
    """Group segments into parts: a part is planned and committed at once, so that something urgent can come between two parts of
    a long text. Return at least one, possibly empty."""
    parts: list[tuple[Segment, ...]] = []
    part: list[Segment] = []
    size = 0
    for piece in segments:
        own = max(len(piece.text), SHORT_LINE * piece.text.count("\n"))
        if part and (size + own > most.characters or len(part) >= most.segments):
            parts.append(tuple(part))
            part, size = [], 0
        part.append(piece)
        size += own
    return [*parts, tuple(part)]


def first_work(capture: Capture, attempt: int, plan: Plan | None, size: PartSize) -> Work:
    """Return the work left of a capture whose last part that is done is that of `plan`."""
    segments = read_for_facts(capture, segment(capture, size.longest))
    if plan is None:
        return Work(capture, capture, attempt, grouped(segments, size))
    # A plan of an older version does not say how far it read: its parts were cut as the rules cut them, or were longer.
    rest = grouped(_from(capture, segments, plan.read_to), size) if plan.read_to else parts_of(capture)[plan.part + 1 :]
    return Work(capture, capture, attempt, _after(plan, rest), plan.part + 1, plan.tally)


def work_again(
    command: Command, capture: Capture, mark: AgainMark, made: tuple[str, ...], attempt: int, plan: Plan | None, size: PartSize
) -> Work:
    """Return the work on the stretches of a capture that are to be read again."""
    segments = [
        clipped(capture.text, piece, max(piece.start, span.start), min(piece.end, span.end))
        for span in sorted(mark.spans, key=lambda span: span.start)
        for piece in segment(capture, size.longest)
        if piece.start < span.end and span.start < piece.end
    ]
    if plan is None:
        return Work(command, capture, attempt, grouped(segments, size), made=made)
    rest = grouped(_from(capture, segments, plan.read_to), size)
    return Work(command, capture, attempt, _after(plan, rest), plan.part + 1, plan.tally, made)


def _from(capture: Capture, segments: Sequence[Segment], offset: int) -> list[Segment]:
    """Return the segments from `offset` on; the segment that contains it begins there."""
    left = [piece for piece in segments if piece.end > offset]
    return [clipped(capture.text, piece, max(piece.start, offset), piece.end) for piece in left]


def _after(plan: Plan, rest: list[tuple[Segment, ...]]) -> list[tuple[Segment, ...]]:
    """Return the parts that are done, emptied, followed by the rest."""
    return [*[()] * (plan.part + 1), *rest]
